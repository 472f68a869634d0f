// Tests of conditions: a value, an operation, and an operand. The differences between dialects are options of a test,
// as in the daemon's library.
import { areEqual, canonicalText, isObject, member, orderedNumber, textMember } from "../comparison.js";
import { canonicalTag } from "../languages.js";
import { compareVersions } from "./versions.js";

/** @typedef {import("../comparison.js").Json} Json */
/** @typedef {import("../comparison.js").JsonObject} JsonObject */
/** @typedef {import("../comparison.js").Comparison} Comparison */
/** @typedef {{name?: string, ids: string[], extra: JsonObject}} Predicate */
/** @typedef {(facts: any, predicate?: (question: Predicate) => boolean) => boolean} Compiled */
/** @typedef {{root: string, path: string[], textMember?: string}} Reference */
/** @typedef {(value: any, operand: any, options: TestOptions, facts: any) => boolean} Operation */
/**
 * @typedef {object} TestOptions
 * @property {Comparison} [comparison] default `auto`
 * @property {boolean} [negated] inverts the operation, but not the effect of `missing`
 * @property {"fails" | "holds" | "emptyText" | "equalsMissing"} [missing]
 * @property {boolean} [aliases] an option's id and its value count as equal
 */

/** The error for an unreadable condition of the dialect `core`. */
export class ConditionError extends Error {}

/** @type {Compiled} */
export const always = () => true;
/** @type {Compiled} */
export const never = () => false;

/** @param {Compiled[]} parts @returns {Compiled} */
export const all = (parts) => (facts, predicate) => parts.every((part) => part(facts, predicate));
/** @param {Compiled[]} parts @returns {Compiled} */
export const any = (parts) => (facts, predicate) => parts.some((part) => part(facts, predicate));

/** @param {Reference} reference @param {any} facts @returns {any} */
export function valueOf(reference, facts) {
  let value = member(facts, reference.root);
  if (reference.root === "now") value = value === undefined ? value : Math.trunc(Date.parse(value) / 1000);
  for (const key of reference.path) value = member(value, key);
  if (reference.textMember !== undefined && isObject(value)) {
    const isOfTexts = Object.values(value).every((item) => typeof item === "string");
    if (isOfTexts) value = member(value, reference.textMember);
  }
  return value;
}

/**
 * One test. `operand` is a value; for a reference, it is a function of the facts.
 * @param {Reference} reference
 * @param {Operation} operation
 * @param {Json | undefined | ((facts: any) => Json | undefined)} operand
 * @param {TestOptions} [options]
 * @returns {Compiled}
 */
export function test(reference, operation, operand, options = {}) {
  const { negated = false, missing = negated ? "holds" : "fails" } = options;
  return (facts) => {
    let value = valueOf(reference, facts);
    if (operation === exists || operation === isEmptyText || operation === isEmpty) {
      return operation(value, undefined, options, facts) !== negated;
    }
    const other = (typeof operand === "function" ? operand(facts) : operand) ?? undefined;
    if (value === undefined) {
      if (missing === "holds" || missing === "fails") return missing === "holds";
      if (missing === "equalsMissing") return (other === undefined) !== negated;
      value = "";
    }
    return (other !== undefined && operation(value, other, options, facts)) !== negated;
  };
}

/** @type {Operation} */
export const exists = (value) => value !== undefined;
/** @type {Operation} */
export const isEmptyText = (value) => value === undefined || value === "";
/** @type {Operation} */
export const isEmpty = (value) =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** @type {Operation} */
export function equals(value, operand, { comparison = "auto", aliases = false }, facts) {
  if (areEqual(comparison, value, operand)) return true;
  if (!aliases || typeof operand !== "string") return false;
  const options = member(facts, "options");
  return Array.isArray(options) && options.some((option) => {
    const [id, name] = [textMember(option, "id"), textMember(option, "value")];
    if (id === undefined || name === undefined) return false;
    return (id === operand && areEqual(comparison, value, name)) ||
      (name === operand && areEqual(comparison, value, id));
  });
}

/** @type {Operation} */
export const equalsOrHasMember = (value, operand, options, facts) =>
  Array.isArray(value)
    ? value.some((item) => equals(item, operand, options, facts))
    : equals(value, operand, options, facts);

