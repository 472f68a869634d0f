// The differences between two documents. Items of lists are identified by their id, slug, featureId or key, not by
// their index.

import { isSame } from "./document.js";
import { below } from "./pointers.js";

/**
 * @typedef {{kind: "added" | "removed" | "changed" | "moved", pointer: string, before?: unknown, after?: unknown,
 *   from?: number, to?: number}} Change
 * `pointer` is a pointer of the newer document, or of the older one for a removed value. `from` and `to` are indexes of
 * an item that moved.
 */

const names = ["id", "slug", "featureId", "key"];

/**
 * The name of each item of a list; undefined unless every item has a unique name.
 * @param {unknown[]} list
 * @returns {string[] | undefined}
 */
export function identities(list) {
  for (const name of names) {
    const found = list.map((item) => isObject(item) && typeof item[name] === "string" ? item[name] : undefined);
    if (found.every((id) => id !== undefined) && new Set(found).size === found.length) {
      return /** @type {string[]} */ (found);
    }
  }
  return undefined;
}

/**
 * @param {unknown} before
 * @param {unknown} after
 * @param {string} [pointer]
 * @returns {Change[]} in the order of the newer document; removed values are last in their object or list
 */
export function difference(before, after, pointer = "") {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) return objects(before, after, pointer);
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, new_] = [identities(before), identities(after)];
    if (old && new_) return lists(before, after, old, new_, pointer);
  }
  return [{ kind: "changed", pointer, before, after }];
}

/**
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 * @param {string} pointer
 */
function objects(before, after, pointer) {
  /** @type {Change[]} */
  const changes = [];
  for (const [key, value] of Object.entries(after)) {
    const place = below(pointer, key);
    if (Object.hasOwn(before, key)) changes.push(...difference(before[key], value, place));
    else changes.push({ kind: "added", pointer: place, after: value });
  }
  for (const [key, value] of Object.entries(before)) {
    if (!Object.hasOwn(after, key)) changes.push({ kind: "removed", pointer: below(pointer, key), before: value });
  }
  return changes;
}

/**
 * @param {unknown[]} before
 * @param {unknown[]} after
 * @param {string[]} old
 * @param {string[]} new_
 * @param {string} pointer
 */
function lists(before, after, old, new_, pointer) {
  /** @type {Change[]} */
  const changes = [];
  const stay = longestRising(new_.map((id) => old.indexOf(id)));
  new_.forEach((id, place) => {
    const from = old.indexOf(id);
    const at = below(pointer, place);
    if (from < 0) return changes.push({ kind: "added", pointer: at, after: after[place] });
    if (!stay.has(place)) changes.push({ kind: "moved", pointer: at, from, to: place, after: after[place] });
    changes.push(...difference(before[from], after[place], at));
  });
  old.forEach((id, place) => {
    if (!new_.includes(id)) changes.push({ kind: "removed", pointer: below(pointer, place), before: before[place] });
  });
  return changes;
}

/**
 * The indexes of a longest rising subsequence: these items stay while the others move. Values below 0 are left out.
 * @param {number[]} values
 * @returns {Set<number>}
 */
function longestRising(values) {
  /** @type {number[]} The index of the smallest end of a subsequence, by its length minus one. */
  const ends = [];
  /** @type {number[]} */
  const previous = [];
  values.forEach((value, place) => {
    if (value < 0) return;
    let length = ends.findIndex((end) => values[end] >= value);
    if (length < 0) length = ends.length;
    previous[place] = length > 0 ? ends[length - 1] : -1;
    ends[length] = place;
  });
  const places = new Set();
  for (let place = ends[ends.length - 1] ?? -1; place >= 0; place = previous[place]) places.add(place);
  return places;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
