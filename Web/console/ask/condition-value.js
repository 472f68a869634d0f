// The control for the value of a row. It depends on the subject and the comparison.

import { h } from "../../shared/dom.js";
import { t } from "../texts.js";
import { bare } from "./dialects.js";
import { valueName } from "./condition-words.js";
import { eventControl, eventValue } from "./event-value.js";

/**
 * @typedef {import("./subjects.js").Subject} Subject
 * @typedef {import("./dialects.js").Row} Row
 * @typedef {(value: any, isTyped?: boolean) => void} Change `isTyped`: the control already shows the value
 */

const isNumber = (/** @type {string} */ text) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);

/**
 * The initial value of a new comparison.
 * @param {Subject | undefined} subject
 * @param {string} comparison
 * @returns {any}
 */
export function firstValue(subject, comparison) {
  if (bare.includes(comparison)) return undefined;
  if (subject && subject.kind in ownValues) return ownValues[subject.kind].value(undefined, subject, comparison);
  const one = subject?.options?.[0]?.value ??
    (subject?.kind === "boolean" ? true : subject?.kind === "number" ? 0 : "");
  const value = subject?.isText ? String(one) : one;
  if (comparison === "in" || comparison === "notIn") return [value];
  return comparison === "between" ? [0, 10] : value;
}

/**
 * The value of a row with another subject or comparison. It stays if it fits.
 * @param {unknown} value @param {Subject | undefined} subject @param {string} comparison
 * @returns {any}
 */
export function valueFor(value, subject, comparison) {
  if (bare.includes(comparison)) return undefined;
  if (subject && subject.kind in ownValues) return ownValues[subject.kind].value(value, subject, comparison);
  return stays(value, subject, comparison) ? value : firstValue(subject, comparison);
}

/** Whether a value can stay when a row has another subject or comparison. @param {any} value @param {Subject | undefined} subject @param {string} comparison */
function stays(value, subject, comparison) {
  const isMany = comparison === "in" || comparison === "notIn";
  if (comparison === "between" || isMany !== Array.isArray(value)) return false;
  const isKnown = (/** @type {unknown} */ one) =>
    subject?.options ? subject.options.some((option) => option.value === one) : typeof one === typeOf(subject);
  return isMany ? value.every(isKnown) : isKnown(value);
}

/** @param {Subject | undefined} subject */
const typeOf = (subject) =>
  subject?.kind === "boolean" ? "boolean" : subject?.kind === "number" && !subject.isText ? "number" : "string";

/** @param {Row} row @param {Subject | undefined} subject @param {Change} change @returns {HTMLElement | undefined} */
export function valueControl({ comparison, value }, subject, change) {
  if (bare.includes(comparison)) return undefined;
  if (subject && subject.kind in ownValues) {
    return ownValues[subject.kind].control({ comparison, value }, subject, change);
  }
  if (comparison === "between") return rangeControl(value, change);
  const isMany = comparison === "in" || comparison === "notIn";
  if (isMany && subject?.options) return manyControl(value, subject, change);
  if (isMany) return listControl(value, subject, change);
  if (subject?.kind === "boolean" || typeof value === "boolean") {
    return choiceControl(value, {
      ...plain,
      options: [true, false].map((one) => ({ value: one, label: valueName(one, undefined) })),
    }, change);
  }
  return subject?.options ? choiceControl(value, subject, change) : textControl(value, subject, change);
}

/**
 * The values of kinds of subjects that no other kind has.
 * @type {Record<string, {value: (before: any, subject: Subject, comparison: string) => any,
 *   control: (row: {comparison: string, value?: any}, subject: Subject, change: Change) => HTMLElement}>}
 */
const ownValues = {
  event: { value: eventValue, control: eventControl },
  fact: { value: factValue, control: factControl },
  share: { value: (before) => typeof before === "number" && isPercent(before) ? before : 10, control: shareControl },
};

/** @param {number} value */
const isPercent = (value) => value >= 0.01 && value <= 100 && Math.round(value * 100) / 100 === value;

/** The answer of a fact is a number, a text, or true or false. @param {unknown} before @param {Subject} _ @param {string} comparison */
function factValue(before, _, comparison) {
  const one = Array.isArray(before) ? before[0] : before;
  const isOrder = ["least", "most", "above", "below"].includes(comparison);
  const value = ["string", "number", "boolean"].includes(typeof one) ? one : 0;
  if (comparison === "in" || comparison === "notIn") return Array.isArray(before) ? before : [String(value)];
  if (comparison === "contains" || comparison === "containsNot") return String(value);
  return isOrder && typeof value !== "number" ? 0 : value;
}

/** @param {{comparison: string, value?: any}} row @param {Subject} subject @param {Change} change */
function factControl({ comparison, value }, subject, change) {
  if (comparison === "in" || comparison === "notIn") return listControl(value, subject, change);
  return textControl(value, comparison.startsWith("contains") ? { ...subject, isText: true } : subject, change);
}

