// The comparison of two JSON values (docs/reference/surveys.md#comparison). Null counts as absent everywhere.

/** A JSON value. @typedef {any} Json */
/** @typedef {{[key: string]: Json}} JsonObject */
/** @typedef {"strict" | "text" | "number" | "auto" | "exact" | "textAndNumbers"} Comparison */

/** @param {unknown} value @returns {value is JsonObject} */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A member of an object; undefined if it is absent or null.
 * @param {unknown} object
 * @param {string} key
 * @returns {any}
 */
export function member(object, key) {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] ?? undefined : undefined;
}

/** @param {unknown} object @param {string} key @returns {string | undefined} */
export function textMember(object, key) {
  const value = member(object, key);
  return typeof value === "string" ? value : undefined;
}

const numberText = /^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/;

/**
 * The number that a value is or that its text contains.
 * @param {unknown} value
 * @returns {number | undefined}
 */
function numericValue(value) {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !numberText.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** @param {number} number */
function canonicalNumber(number) {
  if (Number.isInteger(number) && Math.abs(number) < 2 ** 63) return BigInt(number).toString();
  const size = Math.abs(number);
  return size >= 2 ** 63 || size < 1e-5 ? number.toExponential().replace("+", "") : String(number);
}

/**
 * The order by code points, which differs from the order by UTF-16 code units.
 * @param {string} left
 * @param {string} right
 */
function codePointOrder(left, right) {
  const [a, b] = [[...left], [...right]];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = /** @type {number} */ (a[index].codePointAt(0)) - /** @type {number} */
      (b[index].codePointAt(0));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** @param {Json} value @returns {string} */
function compactJson(value) {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(",")}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort(codePointOrder);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${compactJson(value[key])}`).join(",")}}`;
  }
  return typeof value === "number" ? canonicalNumber(value) : JSON.stringify(value);
}

/**
 * `true`, `5`, `2.5`, an unchanged text, and arrays and objects as compact JSON with sorted keys.
 * @param {Json} value
 */
export function canonicalText(value) {
  return typeof value === "string" ? value : compactJson(value);
}

/** Whether two values are equal in type and value. @param {Json} left @param {Json} right @returns {boolean} */
function isSame(left, right) {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
  }
  return left === right;
}

/** @param {Comparison} comparison @param {Json} left @param {Json} right @returns {boolean} */
export function areEqual(comparison, left, right) {
  if (comparison === "strict") return isSame(left, right);
  if (comparison === "text" || comparison === "textAndNumbers") return canonicalText(left) === canonicalText(right);
  if (comparison === "exact" && typeof left === "string" && typeof right === "string") return left === right;
  const [a, b] = [numericValue(left), numericValue(right)];
  if (a !== undefined && b !== undefined) return a === b;
  return comparison !== "number" && canonicalText(left) === canonicalText(right);
}

/** The number of a value for an ordered comparison. @param {Comparison} comparison @param {Json} value */
export function orderedNumber(comparison, value) {
  if (comparison === "textAndNumbers") return typeof value === "number" ? value : undefined;
  return numericValue(value);
}
