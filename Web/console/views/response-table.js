// Responses as a table. If there are more than two hundred rows, only the visible ones are in the document.

import { time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";
import { h, setAttribute } from "../../shared/dom.js";

/** @typedef {API.ResponseItem} Item a response in the format of lists */

/** The number of rows up to which all rows are in the document. */
const few = 200;
/** The number of rows in the document before and after the visible rows. */
const margin = 12;
/** The maximum number of questions with their own column. */
const mostColumns = 4;
/** The number of remaining rows below at which more are requested. */
const near = 60;

/** @param {any} text */
export const questionId = (text) => text.step_id ? `${text.step_id}/${text.id}` : text.id;

/** @param {Item} item */
export const whoOf = (item) => item.user_id ?? item.client_id ?? t("responses.nobody");

/** @param {string} status */
export function triage(status) {
  const looks = { new: "scheduled", in_review: "paused", addressed: "live", dismissed: "ended", draft: "draft" };
  const pictures = { new: "message", in_review: "eye", addressed: "check", dismissed: "close", draft: "pencil" };
  return h(
    "span",
    { class: `status status-${Reflect.get(looks, status) ?? "ended"}` },
    icon(Reflect.get(pictures, status) ?? "info"),
    t(`response.status.${status}`),
  );
}

export class ResponseTable {
  /** @param {{address: (id: string) => string, choose: (id: string) => void, more: () => void}} of */
  constructor(of) {
    this.of = of;
    /** @type {Item[]} */
    this.items = [];
    /** @type {{id: string, title: string}[]} */
    this.columns = [];
    /** Whether a response has a round: the recipe asks again. */
    this.hasRounds = false;
    this.selected = "";
    this.rowHeight = 40;
    this.hasMore = false;
    /** The range of the rows in the document. */
    this.drawn = "";
    /** @type {Map<string, HTMLElement>} */
    this.rows = new Map();
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.before = h("td", {});
    this.after = h("td", {});
    const gap = (/** @type {HTMLElement} */ cell) =>
      h("tbody", { class: "gap", "aria-hidden": "true" }, h("tr", {}, cell));
    this.table = h(
      "table",
      { class: "table" },
      h("thead", {}, this.head),
      gap(this.before),
      this.body,
      gap(this.after),
    );
    this.element = h("div", {
      class: "table-frame responses-frame",
      tabindex: "0",
      role: "region",
      "aria-label": t("responses.title"),
    }, this.table);
    this.listen();
  }

  /** @private */
  listen() {
    let isWaiting = false;
    this.element.addEventListener("scroll", () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        this.draw();
      });
    }, { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.body.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const target = event.target instanceof Element ? event.target : null;
      const row = target?.closest("tr");
      if (!row?.dataset.id || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.of.choose(row.dataset.id);
    });
  }

  /** @param {Item[]} items @param {boolean} hasMore */
  set(items, hasMore) {
    this.items = items;
    const columns = this.columns.length === 0 || items.length <= few ? columnsOf(items) : this.columns;
    const hasRounds = items.some(({ round }) => round);
    if (JSON.stringify(columns) !== JSON.stringify(this.columns) || hasRounds !== this.hasRounds) {
      this.rows.clear();
      this.body.replaceChildren();
    }
    this.columns = columns;
    this.hasRounds = hasRounds;
    this.table.setAttribute("aria-rowcount", String(hasMore ? -1 : items.length + 1));
    this.hasMore = hasMore;
    const head = (/** @type {string} */ key, look = "") => h("th", { scope: "col", class: look }, t(key));
    this.head.replaceChildren(
      head("responses.when"),
      head("responses.who"),
      head("responses.status"),
      ...(hasRounds ? [head("responses.round", "end")] : []),
      ...this.columns.map(({ id, title }) => h("th", { scope: "col", title }, h("bdi", {}, id))),
      head("responses.notes", "end"),
    );
    for (const cell of [this.before, this.after]) cell.colSpan = this.columns.length + (hasRounds ? 5 : 4);
    this.table.hidden = items.length === 0;
    this.element.hidden = items.length === 0;
    this.drawn = "";
    this.draw();
  }

  /** @param {string} id @param {boolean} [isFocused] */
  select(id, isFocused = false) {
    this.rows.get(this.selected)?.removeAttribute("aria-current");
    this.selected = id;
    const place = this.items.findIndex((item) => item.id === id);
    if (place >= 0) this.reveal(place);
    this.draw();
    const row = this.rows.get(id);
    row?.setAttribute("aria-current", "true");
    if (isFocused) row?.querySelector("a")?.focus({ preventScroll: true });
    if (place >= this.items.length - near) this.of.more();
  }

  /** Draws one row again. @param {Item} item */
  update(item) {
    const row = this.rows.get(item.id);
    const place = this.items.indexOf(item);
    if (!row || place < 0) return;
    const isFocused = row.contains(document.activeElement);
    const newer = this.row(item, place);
    row.replaceWith(newer);
    this.rows.set(item.id, newer);
    if (isFocused) newer.querySelector("a")?.focus({ preventScroll: true });
  }

  /** @private @param {number} place */
  reveal(place) {
    const head = this.head.offsetHeight;
    const [top, bottom] = [place * this.rowHeight, (place + 1) * this.rowHeight + head];
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (bottom > this.element.scrollTop + this.element.clientHeight) {
      this.element.scrollTop = bottom - this.element.clientHeight;
    }
  }

  /** Puts the visible rows into the document. @private */
  draw() {
    const { items } = this;
    const isAll = items.length <= few;
    const { scrollTop, clientHeight } = this.element;
    const first = isAll ? 0 : Math.max(0, Math.floor(scrollTop / this.rowHeight) - margin);
    const last = isAll
      ? items.length
      : Math.min(items.length, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + margin);
    if (this.hasMore && scrollTop + clientHeight > (items.length - near) * this.rowHeight) this.of.more();
    const window = `${first}-${last}`;
    if (window === this.drawn) return;
    this.drawn = window;
    this.put(items.slice(first, last), first);
    const height = this.body.firstElementChild?.offsetHeight;
    if (height) this.rowHeight = height;
    this.before.style.setProperty("height", `${first * this.rowHeight}px`);
    this.after.style.setProperty("height", `${(items.length - last) * this.rowHeight}px`);
  }

  /**
   * Puts rows into the document. Rows that are already there stay, with their focus.
   * @private
   * @param {Item[]} items
   * @param {number} first
   */
  put(items, first) {
    const rows = new Map(
      items.map((item, place) => [item.id, this.rows.get(item.id) ?? this.row(item, first + place)]),
    );
    for (const [id, row] of this.rows) if (!rows.has(id)) row.remove();
    this.rows = rows;
    let next = this.body.firstElementChild;
    for (const [place, row] of [...rows.values()].entries()) {
      row.setAttribute("aria-rowindex", String(first + place + 2));
      if (row === next) next = next.nextElementSibling;
      else this.body.insertBefore(row, next);
    }
  }

  /** @private @param {Item} item @param {number} place */
  row(item, place) {
    const answers = new Map(item.texts.map((text) => [questionId(text), text.answer]));
    const row = h(
      "tr",
      { "aria-rowindex": place + 2, "data-id": item.id },
      h("th", { scope: "row" }, h("a", { href: this.of.address(item.id) }, time(item.submitted_at ?? item.created_at))),
      h("td", {}, h("bdi", { class: "cell" }, whoOf(item))),
      h("td", {}, triage(item.status)),
      this.hasRounds && h("td", { class: "end" }, item.round ?? ""),
      this.columns.map(({ id }) => h("td", {}, h("bdi", { class: "cell" }, answers.get(id) ?? ""))),
      h("td", { class: "end" }, item.comments_count || ""),
    );
    setAttribute(row, "aria-current", item.id === this.selected ? "true" : null);
    return row;
  }
}

/** The questions with the most answers, in their order. @param {Item[]} items */
function columnsOf(items) {
  /** @type {Map<string, {id: string, title: string, count: number}>} */
  const found = new Map();
  for (const { texts } of items.slice(0, few)) {
    for (const text of texts) {
      const id = questionId(text);
      const known = found.get(id) ?? { id, title: text.question, count: 0 };
      known.count += 1;
      found.set(id, known);
    }
  }
  const most = [...found.values()].toSorted((left, right) => right.count - left.count).slice(0, mostColumns);
  return [...found.values()].filter((column) => most.includes(column));
}
