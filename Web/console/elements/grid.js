// A grid of many rows, of which only the visible ones are in the document. It is one tab stop: arrows move, typing or
// Enter edits, Enter stores the text and moves down, Escape reverts, Ctrl Enter inserts a new line.

import { h, setAttribute, uniqueId } from "../../shared/dom.js";

/**
 * @typedef {{name: string, label: string, isEditable?: boolean, isHead?: boolean, lang?: string, dir?: string,
 *   text: (row: any) => string, content: (row: any) => string | (Node | string | false)[], canEdit?: (row: any) => boolean}} Column
 * @typedef {{label: string, columns: Column[], onEdit: (row: any, column: Column, text: string) => void,
 *   onMove: (row: any, column: Column) => void}} GridOptions
 */

/** The number of rows beyond the visible ones, so that fast scrolling shows no gap. */
const overscan = 8;
const longestText = 10_000;

export class Grid {
  /** @param {GridOptions} options */
  constructor(options) {
    this.options = options;
    this.id = uniqueId("grid");
    /** @type {any[]} */
    this.rows = [];
    this.at = { row: 0, column: 0 };
    /** The rows that are in the document, by their index. @type {Map<number, HTMLElement>} */
    this.drawn = new Map();
    /** @type {{input: HTMLTextAreaElement, before: string} | undefined} */
    this.editing = undefined;
    /** The cell that is marked as the active one, and its id. @type {Element | undefined} */
    this.marked = undefined;
    /** @type {string | undefined} */
    this.markedId = undefined;
    this.rowHeight = 40;
    this.frame = 0;
    this.head = h("div", { class: "grid-row", role: "row", "aria-rowindex": 1 });
    this.body = h("div", { class: "grid-body", role: "rowgroup" });
    this.element = h(
      "div",
      {
        class: "grid",
        role: "grid",
        tabindex: "0",
        onscroll: () => this.soon(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
        onmousedown: (/** @type {MouseEvent} */ event) => this.point(event),
        ondblclick: () => this.edit(),
      },
      h("div", { class: "grid-head", role: "rowgroup" }, this.head),
      this.body,
    );
    this.watcher = new ResizeObserver(() => this.soon());
    this.watcher.observe(this.element);
  }

  leave() {
    cancelAnimationFrame(this.frame);
    this.watcher.disconnect();
  }

  /** @param {string} label @param {Column[]} columns */
  setColumns(label, columns) {
    this.options.columns = columns;
    this.element.setAttribute("aria-label", label);
    this.element.setAttribute("aria-colcount", String(columns.length));
    this.head.replaceChildren(
      ...columns.map((column, place) =>
        h("div", { class: "grid-cell", role: "columnheader", "aria-colindex": place + 1 }, column.label)
      ),
    );
    if (this.at.column >= columns.length) this.at.column = 0;
  }

  /** @param {any[]} rows */
  setRows(rows) {
    this.close(true);
    const before = this.row;
    this.rows = rows;
    const kept = rows.indexOf(before);
    this.at.row = kept >= 0 ? kept : Math.max(0, Math.min(this.at.row, rows.length - 1));
    this.rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 40;
    this.element.style.setProperty("--grid-row", `${this.rowHeight}px`);
    this.element.setAttribute("aria-rowcount", String(rows.length + 1));
    this.body.style.setProperty("block-size", `${rows.length * this.rowHeight}px`);
    this.refresh();
    this.moved();
  }

  get row() {
    return this.rows[this.at.row];
  }

  get column() {
    return this.options.columns[this.at.column];
  }

  /** Draws the visible rows again. */
  refresh() {
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.draw();
  }

  /** Draws a row again if it is visible. @param {any} row */
  refreshRow(row) {
    const place = this.rows.indexOf(row);
    const drawn = this.drawn.get(place);
    if (!drawn || this.editing) return;
    this.fill(drawn, place);
    this.mark();
  }

  /** @private */
  soon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** @private */
  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - overscan);
    const count = Math.ceil((this.element.clientHeight || 480) / this.rowHeight) + 2 * overscan;
    const last = Math.min(this.rows.length, first + count);
    // The active row stays, because a screen reader refers to it. Other invisible rows are reused.
    const spare = [];
    for (const [place, row] of this.drawn) {
      if ((place >= first && place < last) || place === this.at.row) continue;
      spare.push(row);
      this.drawn.delete(place);
    }
    const wanted = this.rows.length > 0 && !this.drawn.has(this.at.row) ? [this.at.row] : [];
    for (let place = first; place < last; place += 1) {
      if (!this.drawn.has(place) && !wanted.includes(place)) wanted.push(place);
    }
    for (const place of wanted) {
      const row = spare.pop() ?? this.rowElement();
      this.fill(row, place);
      this.drawn.set(place, row);
      if (!row.isConnected) this.body.append(row);
    }
    for (const row of spare) row.remove();
    this.mark();
  }

  /** @private @returns {HTMLElement} */
  rowElement() {
    return h(
      "div",
      { class: "grid-row", role: "row" },
      this.options.columns.map((column, at) =>
        h("div", {
          class: `grid-cell grid-${column.name}`,
          role: column.isHead ? "rowheader" : "gridcell",
          "aria-colindex": at + 1,
          lang: column.lang,
          dir: column.dir,
        })
      ),
    );
  }

  /** @private @param {HTMLElement} element @param {number} place */
  fill(element, place) {
    const row = this.rows[place];
    element.setAttribute("aria-rowindex", String(place + 2));
    element.dataset.place = String(place);
    element.classList.remove("is-edited");
    element.style.setProperty("transform", `translateY(${place * this.rowHeight}px)`);
    this.options.columns.forEach((column, at) => {
      const cell = /** @type {HTMLElement} */ (element.children[at]);
      cell.id = this.cellId(place, at);
      cell.classList.remove("is-edited");
      const content = column.content(row);
      if (typeof content === "string") cell.textContent = content;
      else cell.replaceChildren(...content.filter((part) => part !== false));
      if (!column.isHead) cell.setAttribute("aria-readonly", String(!this.canEdit(row, column)));
    });
  }

  /** @private @param {number} row @param {number} column */
  cellId(row, column) {
    return `${this.id}-${row}-${column}`;
  }

  /** @private @param {any} row @param {Column} column */
  canEdit(row, column) {
    return Boolean(column?.isEditable) && (column.canEdit?.(row) ?? true);
  }

  /** @private */
  mark() {
    const cell = this.drawn.get(this.at.row)?.children[this.at.column];
    if (this.marked === cell && this.markedId === cell?.id) return;
    this.marked?.removeAttribute("aria-selected");
    cell?.setAttribute("aria-selected", "true");
    setAttribute(this.element, "aria-activedescendant", cell?.id ?? null);
    [this.marked, this.markedId] = [cell, cell?.id];
  }

  /** Makes a cell active, and scrolls it into view. @param {number} row @param {number} column */
  go(row, column) {
    this.close(true);
    this.at = {
      row: Math.max(0, Math.min(row, this.rows.length - 1)),
      column: Math.max(0, Math.min(column, this.options.columns.length - 1)),
    };
    const top = this.at.row * this.rowHeight;
    const room = this.element.clientHeight - this.head.offsetHeight - this.rowHeight;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top > this.element.scrollTop + room) this.element.scrollTop = top - room;
    this.draw();
    document.getElementById(this.cellId(this.at.row, this.at.column))?.scrollIntoView({
      block: "nearest",
      inline: "nearest",
    });
    this.moved();
  }

  /** Focuses the active cell, and scrolls it into view. */
  focus() {
    this.element.focus();
    this.go(this.at.row, this.at.column);
  }

  /** @private */
  moved() {
    if (this.row) this.options.onMove(this.row, this.column);
  }

  /** @private @param {KeyboardEvent} event */
  press(event) {
    if (this.editing) return this.pressEditing(event);
    const { row, column } = this.at;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
    const isRightToLeft = getComputedStyle(this.element).direction === "rtl";
    const hasCommandKey = event.ctrlKey || event.metaKey;
    /** @type {Record<string, [number, number]>} */
    const steps = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + (isRightToLeft ? -1 : 1)],
      ArrowLeft: [row, column + (isRightToLeft ? 1 : -1)],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [hasCommandKey ? 0 : row, 0],
      End: [hasCommandKey ? this.rows.length - 1 : row, this.options.columns.length - 1],
    };
    const isTyped = event.key.length === 1 && !hasCommandKey && !event.altKey;
    // Single keys are text here, not shortcuts.
    if (isTyped) event.stopPropagation();
    if (steps[event.key]) this.go(...steps[event.key]);
    else if ((event.key === "Enter" && !hasCommandKey) || event.key === "F2") this.edit();
    else if (isTyped && event.key !== " ") this.edit(event.key);
    else return;
    event.preventDefault();
  }

  /** @private @param {KeyboardEvent} event */
  pressEditing(event) {
    const { input } = this.editing ?? {};
    if (!input || event.isComposing) return;
    event.stopPropagation();
    const hasCommandKey = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && (hasCommandKey || event.shiftKey)) {
      input.setRangeText("\n", input.selectionStart, input.selectionEnd, "end");
      this.grow();
    } else if (event.key === "Enter") {
      this.close(true);
      this.go(this.at.row + 1, this.at.column);
    } else if (event.key === "Escape") {
      this.close(false);
    } else if (event.key === "Tab" && !event.shiftKey && this.at.column < this.options.columns.length - 1) {
      this.close(true);
      this.go(this.at.row, this.at.column + 1);
    } else return;
    event.preventDefault();
  }

  /** @private @param {MouseEvent} event */
  point(event) {
    const cell = event.target instanceof Element ? event.target.closest(".grid-body .grid-cell") : null;
    if (!cell || event.button !== 0 || this.editing?.input.contains(/** @type {Node} */ (event.target))) return;
    const row = Number(cell.parentElement?.dataset.place);
    const column = Number(cell.getAttribute("aria-colindex")) - 1;
    const isThere = row === this.at.row && column === this.at.column && document.activeElement === this.element;
    this.go(row, column);
    this.element.focus({ preventScroll: true });
    event.preventDefault();
    if (isThere) this.edit();
  }

  /** Opens the cell for typing. @param {string} [typed] the replacement of its text */
  edit(typed) {
    const cell = document.getElementById(this.cellId(this.at.row, this.at.column));
    if (this.editing || !cell || !this.row || !this.canEdit(this.row, this.column)) return;
    const before = this.column.text(this.row);
    const input = h("textarea", {
      class: "grid-editor",
      rows: 1,
      maxlength: longestText,
      lang: this.column.lang,
      dir: this.column.dir ?? "auto",
      "aria-label": `${this.options.columns[0].text(this.row)}, ${this.column.label}`,
      oninput: () => this.grow(),
      onblur: () => this.close(true),
    });
    input.value = typed ?? before;
    this.editing = { input, before };
    cell.classList.add("is-edited");
    cell.replaceChildren(input);
    cell.parentElement?.classList.add("is-edited");
    input.focus({ preventScroll: true });
    input.setSelectionRange(input.value.length, input.value.length);
    this.grow();
  }

  /** @private */
  grow() {
    const { input } = this.editing ?? {};
    if (!input) return;
    input.style.setProperty("block-size", "auto");
    input.style.setProperty("block-size", `${input.scrollHeight + 2}px`);
  }

  /** Ends the editing. @param {boolean} isKept */
  close(isKept) {
    if (!this.editing) return;
    const { input, before } = this.editing;
    const hadFocus = document.activeElement === input;
    const [row, column] = [this.row, this.column];
    this.editing = undefined;
    if (isKept && input.value !== before) this.options.onEdit(row, column, input.value);
    this.refreshRow(row);
    if (hadFocus) this.element.focus({ preventScroll: true });
  }
}