/** @param {{value?: any}} row @param {Subject} _ @param {Change} change */
function shareControl({ value }, _, change) {
  const input = h("input", {
    class: "field number",
    value: String(value),
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": t("when.percent"),
    oninput: () => {
      const isShare = isNumber(input.value.trim()) && isPercent(Number(input.value));
      input.setAttribute("aria-invalid", String(!isShare));
      if (isShare) change(Number(input.value), true);
    },
  });
  return h("div", { class: "when-range" }, input, "%");
}

/** @type {Subject} */
const plain = { id: "", label: "", kind: "other" };

/** @param {any} value @param {Subject} subject @param {Change} change */
function choiceControl(value, { options = [] }, change) {
  // A value that is no option is shown as JSON, because 5 and "5" are different values.
  const all = options.some((option) => option.value === value) ? options : [
    ...options,
    { value, label: value === "" ? "" : JSON.stringify(value) },
  ];
  const select = h("select", {
    class: "field",
    "aria-label": t("when.value"),
    onchange: () => change(all[select.selectedIndex].value),
  }, all.map((option) => h("option", {}, option.label)));
  select.selectedIndex = all.findIndex((option) => option.value === value);
  return select;
}

/**
 * @param {string} text
 * @param {any} before
 * @param {Subject | undefined} subject
 * @returns {any} undefined if it is not yet a number
 */
function readValue(text, before, subject) {
  if (subject?.isQuoted && text.includes("\\")) return undefined;
  if (subject?.kind === "fact" && !subject.isText) return readFact(text, before);
  const wantsNumber = subject ? subject.kind === "number" && !subject.isText : typeof before === "number";
  if (!wantsNumber) return text;
  return isNumber(text.trim()) ? Number(text) : undefined;
}

/** @type {Record<string, string>} */
const placeholders = { date: "2026-03-15", version: "120" };

/** A number is a number, unless the document has it as a text. @param {string} text @param {unknown} before */
function readFact(text, before) {
  if (text === "true" || text === "false") return text === "true";
  return isNumber(text.trim()) && !(typeof before === "string" && isNumber(before)) ? Number(text) : text;
}

/** @param {any} value @param {Subject | undefined} subject @param {Change} change */
function textControl(value, subject, change) {
  const isNumeric = subject?.kind === "number" || typeof value === "number";
  const input = h("input", {
    class: isNumeric ? "field number" : "field",
    value: String(value),
    inputmode: isNumeric ? "decimal" : null,
    autocomplete: "off",
    "aria-label": t("when.value"),
    placeholder: subject ? placeholders[subject.kind] ?? null : null,
    oninput: () => {
      const read = readValue(input.value, value, subject);
      input.setAttribute("aria-invalid", String(read === undefined));
      if (read !== undefined) change(read, true);
    },
  });
  return input;
}

/** @param {any[]} values @param {Subject | undefined} subject @param {Change} change */
function listControl(values, subject, change) {
  const input = h("input", {
    class: "field",
    value: values.join(", "),
    autocomplete: "off",
    "aria-label": t("when.values"),
    placeholder: t("when.commas"),
    oninput: () => {
      const read = input.value.split(",").map((/** @type {string} */ item) => item.trim()).filter(Boolean)
        .map((/** @type {string} */ item) => readValue(item, values[0], subject));
      const isRead = read.length > 0 && read.every((/** @type {unknown} */ item) => item !== undefined);
      input.setAttribute("aria-invalid", String(!isRead));
      if (isRead) change(read, true);
    },
  });
  return input;
}

/** @param {any[]} values @param {Subject} subject @param {Change} change */
function manyControl(values, { options = [] }, change) {
  const known = [
    ...options,
    ...values.filter((value) => !options.some((option) => option.value === value))
      .map((value) => ({ value, label: JSON.stringify(value) })),
  ];
  const boxes = known.map((option) => {
    const box = h("input", { type: "checkbox", checked: values.includes(option.value) });
    return { box, value: option.value, element: h("label", { class: "when-box" }, box, option.label) };
  });
  const element = h("div", {
    class: "when-boxes",
    role: "group",
    "aria-label": t("when.values"),
    onchange: (/** @type {Event} */ event) => {
      const chosen = boxes.filter(({ box }) => box.checked).map(({ value }) => value);
      // A comparison with an empty list never holds, so one choice stays.
      if (chosen.length === 0) /** @type {HTMLInputElement} */ (event.target).checked = true;
      else change(chosen, true);
    },
  }, boxes.map(({ element }) => element));
  return element;
}

/** @param {(number | null)[]} value @param {Change} change */
function rangeControl(value, change) {
  const bounds = ["when.low", "when.high"].map((label, place) =>
    h("input", {
      class: "field number",
      value: value[place] ?? "",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": t(label),
      oninput: () => {
        const texts = bounds.map((bound) => bound.value.trim());
        const isRange = texts.some((text) => text !== "") && texts.every((text) => text === "" || isNumber(text));
        bounds.forEach((bound) => bound.setAttribute("aria-invalid", String(!isRange)));
        if (isRange) change(texts.map((text) => text === "" ? null : Number(text)), true);
      },
    })
  );
  return h("div", { class: "when-range" }, bounds[0], h("span", { class: "muted" }, t("when.and")), bounds[1]);
}
