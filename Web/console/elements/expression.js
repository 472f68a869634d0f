// A field for an expression: completion, marked faults, the parts of a conjunction as chips, and the share of recent
// polls for which it holds.

import { consult, path } from "../api.js";
import { complete } from "../language/complete.js";
import { parse } from "../language/jexl.js";
import { typeFaults } from "../language/types.js";
import { conjuncts, inWords } from "../language/words.js";
import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { number, t } from "../texts.js";
import { completionList } from "./completion.js";

/**
 * @typedef {import("../language/types.js").Vocabulary} Vocabulary
 * @typedef {import("../language/jexl.js").Fault} Fault
 * @typedef {import("../document/document.js").JSONDocument} JSONDocument
 */

/** The delay of the request after the last key. */
const shareMilliseconds = 600;

/** The app and the recipe that the address names. */
function placeOf() {
  const [, , , app = "", , slug = ""] = location.pathname.split("/").map(decodeURIComponent);
  return { app, slug };
}

/**
 * A field bound to a text of a document. Each key writes its value; it shows changes by other fields.
 * @param {{document: JSONDocument, pointer: string, vocabulary: Vocabulary | undefined, label?: string, app?: string,
 * slug?: string, describedBy?: string, reveal?: () => void}} options without a vocabulary, there are no completions and
 * no type checks; app and slug are by default from the address; a `label` names the field if no other element does;
 * `reveal` shows the text if it is folded
 * @returns {HTMLElement & {input: HTMLTextAreaElement, update(): void, leave(): void, ask(): void,
 *   fold(isFolded: boolean): void}}
 */
export function expressionField({ label, describedBy, ...options }) {
  const field = new ExpressionField({ ...placeOf(), ...options }, label, describedBy);
  const { input, share } = field;
  return Object.assign(field.element, {
    input,
    update: () => field.update(),
    leave: () => share.leave(),
    ask: () => share.ask(),
    fold: (/** @type {boolean} */ isFolded) => field.fold(isFolded),
  });
}

/**
 * @typedef {{document: JSONDocument, pointer: string, vocabulary: Vocabulary | undefined, app: string, slug: string,
 *   reveal?: () => void}} Bound
 */

class ExpressionField {
  /** @param {Bound} bound @param {string} [label] @param {string} [describedBy] */
  constructor(bound, label, describedBy) {
    this.bound = bound;
    const told = uniqueId("faults");
    this.input = h("textarea", {
      class: "field code",
      rows: "1",
      spellcheck: "false",
      autocapitalize: "off",
      "aria-label": label,
      "aria-describedby": [describedBy, told].filter(Boolean).join(" "),
      "data-pointer": bound.pointer,
    });
    this.back = h("div", { class: "field code code-back", "aria-hidden": "true" });
    this.faults = h("div", { id: told, class: "expression-faults" });
    this.parts = h("div", { class: "expression-parts" });
    this.isFolded = false;
    /** What `check` showed last: text, faults and whether it is folded. */
    this.drawn = "";
    this.share = new Share(bound);
    this.list = completionList(this.input, (chosen) => this.take(chosen));
    /** @type {import("../language/complete.js").Completions} */
    this.offered = { from: 0, to: 0, items: [] };
    this.element = h(
      "div",
      { class: "expression" },
      h("div", { class: "expression-field" }, this.back, this.input, ...this.list.elements),
      this.faults,
      this.parts,
      this.share.element,
    );
    this.listen();
    this.update();
    this.share.ask();
  }

  listen() {
    const { input, list } = this;
    input.addEventListener("input", () => {
      this.write();
      this.offer();
    });
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (list.press(event) || event.key !== " " || !event.ctrlKey) return;
      event.preventDefault();
      this.offer(true);
    });
    input.addEventListener("blur", () => list.hide());
    input.addEventListener("scroll", () => this.back.scrollTop = input.scrollTop);
  }

  /** Hides the text and its parts; faults and the share stay. @param {boolean} isFolded */
  fold(isFolded) {
    this.isFolded = isFolded;
    /** @type {HTMLElement} */ (this.input.parentElement).hidden = isFolded;
    this.check();
  }

  /** Shows the document's value. */
  update() {
    const value = this.bound.document.get(this.bound.pointer) ?? "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text !== this.input.value) this.input.value = text;
    this.check();
  }

  write() {
    this.bound.document.set(this.bound.pointer, this.input.value);
    this.check();
    this.share.ask();
  }

  check() {
    const { value: text } = this.input;
    const { tree, fault } = parse(text);
    const { vocabulary } = this.bound;
    const found = fault ? [fault] : tree && vocabulary ? typeFaults(tree, text, vocabulary) : [];
    const faults = text.trim() === "" ? [] : found;
    // A button that is replaced between press and release gets no click: what has not changed stays.
    const drawn = JSON.stringify([text, faults, this.isFolded]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    setAttribute(this.input, "aria-invalid", faults.length > 0 ? "true" : null);
    this.back.replaceChildren(...marked(text, faults), "\n");
    this.faults.replaceChildren(...faults.map((one) => faultLine(one, this.input, one === fault, this.bound.reveal)));
    const parts = tree && faults.length === 0 && !this.isFolded
      ? partsOf(tree, text, (shorter) => this.replace(shorter))
      : [];
    this.parts.replaceChildren(...parts);
    this.parts.hidden = parts.length === 0;
  }

  /** @param {string} text */
  replace(text) {
    this.input.value = text;
    this.input.focus();
    this.write();
  }

  /** @param {boolean} [isAsked] */
  offer(isAsked) {
    const { vocabulary } = this.bound;
    if (!vocabulary) return;
    this.offered = complete(this.input.value, this.input.selectionEnd, vocabulary, isAsked);
    this.list.show(
      this.offered.items.map(({ label, kind, type, source }) => ({ label, detail: detailOf(kind, type, source) })),
    );
  }

  /** @param {number} chosen */
  take(chosen) {
    const { from, to, items } = this.offered;
    const item = items[chosen];
    if (!item) return;
    this.input.setRangeText(item.insert, from, to, "end");
    this.input.selectionStart = this.input.selectionEnd = from + item.caret;
    this.list.hide();
    this.write();
  }
}

