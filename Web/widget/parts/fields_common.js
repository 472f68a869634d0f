// The functions that renderers of fields share.
import { h } from "../../shared/dom.js";
import { keyOf, labelled } from "../render/controls.js";

/** @typedef {import("../render/controls.js").Control} Control */
/** @typedef {import("../render/controls.js").Caption} Caption */
/** @typedef {import("../../shared/i18n.js").Texts} Texts */
/**
 * @typedef {object} FieldContext
 * @property {any} field as in the step
 * @property {Caption} caption
 * @property {any} value
 * @property {Texts} texts
 * @property {import("../render/paint.js").Paint} paint
 * @property {(name: string) => any} part a loaded part of the renderer
 * @property {() => void} onChange
 * @property {(query: string) => Promise<any[]>} findLocations
 * @property {(id: string) => ((view: any) => any) | undefined} findView
 */

/** @param {API.Part} field @param {string} key @param {number} fallback */
export const numberOf = (field, key, fallback) => Number(keyOf(field, key) ?? fallback);

/** @param {API.Part} field */
export const placeholderOf = (field) => field.placeholder ?? field.field_placeholder;

/** @param {any[]} list */
export const nonEmpty = (list) => list.length > 0 ? list : undefined;

/**
 * @typedef {{input: any, output: HTMLElement, text: () => string}} Part an input that always has a value, and its text
 */

/**
 * Reads inputs that always have a value. The value is an answer only after the respondent used an input,
 * or if there was already an answer.
 * @param {Part[]} parts
 * @param {FieldContext} context
 * @param {() => any} read
 */
export function onceUsed(parts, { value, texts, onChange }, read) {
  let isAnswer = value !== undefined;
  const say = () => {
    for (const { input, output, text } of parts) {
      output.textContent = isAnswer ? text() : texts.get("noAnswer");
      output.classList.toggle("empty", !isAnswer);
      if (input.type === "range") input.setAttribute("aria-valuetext", output.textContent);
    }
  };
  const use = () => {
    isAnswer = true;
    say();
    onChange();
  };
  for (const { input } of parts) {
    // A press that does not move a range at its end still chooses the value.
    for (const name of ["input", "click"]) input.addEventListener(name, use);
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (/^(Arrow|Page|Home|End)/.test(event.key)) use();
    });
  }
  say();
  return () => isAnswer ? read() : undefined;
}

/** @param {FieldContext} context @param {"low" | "high"} end the default @param {any} value @returns {Part} */
export function range({ field, texts }, end, value) {
  const low = numberOf(field, "min_value", numberOf(field, "min", 0));
  const high = numberOf(field, "max_value", numberOf(field, "max", 100));
  const input = h("input", { type: "range", min: low, max: high, step: numberOf(field, "step", 1), part: "input" });
  input.value = String(value ?? (end === "low" ? low : high));
  return { input, text: () => withUnit(field, input.value, texts.locale), output: h("output", { class: "reading" }) };
}

/** The currencies by their signs. @type {{[sign: string]: string}} */
const currencies = { "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₺": "TRY", "₪": "ILS" };

/**
 * A number with its unit. A currency stands where the language has it, unless the field says otherwise.
 * @param {API.Part} field
 * @param {string | number} value
 * @param {string} [locale]
 */
export function withUnit(field, value, locale) {
  const [unit, position] = [keyOf(field, "unit"), keyOf(field, "unit_position")];
  if (!unit) return String(value);
  const currency = currencies[unit];
  if (currency && !position) {
    const style = { style: "currency", currency, currencyDisplay: "narrowSymbol", minimumFractionDigits: 0 };
    return new Intl.NumberFormat(locale, /** @type {Intl.NumberFormatOptions} */ (style)).format(Number(value));
  }
  const space = /^\p{Sc}$/u.test(unit) ? "" : " ";
  return position === "prefix" || (space === "" && !position) ? `${unit}${space}${value}` : `${value} ${unit}`;
}

/**
 * Fills a track between two positions.
 * @param {any[]} inputs
 * @param {() => number[]} ends
 * @param {import("../render/paint.js").Paint} paint
 */
export function track(inputs, ends, paint) {
  const fill = h("span", { class: "fill" });
  const [{ min, max }] = inputs;
  const share = (/** @type {number} */ value) => `${100 * (value - min) / Math.max(1e-9, max - min)}%`;
  const draw = paint.live(fill, () => ({
    "inset-inline-start": share(ends()[0]),
    "inset-inline-end": `calc(100% - ${share(ends()[1])})`,
  }));
  return { element: h("div", { class: "groove" }, fill, inputs), draw };
}

/** @param {FieldContext} context */
export function slider(context) {
  const { field, texts, paint, onChange } = context;
  const part = range(context, "low", context.value);
  const { input, output } = part;
  const control = labelled(context.caption, input);
  const box = h("div", { class: "slide" });
  input.before(box);
  const { element, draw } = track([input], () => [Number(input.min), Number(input.value)], paint);
  const bound = (/** @type {string} */ value) => h("span", { class: "muted", "aria-hidden": "true" }, value);
  const bounds = [input.min, input.max].map((value) => bound(withUnit(field, value, texts.locale)));
  box.append(output, element, h("div", { class: "bounds" }, bounds));
  const changed = () => {
    draw();
    onChange();
  };
  return { ...control, read: onceUsed([part], { ...context, onChange: changed }, () => Number(input.value)) };
}
