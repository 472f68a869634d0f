// The responses of a recipe: a table, and the selected response next to it. Keys: j and k move, 1 to 4 set the status,
// n adds a note.

import { runOf } from "../kinds.js";
import { isFilter, responsesQuery } from "../answers-query.js";
import { get, path } from "../api.js";
import { follow } from "../changes.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { addTexts, t } from "../texts.js";
import responseTexts from "../texts/en_responses.js";
import { h } from "../../shared/dom.js";
import { chips, choiceField, dataValues, draftValues, periodField } from "./answers-filters.js";
import { actsOn, begun } from "./response-acts.js";
import { responseDetail, statuses } from "./response-detail.js";
import { ResponseTable } from "./response-table.js";
import { exportResponses, listAddress } from "./responses-export.js";

addTexts(responseTexts);

/**
 * @typedef {import("./response-table.js").Item} Item
 * @typedef {import("../recipes.js").Recipe} Recipe
 */

const pageSize = 200;
/** The maximum requests for one page, because pages of a search may be short. */
const mostRequests = 10;

/**
 * @param {{app: string, recipe: Recipe, query: URLSearchParams, shell: import("../main.js").Shell, signal: AbortSignal,
 *   id: string}} of
 */
export async function responsesSection(of) {
  const page = new ResponsesPage(of);
  await page.load();
  return {
    element: page.element,
    keys: page.keys(),
    update: (/** @type {URLSearchParams} */ query, /** @type {string} */ id) => page.turn(query, id),
    leave: () => page.leave(),
  };
}

export class ResponsesPage {
  /** @param {Parameters<typeof responsesSection>[0]} of */
  constructor(of) {
    this.of = of;
    this.query = of.query;
    this.id = of.id;
    /** @type {Item[]} */
    this.items = [];
    this.cursor = "";
    this.hasMore = false;
    /** @type {Promise<void> | undefined} */
    this.loading = undefined;
    this.asked = 0;
    /** The loaded single responses, by id. @type {Map<string, Item>} */
    this.whole = new Map();
    this.table = new ResponseTable({
      address: (id) => this.link(id) + location.search,
      choose: (id) => this.choose(id, true),
      more: () => void this.more(),
    });
    this.count = h("span", { class: "count", role: "status" });
    this.none = h("p", { class: "empty", hidden: true });
    this.newer = h("div", {});
    this.chips = h("div", { class: "chips" });
    this.detail = h("div", { class: "response-place" });
    this.said = h("p", { class: "hidden-text", role: "status" });
    this.acts = actsOn(this);
    /** @type {import("./answers-filters.js").Replace} */
    this.replace = (values) => of.shell.replace(values, this.link(""));
    this.period = periodField(this.replace);
    this.fields = this.choices();
    this.search = this.searchField();
    const clear = { type: "button", class: "button quiet", onclick: () => this.clearFilters() };
    this.clear = h("button", clear, t("list.clear"));
    this.element = this.body();
    this.stop = follow(of.app, (change) => {
      if (change.restarted || change.responses.includes(of.recipe.slug)) void this.lookForNewer();
    });
  }

  /** @private */
  body() {
    const hint = this.hint = h("p", { class: "hint" }, t("responses.keys"));
    const list = h("div", {}, this.table.element, this.none, hint);
    const both = h("div", { class: "responses" }, list, this.detail);
    return h("div", {}, this.filters(), this.chips, this.newer, both, this.said);
  }

  /** @private */
  choices() {
    /** @type {[string, string]} */
    const all = ["", t("answers.all")];
    const known = [...statuses, "draft", "preview", "screened_out"];
    const words = known.map((status) => /** @type {[string, string]} */ ([status, t(`response.status.${status}`)]));
    const fields = [
      choiceField({ name: "status", values: [all, ...words] }, this.replace),
      choiceField({ name: "branch", values: [all] }, this.replace),
      choiceField({ name: "data", values: dataValues() }, this.replace),
    ];
    const drafts = choiceField({ name: "drafts", values: draftValues() }, this.replace);
    return runOf(this.of.recipe.kind)?.hasDrafts ? [...fields, drafts] : fields;
  }

