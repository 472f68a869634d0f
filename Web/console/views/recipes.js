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

/**
 * @param {import("../router.js").Context} context
 * @param {import("../main.js").Shell} shell
 * @returns {Promise<import("../router.js").View>}
 */
export async function list(context, shell) {
  const page = new ListPage(context, shell);
  await page.load();
  return {
    element: page.element,
    title: t("list.title"),
    update: ({ query }) => page.turn(query),
    leave: () => page.leave(),
  };
}

class ListPage {
  /** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell */
  constructor({ parameters, query, signal }, shell) {
    this.app = parameters.app;
    this.query = query;
    this.signal = signal;
    this.shell = shell;
    /** @type {Recipe[]} */
    this.all = [];
    /** The recipes that the filters leave, in the chosen order. @type {Recipe[]} */
    this.found = [];
    /** The number of rows that are made. */
    this.shown = 0;
    this.body = h("tbody");
    this.count = h("span", { class: "count", role: "status" });
    this.search = h("input", {
      type: "search",
      class: "field",
      placeholder: t("list.search"),
      "aria-label": t("list.search"),
      value: query.get("q") ?? "",
      oninput: () => shell.replace({ q: this.search.value }),
    });
    this.none = h("p", { class: "empty" });
    this.clear = h("button", { type: "button", class: "button quiet", onclick: () => this.reset() }, t("list.clear"));
    this.more = h("div", {});
    this.filters = filterNames.map((name) => filterSelect(name, shell.replace));
    this.selection = new Selection(this.app, () => this.found, () => this.show());
    this.heads = [
      this.head("name"),
      this.head("state"),
      h("th", { scope: "col", class: "wide" }, t("list.shown")),
      this.head("changed"),
    ];
    this.table = this.makeTable();
    this.element = h(
      "div",
      {},
      this.makeHead(),
      this.makeFilters(),
      this.selection.bar,
      h("div", { class: "table-frame" }, this.table, this.none),
      this.more,
    );
    this.observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting) && this.shown < this.found.length) this.extend();
    }, { rootMargin: "600px" });
    this.stop = () => {};
  }

  async load() {
    this.all = await recipes.load(this.app, this.signal, (newer) => this.take(newer));
    this.observer.observe(this.more);
    setPageKeys({
      "/": () => this.search.focus(),
      j: () => this.move(1),
      k: () => this.move(-1),
      x: () => this.select(),
      p: () => this.pause(),
    });
    this.show();
    this.stop = recipes.onChange(() =>
      recipes.reload(this.app, this.signal).then((newer) => newer !== this.all && this.take(newer), () => undefined)
    );
  }

  /** @private @param {Recipe[]} newer */
  take(newer) {
    this.all = newer;
    this.show();
  }

  /** @param {URLSearchParams} query */
  turn(query) {
    this.query = query;
    if (document.activeElement !== this.search) this.search.value = query.get("q") ?? "";
    this.show();
  }

  leave() {
    this.stop();
    this.observer.disconnect();
  }

  /** @private */
  makeHead() {
    const add = h("a", { class: "button primary", href: recipes.newLink(this.app) }, icon("plus"), t("home.new"));
    return h(
      "div",
      { class: "page-head" },
      h("h1", { tabindex: "-1" }, t("list.title")),
      can("publish") && h("div", { class: "actions" }, add),
    );
  }

  /** @private */
  makeFilters() {
    return h(
      "div",
      { class: "filters" },
      h("span", { class: "search" }, icon("search"), this.search),
      this.filters.map(({ element }) => element),
      viewsMenu(this.app, this.shell.go),
      this.clear,
      this.count,
    );
  }

  /** @private */
  makeTable() {
    const actions = h("th", {}, h("span", { class: "hidden-text" }, t("list.actions")));
    const row = h("tr", {}, h("th", { class: "box" }, this.selection.all), this.heads, actions);
    return h("table", { class: "table" }, h("thead", {}, row), this.body);
  }

  /** A column's heading that sorts. @private @param {string} column */
  head(column) {
    const onclick = () => this.shell.replace({ sort: this.sort === column ? `-${column}` : column });
    const sort = h("button", { type: "button", class: "sort", onclick }, t(`list.${column}`), icon("chevron"));
    return h("th", { scope: "col", "data-column": column, class: phoneColumns.includes(column) ? "" : "wide" }, sort);
  }

  /** The column by which the list is sorted; a minus stands before it for the reverse order. @private */
  get sort() {
    return this.query.get("sort") ?? "-changed";
  }

  /** Removes the search and all filters. @private */
  reset() {
    this.search.value = "";
    this.shell.replace(Object.fromEntries(["q", ...filterNames].map((name) => [name, ""])));
  }

  /** @private */
  show() {
    const { all, query, sort } = this;
    const column = sort.replace(/^-/, "");
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter((recipe) => isWanted(recipe, words, query)).sort(orders[column] ?? orders.changed);
    this.found = sort.startsWith("-") ? found.reverse() : found;
    for (const th of this.heads) {
      const isSorted = th.dataset.column === column;
      setAttribute(th, "aria-sort", isSorted ? (sort.startsWith("-") ? "descending" : "ascending") : null);
    }
    this.filters.forEach(({ update }) => update(all, query));
    this.clear.hidden = !["q", ...filterNames].some((name) => query.get(name));
    this.count.textContent = t("list.count", { shown: number(found.length), count: number(all.length) });
    this.selection.tell();
    this.none.textContent = found.length > 0 ? "" : t(all.length > 0 ? "list.none" : "list.empty");
    this.none.hidden = found.length > 0;
    this.table.hidden = found.length === 0;
    this.table.setAttribute("aria-rowcount", String(found.length + 1));
    this.redraw();
  }

  /** Makes the first rows again, and keeps the focus in its row. @private */
  redraw() {
    this.shown = 0;
    const focused = document.activeElement?.closest("tr")?.dataset.slug;
    const isBox = document.activeElement?.matches("input");
    this.body.replaceChildren();
    this.extend();
    const row = focused && [...this.body.children].find((row) => row.dataset.slug === focused);
    if (row) row.querySelector(isBox ? "input" : "a")?.focus();
  }

  /** @private */
  extend() {
    const rows = this.found.slice(this.shown, this.shown + rowsAtOnce)
      .map((recipe, place) => this.row(recipe, this.shown + place));
    this.body.append(...rows);
    this.shown += rows.length;
  }

  /** @private @param {Recipe} recipe @param {number} place */
  row(recipe, place) {
    const { app, all, selection, shell } = this;
    const state = listedState(recipe);
    const result = selection.results.get(recipe.slug);
    const revision = recipe.in_force ? ` r${recipe.in_force}` : "";
    return h(
      "tr",
      { "aria-rowindex": place + 2, "data-slug": recipe.slug },
      h("td", { class: "box" }, selection.box(recipe)),
      h("th", { scope: "row" }, nameCell(app, recipe), chips(app, recipe)),
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

  /** Moves the focus among the rows. @private @param {number} step */
  move(step) {
    const links = [...this.body.querySelectorAll("th a")];
    const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = links[Math.min(Math.max(at + step, 0), links.length - 1)];
    if (next instanceof HTMLElement) next.focus();
  }

  /** @private */
  pause() {
    const slug = document.activeElement?.closest("tr")?.dataset.slug;
    const recipe = this.all.find((recipe) => recipe.slug === slug);
    if (recipe && recipes.isChangeable(recipe)) recipes.toggle(this.app, recipe);
  }

  /** @private */
  select() {
    const row = document.activeElement?.closest("tr");
    const box = row?.querySelector("input");
    if (!row?.dataset.slug || !box) return;
    box.checked = !box.checked;
    this.selection.toggle(row.dataset.slug);
  }
}

/** The responsible person and the labels. @param {string} app @param {Recipe} recipe */
function chips(app, recipe) {
  if (!recipe.owner && !recipe.labels?.length) return null;
  const owner = recipe.owner && h("span", { class: "muted" }, icon("person"), h("bdi", {}, recipe.owner));
  return h("div", { class: "row-chips" }, owner, labelChips(app, recipe));
}
