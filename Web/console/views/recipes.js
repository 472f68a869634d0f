// The list of recipes: a table that the browser searches, filters and sorts.

import { h, setAttribute } from "../../shared/dom.js";
import { labelChips } from "../elements/note.js";
import { nameCell, rowActions, status, time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { compare, number, t } from "../texts.js";
import { filterNames, filterSelect, isWanted, listedState, viewsMenu } from "./list-filters.js";
import { Selection } from "./list-selection.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/** @type {Record<string, (left: Recipe, right: Recipe) => number>} */
const orders = {
  name: (left, right) => compare(recipes.nameOf(left), recipes.nameOf(right)),
  state: (left, right) => rank(left) - rank(right) || compare(recipes.nameOf(left), recipes.nameOf(right)),
  changed: (left, right) => Date.parse(left.published_at) - Date.parse(right.published_at),
};
const states = ["live", "scheduled", "paused", "draft", "ended", "archived"];

/** @param {Recipe} recipe */
const rank = (recipe) => states.indexOf(listedState(recipe));

/** The columns that a phone has room for. */
const phoneColumns = ["name", "state"];

/** The number of rows that are made at once; scrolling makes more. */
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
      shell.replace(Object.fromEntries(["q", ...filterNames].map((name) => [name, ""])));
    },
  }, t("list.clear"));
  const more = h("div", {});
  const filters = filterNames.map((name) => filterSelect(name, shell.replace));
  /** @type {Recipe[]} */
  let found = [];
  const selection = new Selection(app, () => found, () => show());
  const heads = [
    head("name"),
    head("state"),
    h("th", { scope: "col", class: "wide" }, t("list.shown")),
    head("changed"),
  ];
  const table = h(
    "table",
    { class: "table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { class: "box" }, selection.all),
        heads,
        h("th", {}, h("span", { class: "hidden-text" }, t("list.actions"))),
      ),
    ),
    body,
  );
  const frame = h("div", { class: "table-frame" }, table, none);
  const element = h(
    "div",
    {},
    h(
      "div",
      { class: "page-head" },
      h("h1", { tabindex: "-1" }, t("list.title")),
      can("publish") &&
        h(
          "div",
          { class: "actions" },
          h("a", { class: "button primary", href: recipes.newLink(app) }, icon("plus"), t("home.new")),
        ),
    ),
    h(
      "div",
      { class: "filters" },
      h("span", { class: "search" }, icon("search"), search),
      filters.map(({ element }) => element),
      viewsMenu(app, shell.go),
      clear,
      count,
    ),
    selection.bar,
    frame,
    more,
  );

  let shown = 0;

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
    return h("th", { scope: "col", "data-column": column, class: phoneColumns.includes(column) ? "" : "wide" }, sort);
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
    filters.forEach(({ update }) => update(all, query));
    clear.hidden = !["q", ...filterNames].some((name) => query.get(name));
    count.textContent = t("list.count", { shown: number(found.length), count: number(all.length) });
    selection.tell();
    none.textContent = found.length > 0 ? "" : t(all.length > 0 ? "list.none" : "list.empty");
    none.hidden = found.length > 0;
    table.hidden = found.length === 0;
    table.setAttribute("aria-rowcount", String(found.length + 1));
    shown = 0;
    const focused = document.activeElement?.closest("tr")?.dataset.slug;
    const isBox = document.activeElement?.matches("input");
    body.replaceChildren();
    extend();
    const row = focused && [...body.children].find((row) => row.dataset.slug === focused);
    if (row) row.querySelector(isBox ? "input" : "a")?.focus();
  }

  function extend() {
    const rows = found.slice(shown, shown + rowsAtOnce).map((recipe, place) => rowOf(recipe, shown + place));
    body.append(...rows);
    shown += rows.length;
  }

  /** @param {Recipe} recipe @param {number} place */
  function rowOf(recipe, place) {
    const state = listedState(recipe);
    const result = selection.results.get(recipe.slug);
    const revision = recipe.in_force ? ` r${recipe.in_force}` : "";
    return h(
      "tr",
      { "aria-rowindex": place + 2, "data-slug": recipe.slug },
      h("td", { class: "box" }, selection.box(recipe)),
      h("th", { scope: "row" }, nameCell(app, recipe), chips(recipe)),
      h(
        "td",
        {},
        status(state === "archived" ? "ended" : state, `${t(`state.${state}`)}${revision}`),
        recipe.draft && recipe.in_force
          ? [" ", status("draft", t("state.waits", { revision: recipe.draft.revision }))]
          : null,
        recipe.sent_back && [" ", status("paused", t("state.back"))],
        recipe.warnings ? [" ", h("span", { class: "muted" }, t("list.warnings", { count: recipe.warnings }))] : null,
        result && h("small", { class: "row-result" }, result),
      ),
      h("td", { class: "wide" }, recipes.placesOf(recipe, all)),
      h(
        "td",
        { class: "wide" },
        time(recipe.published_at),
        " ",
        h("span", { class: "muted" }, recipe.read_only ? t("list.file") : recipe.author ?? ""),
      ),
      h("td", { class: "end nowrap" }, rowActions(app, recipe, shell.go)),
    );
  }

  /** The responsible person and the labels. @param {Recipe} recipe */
  function chips(recipe) {
    if (!recipe.owner && !recipe.labels?.length) return null;
    const owner = recipe.owner && h("span", { class: "muted" }, icon("person"), h("bdi", {}, recipe.owner));
    return h("div", { class: "row-chips" }, owner, labelChips(app, recipe));
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
  const select = () => {
    const row = document.activeElement?.closest("tr");
    const box = row?.querySelector("input");
    if (!row?.dataset.slug || !box) return;
    box.checked = !box.checked;
    selection.toggle(row.dataset.slug);
  };
  setPageKeys({ "/": () => search.focus(), j: () => move(1), k: () => move(-1), x: select, p: pause });

  show();
  const stop = recipes.onChange(() =>
    recipes.reload(app, context.signal).then((newer) => {
      if (newer === all) return;
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
