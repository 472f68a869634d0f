// The filters of the list of recipes: selects over its values, and named views.

import { h } from "../../shared/dom.js";
import { ask } from "../elements/note.js";
import { menu } from "../elements/menu.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { compare, t } from "../texts.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/** The state of a recipe in the list: an ended recipe may be archived. @param {Recipe} recipe */
export const listedState = (recipe) => recipe.archived ? "archived" : recipes.shownState(recipe);

/** The values of a recipe for each filter. @type {Record<string, (recipe: Recipe) => string[]>} */
const valuesOf = {
  state: (recipe) => [listedState(recipe)],
  kind: (recipe) => [recipe.kind],
  surface: (recipe) => recipe.surfaces,
  owner: (recipe) => recipe.owner ? [recipe.owner] : [],
  label: (recipe) => recipe.labels ?? [],
};
export const filterNames = Object.keys(valuesOf);
/** The filters whose values are texts of the console. */
const worded = ["state", "kind"];

/** @param {Recipe} recipe @param {string[]} words @param {URLSearchParams} query */
export function isWanted(recipe, words, query) {
  if (recipe.archived && query.get("state") !== "archived") return false;
  const text = [
    recipe.slug,
    recipe.name ?? "",
    recipe.author ?? "",
    recipe.owner ?? "",
    ...recipe.labels ?? [],
    ...recipe.keys,
    ...recipe.surfaces,
  ].join(" ").toLowerCase();
  return words.every((word) => text.includes(word)) &&
    filterNames.every((name) => !query.get(name) || valuesOf[name](recipe).includes(query.get(name) ?? ""));
}

/** @param {string} name @param {(values: Record<string, string>) => void} replace */
export function filterSelect(name, replace) {
  const select = h("select", { class: "field", onchange: () => replace({ [name]: select.value }) });
  const element = h("label", {}, t(`list.${name}`), select);
  return {
    element,
    /** @param {Recipe[]} all @param {URLSearchParams} query */
    update(all, query) {
      const chosen = query.get(name) ?? "";
      const values = [...new Set([...all.flatMap(valuesOf[name]), ...(chosen ? [chosen] : [])])].sort(compare);
      const word = (/** @type {string} */ value) => worded.includes(name) ? t(`${name}.${value}`) : value;
      element.hidden = values.length === 0;
      select.replaceChildren(
        h("option", { value: "" }, t("list.all")),
        ...values.map((value) => h("option", { value }, word(value))),
      );
      select.value = chosen;
    },
  };
}

/** @typedef {{name: string, query: string}} SavedView */

/** @param {string} app @returns {SavedView[]} */
function savedViews(app) {
  try {
    const kept = JSON.parse(localStorage.getItem(`bellwether-views:${app}`) ?? "[]");
    return Array.isArray(kept)
      ? kept.filter(({ name, query }) => typeof name === "string" && typeof query === "string")
      : [];
  } catch {
    return [];
  }
}

/** A menu of the views that this browser stores. @param {string} app @param {(address: string) => void} go */
export function viewsMenu(app, go) {
  const keep = (/** @type {SavedView[]} */ views) =>
    localStorage.setItem(`bellwether-views:${app}`, JSON.stringify(views));
  const save = async () => {
    const field = { label: t("list.view.name"), value: "", maximum: 64 };
    const typed = await ask({
      title: t("list.views"),
      body: t("me.stored"),
      action: t("list.view.do"),
      fields: [field],
    });
    if (!typed?.[0]) return;
    const [name] = typed;
    const others = savedViews(app).filter((view) => view.name !== name);
    keep([...others, { name, query: location.search }].sort((left, right) => compare(left.name, right.name)));
    toast(t("list.view.saved", { name }));
  };
  const [button, list] = menu(t("list.views"), () => {
    const views = savedViews(app);
    return [
      ...views.map(({ name, query }) => ({
        label: name,
        icon: "filter",
        run: () => go(`/console/a/${encodeURIComponent(app)}/recipes${query}`),
      })),
      { label: t("list.view.save"), icon: "plus", run: () => void save() },
      ...views.map(({ name }) => ({
        label: t("list.view.remove", { name }),
        icon: "trash",
        run: () => keep(savedViews(app).filter((view) => view.name !== name)),
      })),
    ];
  });
  button.classList.remove("icon-only");
  button.removeAttribute("aria-label");
  button.replaceChildren(icon("filter"), t("list.views"));
  return h("span", {}, button, list);
}