/** @param {(left: number, right: number) => boolean} order @returns {Operation} */
const ordered = (order) => (value, operand, { comparison = "auto" }) => {
  const [left, right] = [orderedNumber(comparison, value), orderedNumber(comparison, operand)];
  return left !== undefined && right !== undefined && order(left, right);
};
export const greater = ordered((left, right) => left > right);
export const greaterOrEqual = ordered((left, right) => left >= right);
export const less = ordered((left, right) => left < right);
export const lessOrEqual = ordered((left, right) => left <= right);

/** @type {Operation} */
export function between(value, operand, { comparison = "auto" }) {
  const number = orderedNumber(comparison, value);
  if (number === undefined || !Array.isArray(operand) || operand.every((bound) => bound === null)) return false;
  return operand.slice(0, 2).every((bound, index) => {
    if (bound === null) return true;
    const limit = orderedNumber(comparison, bound);
    return limit !== undefined && (index === 0 ? number >= limit : number <= limit);
  });
}

/** @type {Operation} */
export const isMember = (value, operand, options, facts) =>
  Array.isArray(operand) && operand.some((item) => equals(value, item, options, facts));

/** The lower case of each character, independent of its neighbours. @param {string} text */
const lowerCase = (text) => [...text].map((character) => character.toLowerCase()).join("");

/** @param {{members?: boolean, texts?: "texts" | "canonical", ignoringCase?: boolean}} where @returns {Operation} */
export const contains = (where) => (value, operand, { comparison = "auto" }) => {
  if (where.members && Array.isArray(value)) return value.some((item) => areEqual(comparison, item, operand));
  if (!where.texts || (typeof value !== "string" && where.texts !== "canonical")) return false;
  if (comparison === "strict" && typeof operand !== "string") return false;
  const [text, part] = [canonicalText(value), canonicalText(operand)];
  return where.ignoringCase ? lowerCase(text).includes(lowerCase(part)) : text.includes(part);
};

/** @param {"every" | "some"} quantifier @returns {Operation} */
export const hasMembers = (quantifier) => (value, operand, { comparison = "auto" }) =>
  Array.isArray(value) && Array.isArray(operand) &&
  operand[quantifier]((item) => value.some((other) => areEqual(comparison, other, item)));

/** @type {Operation} */
export function isNamed(value, operand, { comparison = "auto" }) {
  const names = Array.isArray(operand)
    ? operand.map(canonicalText)
    : canonicalText(operand).split(",").filter((part) => part !== "").map((part) =>
      part.replace(/^[ \t]+|[ \t]+$/g, "")
    );
  return names.some((name) => areEqual(comparison, value, name));
}

/** @param {(text: string, operand: string) => boolean} holds @returns {Operation} */
const ofTexts = (holds) => (value, operand) =>
  typeof value === "string" && typeof operand === "string" && holds(value, operand);
export const startsWith = ofTexts((text, operand) => text.startsWith(operand));
export const endsWith = ofTexts((text, operand) => text.endsWith(operand));

/** @param {(order: number) => boolean} holds @returns {Operation} */
export const version = (holds) =>
  ofTexts((text, operand) => {
    const order = compareVersions(text, operand);
    return order !== undefined && holds(order);
  });

/** A text, or the texts of an array. @param {any} value @returns {string[]} */
export const textsOf = (value) =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** @type {Operation} */
export const localeIs = (value, operand) =>
  typeof value === "string" && textsOf(operand).some((text) => {
    const [own, wanted] = [canonicalTag(value), canonicalTag(text)];
    return own === wanted || own.startsWith(`${wanted}-`);
  });

/** @type {Operation} */
export const platformIs = (value, operand) =>
  typeof value === "string" && textsOf(operand).some((text) => lowerCase(value) === lowerCase(text));

/** A field of the current answers, or `step.field`. @param {string | undefined} key @returns {Reference} */
export function answerReference(key) {
  if (key === undefined) return { root: "nowhere", path: [] };
  const path = key.split(".");
  return { root: path.length > 1 ? "steps" : "answers", path };
}