/** @param {string} kind @param {string} [type] @param {string} [source] */
function detailOf(kind, type, source) {
  const known = kind === "attribute"
    ? t(`source.${source}`)
    : source !== undefined
    ? source
    : t(kind === "event" ? "jexl.event.kind" : `jexl.${kind}`);
  return [type && t(`type.${type}`), known].filter(Boolean).join(" · ");
}

/**
 * The text with marks at the faults.
 * @param {string} text
 * @param {Fault[]} faults
 * @returns {(string | HTMLElement)[]}
 */
function marked(text, faults) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let at = 0;
  for (const { start, end } of faults.toSorted((left, right) => left.start - right.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), h("mark", {}, text.slice(start, end) || " "));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/**
 * @param {Fault} fault
 * @param {HTMLTextAreaElement} input
 * @param {boolean} isSyntax the daemon reports the fault as well
 * @param {() => void} [reveal] shows the input if it is hidden
 */
function faultLine({ start, end, message }, input, isSyntax, reveal) {
  const go = h("button", {
    type: "button",
    class: "link",
    onclick: () => {
      reveal?.();
      input.focus();
      input.setSelectionRange(start, end);
    },
  }, t("jexl.go"));
  return h(
    "p",
    { class: isSyntax ? "expression-fault is-syntax" : "expression-fault" },
    icon("fault"),
    h("span", {}, message, " ", go),
  );
}

/**
 * The parts of a conjunction of comparisons, each with a button that removes it; empty for any other expression.
 * @param {import("../language/jexl.js").Node} tree
 * @param {string} text
 * @param {(text: string) => void} replace
 */
function partsOf(tree, text, replace) {
  const parts = conjuncts(tree);
  const words = parts.map(inWords);
  if (words.some((word) => word === undefined)) return [];
  const without = (/** @type {number} */ place) =>
    parts.filter((_, other) => other !== place).map(({ start, end }) => text.slice(start, end)).join(" && ");
  return words.map((word, place) =>
    h(
      "span",
      { class: "chip" },
      word,
      parts.length > 1
        ? h(
          "button",
          {
            type: "button",
            class: "chip-remove",
            "aria-label": t("jexl.remove", { text: word }),
            onclick: () => replace(without(place)),
          },
          icon("close"),
        )
        : null,
    )
  );
}

/** The share of recent polls for which the expression holds. */
class Share {
  /** @param {Bound} bound */
  constructor({ app, slug, document, pointer }) {
    this.app = app;
    this.slug = slug;
    this.document = document;
    /** Targeting selects the audience; a trigger selects the clients that are shown something. */
    this.key = pointer.endsWith("/targeting") ? "targeted" : "eligible";
    this.element = h("p", { class: "hint expression-share", role: "status" });
    this.timer = 0;
    this.asking = new AbortController();
  }

  leave() {
    clearTimeout(this.timer);
    this.asking.abort();
  }

  ask() {
    this.leave();
    if (!this.app) return;
    this.timer = setTimeout(() => this.load(), shareMilliseconds);
  }

  async load() {
    const { signal } = this.asking = new AbortController();
    if (!this.document.isSound) return;
    const query = this.slug ? `?slug=${encodeURIComponent(this.slug)}` : "";
    try {
      const answer = await consult(
        path("apps", this.app, "recipes", "forecast") + query,
        this.document.text,
        signal,
      );
      this.element.textContent = sentenceOf(answer, this.key);
    } catch {
      // A document with a fault has no forecast; its faults are shown at their locations.
      if (!signal.aborted) this.element.textContent = "";
    }
  }
}

/** The number of clients from which on a sample tells a share. */
const fewestClients = 10;

/** @param {any} forecast @param {string} key */
export function sentenceOf(forecast, key) {
  const { contexts } = forecast.sample;
  const share = forecast[key];
  if (contexts === 0) return t("jexl.share.none");
  if (contexts !== null && contexts < fewestClients) return t("jexl.share.few", { contexts });
  if (!share || share.low === null || share.high === null) return t("jexl.share.withheld");
  const percent = (/** @type {number} */ value) => number(value, { style: "percent", maximumFractionDigits: 0 });
  const { low, high, interval } = share;
  if (low === high) {
    const range = `${percent(low)} [${percent(interval[0])}–${percent(interval[1])}]`;
    return t("jexl.share", { share: range, contexts });
  }
  return t("jexl.share.range", { low: percent(low), high: percent(high), contexts });
}
