// The text of a document: a field with the numbers of its lines, and marks at lines with a finding.

import { h } from "../../shared/dom.js";
import { lineOf } from "../forms/findings.js";
import { completeJSON } from "../language/complete-json.js";
import { t } from "../texts.js";
import { completionList } from "./completion.js";

/** The delay after the last key before typed text is parsed. Leaving the field parses it at once. */
const readMilliseconds = 60;

/** @param {Element} area */
const lineHeight = (area) => Number.parseFloat(getComputedStyle(area).lineHeight) || 20;

export class JSONField {
  /**
   * @param {import("../document/document.js").JSONDocument} document
   * @param {(pointer: string) => void} caret called with the pointer at the caret
   * @param {() => import("../forms/schema.js").Format | undefined} format of the document
   */
  constructor(document, caret, format) {
    this.format = format;
    this.document = document;
    this.caret = caret;
    this.gutter = h("div", { class: "json-lines", "aria-hidden": "true" });
    /** @type {HTMLTextAreaElement} */
    this.area = h("textarea", {
      class: "json-text",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      wrap: "off",
      dir: "ltr",
      "aria-label": t("edit.json"),
      oninput: () => this.typed(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (this.list.press(event) || event.key !== " " || !event.ctrlKey) return;
        event.preventDefault();
        this.flush();
        this.offer();
      },
      onblur: () => {
        this.flush();
        this.list.hide();
      },
      onscroll: () => this.number(),
      onclick: () => this.tellCaret(),
      onkeyup: () => this.tellCaret(),
    });
    this.area.value = document.text;
    this.list = completionList(this.area, (place) => this.take(place));
    /** @type {import("../language/complete.js").Completions} */
    this.offered = { from: 0, to: 0, items: [] };
    this.element = h("div", { class: "json", dir: "ltr" }, this.gutter, this.area, ...this.list.elements);
    /** @type {Map<number, boolean>} Whether the findings of a line are only warnings. */
    this.marks = new Map();
    this.numbered = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    new ResizeObserver(() => this.number()).observe(this.area);
  }

  /** @private */
  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.flush();
      this.offer();
    }, readMilliseconds);
    this.number();
  }

  /** Offers the keys or words at the caret, below its line. @private */
  offer() {
    const { area, list } = this;
    const format = this.format();
    if (!format || area.readOnly) return;
    this.offered = completeJSON(this.document, area.selectionStart, format);
    list.show(this.offered.items.map(({ label, source = "" }) => ({ label, detail: source })));
    const line = area.value.slice(0, area.selectionStart).split("\n").length;
    list.elements[0].style.setProperty("inset-block-start", `${line * lineHeight(area) - area.scrollTop + 8}px`);
  }

  /** @private @param {number} place of the chosen completion */
  take(place) {
    const { from, to, items: { [place]: item } } = this.offered;
    this.list.hide();
    if (!item) return;
    this.area.setRangeText(item.insert, from, to, "end");
    this.typed();
  }

  /** Writes the typed text into the document. */
  flush() {
    // Without a pending key, the document may be newer than the field.
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.document.replaceText(this.area.value);
  }

  /** Shows the document's text in the field, and keeps the caret. */
  update() {
    if (this.timer !== undefined) return;
    const { text } = this.document;
    const old = this.area.value;
    if (old === text) return;
    const shorter = Math.min(old.length, text.length);
    let start = 0;
    while (start < shorter && old[start] === text[start]) start += 1;
    let tail = 0;
    while (tail < shorter - start && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
    this.area.setRangeText(text.slice(start, text.length - tail), start, old.length - tail, "preserve");
    this.number();
  }

  /** @param {import("../forms/findings.js").Finding[]} findings */
  mark(findings) {
    this.marks.clear();
    for (const finding of findings) {
      const line = lineOf(this.document, finding);
      this.marks.set(line, finding.isWarning && this.marks.get(line) !== false);
    }
    this.numbered = "";
    this.number();
  }

  /** Draws the numbers of the visible lines. @private */
  number() {
    const { scrollTop, clientHeight } = this.area;
    const height = lineHeight(this.area);
    const first = Math.floor(scrollTop / height);
    const count = Math.min(Math.ceil(clientHeight / height) + 1, this.lineCount() - first);
    const shape = `${first} ${count}`;
    this.gutter.style.setProperty("--shift", `${first * height - scrollTop}px`);
    if (shape === this.numbered) return;
    this.numbered = shape;
    const lines = Array.from({ length: Math.max(count, 0) }, (_, place) => first + place + 1);
    this.gutter.replaceChildren(...lines.map((line) => {
      const isWarning = this.marks.get(line);
      const look = isWarning === undefined ? null : isWarning ? "is-warning" : "is-fault";
      return h("span", { class: look }, line);
    }));
  }

  /** @private */
  lineCount() {
    const text = this.area.value;
    let count = 1;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
    return count;
  }

  /** @private */
  tellCaret() {
    if (this.timer === undefined && this.document.isSound) {
      this.caret(this.document.pointerAt(this.area.selectionStart));
    }
  }

  /**
   * Scrolls to a part of the text and selects it.
   * @param {number} start
   * @param {number} end
   * @param {boolean} [isFocused]
   */
  select(start, end, isFocused = true) {
    if (isFocused) this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
    const height = lineHeight(this.area);
    const line = this.area.value.slice(0, start).split("\n").length - 1;
    this.area.scrollTop = Math.max(0, (line - 3) * height);
    this.area.scrollLeft = 0;
  }

  /** @param {boolean} isReader */
  setReader(isReader) {
    this.area.readOnly = isReader;
  }
}
