// The list of recipes: a table that is searched, filtered and sorted in the browser.

import { h, setAttribute } from "../../shared/dom.js";
import { nameCell, rowActions, status, time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { compare, number, t } from "../texts.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/** @type {Record<string, (left: Recipe, right: Recipe) => number>} */
const orders = {
  name: (left, right) => compare(recipes.nameOf(left), recipes.nameOf(right)),
  state: (left, right) => rank(left) - rank(right) || compare(recipes.nameOf(left), recipes.nameOf(right)),
  changed: (left, right) => Date.parse(left.published_at) - Date.parse(right.published_at),
};
const states = ["live", "scheduled", "paused", "draft", "ended"];

/** @param {Recipe} recipe */
const rank = (recipe) => states.indexOf(recipes.shownState(recipe));

/** Rows beyond these are made when they are scrolled to. */
const rowsAtOnce = 40;

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function list(context, shell) {
  const { app } = context.parameters;
  let query = context.query;
  let all = await recipes.load(app, context.signal, (newer) => {
    all = newer;
    show();
  });

  const body = h("tbody");
  const count = h("span", { class: "count", role: "status" });
  const search = h("input", {
    type: "search",
    class: "field",
    placeholder: t("list.search"),
    "aria-label": t("list.search"),
    value: query.get("q") ?? "",
    oninput: () => shell.replace({ q: search.value }),
  });
  const none = h("p", { class: "empty" });
  const clear = h("button", {
    type: "button",
    class: "button quiet",
    onclick: () => {
      search.value = "";
      shell.replace({ q: "", state: "", kind: "", surface: "" });
    },
  }, t("list.clear"));
  const more = h("div", {});
  const filters = ["state", "kind", "surface"].map((name) => filter(name));
  const heads = [head("name"), head("state"), h("th", { scope: "col" }, t("list.shown")), head("changed")];
  const table = h(
    "table",
    { class: "table" },
    h("thead", {}, h("tr", {}, heads, h("th", {}, h("span", { class: "hidden-text" }, t("list.actions"))))),
    body,
  );
  const frame = h("div", { class: "table-frame" }, table, none);
  const element = h(
    "div",
    {},
    h(
      "div",
      { class: "filters" },
      h("span", { class: "search" }, icon("search"), search),
      filters.map(({ element }) => element),
      clear,
      count,
    ),
    frame,
    more,
  );

  /** @type {Recipe[]} */
  let found = [];
  let shown = 0;

  /** @param {string} name */
  function filter(name) {
    const select = h("select", { class: "field", onchange: () => shell.replace({ [name]: select.value }) });
    return {
      name,
      element: h("label", {}, t(`list.${name}`), select),
      update() {
        const values = name === "surface"
          ? [...new Set(all.flatMap((recipe) => recipe.surfaces))].sort(compare)
          : [...new Set(all.map((recipe) => name === "kind" ? recipe.kind : recipes.shownState(recipe)))].sort();
        const chosen = query.get(name) ?? "";
        const word = (/** @type {string} */ value) => name === "surface" ? value : t(`${name}.${value}`);
        select.replaceChildren(
          h("option", { value: "" }, t("list.all")),
          ...[...new Set([...values, ...(chosen ? [chosen] : [])])].map((value) => h("option", { value }, word(value))),
        );
        select.value = chosen;
      },
    };
  }

  /** @param {string} column */
  function head(column) {
    const label = t(`list.${column}`);
    const sort = h("button", {
      type: "button",
      class: "sort",
      onclick: () => {
        const current = query.get("sort") ?? "-changed";
        shell.replace({ sort: current === column ? `-${column}` : column });
      },
    }, label);
    sort.append(icon("chevron"));
    return h("th", { scope: "col", "data-column": column }, sort);
  }

  function show() {
    const sort = query.get("sort") ?? "-changed";
    const column = sort.replace(/^-/, "");
    const order = orders[column] ?? orders.changed;
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    found = all.filter((recipe) => isWanted(recipe, words, query)).sort(order);
    if (sort.startsWith("-")) found.reverse();
    for (const th of heads) {
      const isSorted = th.dataset.column === column;
      setAttribute(th, "aria-sort", isSorted ? (sort.startsWith("-") ? "descending" : "ascending") : null);
    }
    filters.forEach(({ update }) => update());
    clear.hidden = !["q", "state", "kind", "surface"].some((name) => query.get(name));
    count.textContent = t("list.count", { shown: number(found.length), count: number(all.length) });
    none.textContent = found.length > 0 ? "" : t(all.length > 0 ? "list.none" : "list.empty");
    none.hidden = found.length > 0;
    table.hidden = found.length === 0;
    table.setAttribute("aria-rowcount", String(found.length + 1));
    shown = 0;
    const focused = document.activeElement?.closest("tr")?.dataset.slug;
    body.replaceChildren();
    extend();
    if (focused) [...body.children].find((row) => row.dataset.slug === focused)?.querySelector("a")?.focus();
  }

  function extend() {
    const rows = found.slice(shown, shown + rowsAtOnce).map((recipe, place) => rowOf(recipe, shown + place));
    body.append(...rows);
    shown += rows.length;
  }

  /** @param {Recipe} recipe @param {number} place */
  function rowOf(recipe, place) {
    const state = recipes.shownState(recipe);
    const revision = recipe.in_force ? ` r${recipe.in_force}` : "";
    return h(
      "tr",
      { "aria-rowindex": place + 2, "data-slug": recipe.slug },
      h("th", { scope: "row" }, nameCell(app, recipe)),
      h(
        "td",
        {},
        status(state, `${t(`state.${state}`)}${revision}`),
        recipe.draft && recipe.in_force
          ? [" ", status("draft", t("state.waits", { revision: recipe.draft.revision }))]
          : null,
      ),
      h("td", {}, recipes.placesOf(recipe, all)),
      h(
        "td",
        {},
        time(recipe.published_at),
        " ",
        h("span", { class: "muted" }, recipe.read_only ? t("list.file") : recipe.author ?? ""),
      ),
      h("td", { class: "end nowrap" }, rowActions(app, recipe, shell.go)),
    );
  }

  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && shown < found.length) extend();
  }, { rootMargin: "600px" });
  observer.observe(more);

  /** @param {number} step */
  const move = (step) => {
    const links = [...body.querySelectorAll("th a")];
    const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = links[Math.min(Math.max(at + step, 0), links.length - 1)];
    if (next instanceof HTMLElement) next.focus();
  };
  const pause = () => {
    const slug = document.activeElement?.closest("tr")?.dataset.slug;
    const recipe = all.find((recipe) => recipe.slug === slug);
    if (recipe && recipes.isChangeable(recipe)) recipes.toggle(app, recipe);
  };
  setPageKeys({ "/": () => search.focus(), j: () => move(1), k: () => move(-1), p: pause });

  show();
  const stop = recipes.onChange(() =>
    recipes.reload(app, context.signal).then((newer) => {
      all = newer;
      show();
    }, () => undefined)
  );
  return {
    element,
    title: t("list.title"),
    update(newer) {
      query = newer.query;
      if (document.activeElement !== search) search.value = query.get("q") ?? "";
      show();
    },
    leave() {
      stop();
      observer.disconnect();
    },
  };
}

/** @param {Recipe} recipe @param {string[]} words @param {URLSearchParams} query */
function isWanted(recipe, words, query) {
  const text = [recipe.slug, recipe.name ?? "", recipe.author ?? "", ...recipe.keys, ...recipe.surfaces].join(" ")
    .toLowerCase();
  const [state, kind, surface] = ["state", "kind", "surface"].map((name) => query.get(name));
  return words.every((word) => text.includes(word)) && (!state || recipes.shownState(recipe) === state) &&
    (!kind || recipe.kind === kind) && (!surface || recipe.surfaces.includes(surface));
}
