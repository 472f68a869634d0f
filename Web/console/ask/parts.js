// The parts that the dialects share: values that a row can show, and rows over the members of a document.

import { isObject } from "../../shared/comparison.js";

/**
 * @typedef {import("./dialects.js").Part} Part
 * @typedef {import("./dialects.js").Group} Group
 * @typedef {import("./dialects.js").Row} Row
 */

/** @param {any} raw @returns {import("./dialects.js").Locked} */
export const locked = (raw) => ({ kind: "locked", raw });

/** @param {"all" | "any"} join @param {Part[]} parts @param {any} [raw] @returns {Group} */
export const group = (join, parts, raw) => ({ kind: "group", join, parts, raw });

/** A condition that is shown as a whole and cannot be edited. @param {any} raw */
export const whole = (raw) => group("all", [locked(raw)]);

/** @param {string} subject @param {string} comparison @param {any} value @param {any} raw @returns {Row} */
export function row(subject, comparison, value, raw) {
  return value === undefined ? { kind: "row", subject, comparison, raw } : {
    kind: "row",
    subject,
    comparison,
    value,
    raw,
  };
}

/** @param {any} value */
export const isPlain = (value) => ["string", "number", "boolean"].includes(typeof value);

/** Whether a value is a list that a field with commas can show. @param {any} value */
const isList = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isPlain(item) && !String(item).includes(","));

/** Whether a value is a range, in which one bound may be open. @param {any} value */
const isRange = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((item) => item === null || typeof item === "number") &&
  value.some((item) => item !== null);

/** Whether a row can show a value of a comparison. @param {string} comparison @param {any} value */
export function fits(comparison, value) {
  if (comparison === "in" || comparison === "notIn") return isList(value);
  return comparison === "between" ? isRange(value) : isPlain(value);
}

/**
 * The word of a dialect for a comparison. The document's word stays if it means the same.
 * @param {Record<string, string>} words the words and their comparisons; the first of a comparison is preferred
 * @param {string} comparison @param {any} now
 */
export function wordFor(words, comparison, now) {
  if (typeof now === "string" && words[now] === comparison) return now;
  return Object.keys(words).find((word) => words[word] === comparison) ?? comparison;
}

/** @param {any} raw @param {Record<string, any>} values `undefined` removes a key @returns {any} */
export function over(raw, values) {
  const made = { ...(isObject(raw) ? raw : {}), ...values };
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
}
