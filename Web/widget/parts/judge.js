// The fault of what is in a field of a flow, as the daemon reports it (docs/reference/flows.md#faults-of-a-response). A
// part of the renderer. It finds only faults that a field alone shows; the daemon finds the others.
import { keyOf } from "../render/controls.js";

/** The sentences of faults that only fields have, in English; Web/widget/texts has them in other languages. */
export const english = {
  faultNumber: "Enter a number.",
  faultWholeNumber: "Enter a whole number.",
  faultMultiple: "Enter a number in steps of {step}.",
  faultDecimalPlaces: "Enter at most {max} decimal places.",
  faultMinimumLength: "Enter at least {min} characters.",
  faultControlCharacters: "Some of these characters cannot be used.",
  faultEmail: "Enter an email address, such as ada@example.org.",
  faultPhone: "Enter a phone number. If it is from another country, begin with + and the country code.",
  faultUrl: "Enter a web address, such as example.org.",
  faultDate: "Enter a date.",
  faultTime: "Enter a time.",
  faultDateTime: "Enter a date and a time.",
  faultNotFuture: "Choose a date that is not in the future.",
  faultNotPast: "Choose a date that is not in the past.",
  faultMaximumOptions: "Choose at most {max}.",
  faultImage: "Choose a picture.",
  faultImageTypes: "Choose a picture of another type: {types}.",
  faultImageBytes: "Choose a smaller picture, of at most {max}.",
  faultPlace: "Choose a place from the list.",
};

/** @typedef {import("../../shared/problems.js").Fault} Fault */
/** @typedef {Fault | undefined} Found */

const marks = "[.:=#,;\\s]*";
const words = "(?:x|х|extensi[oó]n|extn?|int|anexo|доб|durchwahl|poste)";
const space =
  "[\\s()[\\]./~‐‑‒–—―−－．／（）［］\\u00AD\\u200B\\u2060\\u200E\\u200F\\u202A-\\u202C\\u2066\\u2067\\u2069-]*";
/** A phone number with punctuation, and its extension. */
const phoneForm = new RegExp(
  `^(?:tel:)?${space}[+＋]?((?:${space}\\p{Nd})+)${space}(?:(?:[:=#,;]${marks}${words}?|${words})${marks}\\p{Nd}{1,20})?$`,
  "iu",
);
/** The digits of a number, with the longest prefix of a call to another country. */
const phoneDigits = { min: 4, max: 19 };

/** The bounds that a field has. @param {API.Part} field @param {{[name: string]: string[]}} names the keys of each */
function boundsOf(field, names) {
  /** @type {{[name: string]: any}} */
  const bounds = {};
  for (const [name, keys] of Object.entries(names)) {
    const bound = keys.map((key) => keyOf(field, key)).find((value) => value !== undefined && value !== null);
    if (bound !== undefined) bounds[name] = bound;
  }
  return bounds;
}

/** @param {API.Part} field @param {string} text @returns {Found} */
function length(field, text) {
  const bounds = boundsOf(field, { min: ["min_length"], max: ["max_length"] });
  const count = [...text].length;
  if (count < bounds.min) return { code: "range", reason: "minimumLength", bounds };
  return count > bounds.max ? { code: "too_long", reason: "maximumLength", bounds } : undefined;
}

/** @param {string} text */
function isEmail(text) {
  const [name, domain = "", ...more] = text.trim().split("@");
  const labels = domain.split(".");
  return name !== "" && more.length === 0 && labels.length > 1 && labels.every(Boolean) && !/\s/.test(text.trim());
}

/** @param {string} text */
function isPhone(text) {
  const digits = phoneForm.exec(text)?.[1].match(/\p{Nd}/gu)?.length ?? 0;
  return text.length <= 100 && digits >= phoneDigits.min && digits <= phoneDigits.max;
}

/** @param {string} text */
function isAddress(text) {
  const address = text.trim();
  if (/\s/.test(address)) return false;
  if (/^https?:\/\//i.test(address)) return /^https?:\/\/[^/?#]/i.test(address);
  const host = /^([^/?#:]+)(?::\d+)?(?=[/?#]|$)/.exec(address)?.[1] ?? "";
  const labels = host.split(".");
  return labels.length > 1 && labels.every((label) => /^(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)$/u.test(label)) &&
    /\p{L}/u.test(labels[labels.length - 1]);
}

/** @param {boolean} isRight @param {string} reason @returns {Found} */
const formed = (isRight, reason) => isRight ? undefined : { code: "pattern", reason };

/** @param {API.Part} field @param {any} value @param {boolean} [isWhole] @returns {Found} */
function number(field, value, isWhole = false) {
  if (typeof value !== "number") return { code: "type", reason: "number" };
  if (isWhole && !Number.isInteger(value)) return { code: "type", reason: "wholeNumber" };
  const bounds = boundsOf(field, { min: ["min_value", "min"], max: ["max_value", "max"], step: ["step"] });
  if (value < bounds.min) return { code: "range", reason: "minimum", bounds };
  if (value > bounds.max) return { code: "range", reason: "maximum", bounds };
  const { max } = boundsOf(field, { max: ["decimal_places"] });
  const scaled = value * 10 ** max;
  const isFine = max === undefined || Math.abs(scaled - Math.round(scaled)) <= 1e-9 * Math.max(1, Math.abs(scaled));
  return isFine ? undefined : { code: "rule", reason: "decimalPlaces", bounds: { max } };
}

/** Times are compared as texts. A bound that is only a day includes the whole day. @param {API.Part} field @param {any} value @returns {Found} */
function time(field, value) {
  const bounds = boundsOf(field, { min: ["min_date"], max: ["max_date"] });
  if (value < bounds.min) return { code: "range", reason: "minimumDate", bounds };
  return value.slice(0, bounds.max?.length) > bounds.max ? { code: "range", reason: "maximumDate", bounds } : undefined;
}

/** @type {{[type: string]: (field: any, value: any) => Found}} */
const types = {
  text: length,
  textarea: length,
  password: length,
  email: (field, text) => length(field, text) ?? formed(isEmail(text), "email"),
  phone: (_, text) => formed(isPhone(text), "phone"),
  url: (field, text) =>
    length(field, text) ?? formed(keyOf(field, "validate_format") === false || isAddress(text), "url"),
  number,
  stepper: (field, value) => number(field, value, true),
  date: time,
  time,
  datetime: time,
};

/**
 * The first fault of an answer; undefined if this part finds none.
 * @param {API.Part} field
 * @param {any} value
 * @returns {Found}
 */
export function faultOf(field, value) {
  const type = String(field.type).replace(/^input_/, "");
  return value === undefined || !Object.hasOwn(types, type) ? undefined : types[type](field, value);
}