  /** @private */
  searchField() {
    return h("input", {
      type: "search",
      class: "field",
      maxlength: 200,
      placeholder: t("responses.search"),
      "aria-label": t("responses.search"),
      value: this.query.get("q") ?? "",
      oninput: () => {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.replace({ q: this.search.value.trim() || undefined }), 250);
      },
    });
  }

  /** @private */
  filters() {
    const { recipe, app } = this.of;
    const file = () => void exportResponses(app, recipe, responsesQuery(this.query, recipe.kind));
    return h(
      "div",
      { class: "filters" },
      h("span", { class: "search" }, icon("search"), this.search),
      this.period.element,
      this.fields.map(({ element }) => element),
      this.clear,
      this.count,
      button(t("answers.export"), "download", file),
    );
  }

  /** @private */
  clearFilters() {
    this.search.value = "";
    this.replace(Object.fromEntries([...this.query].map(([name]) => [name, undefined])));
  }

  /** @private @param {string} id */
  link(id) {
    return recipes.recipeLink(this.of.app, this.of.recipe.slug, `responses${id && `/${encodeURIComponent(id)}`}`);
  }

  keys() {
    /** @type {Record<string, () => void>} */
    const keys = {
      j: () => this.move(1),
      k: () => this.move(-1),
      n: () => this.detail.querySelector("textarea")?.focus(),
      "/": () => this.search.focus(),
    };
    statuses.forEach((status, place) => keys[String(place + 1)] = () => this.acts.triage(status));
    return keys;
  }

  /** @param {URLSearchParams} query @param {string} id */
  turn(query, id) {
    const key = (/** @type {URLSearchParams} */ one) => String(responsesQuery(one, this.of.recipe.kind));
    const isOther = key(query) !== key(this.query);
    [this.query, this.id] = [query, id];
    if (isOther) this.load().catch((error) => this.fail(error));
    else this.show(id || this.items[0]?.id);
  }

  /** @param {unknown} error */
  fail(error) {
    if (!this.of.signal.aborted) toast(recipes.sentence(error));
  }

  /** Loads the first page. */
  async load() {
    this.tellFilters();
    this.asked += 1;
    [this.items, this.cursor, this.hasMore, this.loading] = [[], "", true, undefined];
    this.newer.replaceChildren();
    this.element.setAttribute("aria-busy", "true");
    await this.more(true);
    this.element.removeAttribute("aria-busy");
    this.show(this.id || this.items[0]?.id);
  }

  /** Loads the next page. @private */
  more(isFirst = false) {
    if (!this.hasMore) return Promise.resolve();
    return this.loading ??= this.read(isFirst).catch((error) => {
      this.hasMore = false;
      if (isFirst) throw error;
      this.fail(error);
    }).finally(() => this.loading = undefined);
  }

  /** @private @param {boolean} isFirst */
  async read(isFirst) {
    const own = this.asked;
    const { app, recipe, signal } = this.of;
    const query = responsesQuery(this.query, recipe.kind);
    query.set("limit", String(pageSize));
    /** @type {Item[]} */
    const found = [];
    let cursor = this.cursor;
    let hasMore = true;
    for (let request = 0; hasMore && found.length < pageSize / 4 && request < mostRequests; request += 1) {
      if (cursor) query.set("cursor", cursor);
      const page = await get(`${listAddress(app, recipe)}?${query}`, { signal });
      found.push(...page.items);
      [cursor, hasMore] = [page.cursor, page.has_more];
    }
    if (own !== this.asked) return;
    [this.cursor, this.hasMore] = [cursor, hasMore];
    const known = new Set(this.items.map(({ id }) => id));
    this.items = [...this.items, ...found.filter(({ id }) => !known.has(id))];
    this.table.set(this.items, hasMore);
    if (isFirst) this.table.element.scrollTop = 0;
    this.tell();
  }

  tell() {
    const count = this.items.length;
    const begun = this.items.filter(({ status }) => status === "draft").length;
    this.count.textContent = t(`responses.${this.hasMore ? "more" : "count"}${begun > 0 ? ".begun" : ""}`, {
      submitted: count - begun,
      begun,
    });
    this.none.hidden = count > 0;
    if (this.hint) this.hint.hidden = count === 0;
    this.none.textContent = count > 0 ? "" : t(this.clear.hidden ? "responses.empty" : "responses.none");
    this.tellFilters();
  }

  /** @private */
  tellFilters() {
    this.period.update(this.query);
    const branches = new Set(this.of.recipe.branches);
    for (const { experiment, branch } of this.items) {
      if (branch) branches.add(experiment ? `${experiment}/${branch}` : branch);
    }
    /** @type {[string, string][]} */
    const known = [["", t("answers.all")], ...[...branches].map((one) => /** @type {[string, string]} */ ([one, one]))];
    for (const field of this.fields) field.update(this.query, field.name === "branch" ? known : undefined);
    this.clear.hidden = ![...this.query].some(([name, value]) =>
      value && (isFilter(name) || ["status", "q", "question"].includes(name))
    );
    if (document.activeElement !== this.search) this.search.value = this.query.get("q") ?? "";
    this.chips.replaceChildren(...chips(this.query, this.replace, ["question"]));
  }

  /** Reports newer responses; they are loaded on demand. @private */
  async lookForNewer() {
    const { app, recipe, signal } = this.of;
    const query = responsesQuery(this.query, recipe.kind);
    query.set("limit", "1");
    const page = await get(`${listAddress(app, recipe)}?${query}`, { signal }).catch(() => ({ items: [] }));
    const [first] = page.items;
    if (!first || this.items.some(({ id }) => id === first.id) || this.newer.firstChild) return;
    const load = button(t("responses.newer.show"), "redo", () => void this.load(), "quiet");
    this.newer.replaceChildren(h("p", { class: "note", role: "status" }, icon("message"), t("responses.newer"), load));
  }

  // The selected response.

  /** @param {string} id @param {boolean} [isFocused] */
  choose(id, isFocused = false) {
    this.isFocused = isFocused;
    this.of.shell.replace({}, this.link(id));
    this.isFocused = false;
  }

  /** @param {number} step */
  move(step) {
    const at = this.items.findIndex(({ id }) => id === this.current);
    const next = this.items[Math.min(Math.max(at + step, 0), this.items.length - 1)];
    if (next) this.choose(next.id, true);
  }

  /** @private @param {string | undefined} id */
  show(id) {
    this.keepNote();
    this.current = id;
    clearTimeout(this.reading);
    if (!id) {
      return this.detail.replaceChildren(
        this.items.length > 0 ? h("p", { class: "panel empty" }, t("responses.choose")) : "",
      );
    }
    this.table.select(id, this.isFocused);
    this.draw();
    const wait = this.whole.has(id) || this.items.length === 0 ? 0 : 80;
    this.reading = setTimeout(() => void this.readOne(id), wait);
  }

  /** @param {string} id */
  async readOne(id) {
    const { app, signal } = this.of;
    try {
      const item = await get(path("apps", app, "responses", id), { signal });
      this.whole.set(id, item);
      if (this.current === id) this.draw();
    } catch {
      if (this.current === id && !this.whole.has(id)) {
        this.detail.replaceChildren(h("p", { class: "panel empty", role: "alert" }, t("responses.gone")));
      }
    }
  }

  /** The selected response. */
  get item() {
    const listed = this.items.find(({ id }) => id === this.current);
    const whole = this.whole.get(this.current ?? "");
    return whole ? { ...whole, status: listed?.status ?? whole.status } : listed;
  }

  draw() {
    const { item } = this;
    if (!item) return;
    this.keepNote();
    const before = this.detail.querySelector("textarea");
    const isSame = this.detail.dataset.id === item.id;
    const hasFocus = isSame && this.detail.contains(document.activeElement);
    const isTyping = hasFocus && document.activeElement === before;
    const words = (this.query.get("q") ?? "").split(/\s+/).filter(Boolean);
    const element = responseDetail(item, {
      words,
      draft: begun.get(item.id) ?? "",
      acts: this.acts,
    });
    this.detail.dataset.id = item.id;
    this.detail.replaceChildren(element);
    if (isTyping) element.querySelector("textarea")?.focus();
    else if (hasFocus) element.focus({ preventScroll: true });
  }

  /** Stores an unfinished note, which reappears with its response. @private */
  keepNote() {
    const { id = "" } = this.detail.dataset;
    const field = this.detail.querySelector("textarea");
    if (field?.value) begun.set(id, field.value);
    else if (field) begun.delete(id);
  }

  leave() {
    this.keepNote();
    this.stop();
    clearTimeout(this.typing);
    clearTimeout(this.reading);
  }
}
