// Turns a document into another value by edits of what differs, so that the rest of its text stays.

import { difference, isObject } from "./difference.js";
import { isSame, JSONDocument } from "./document.js";
import { below } from "./pointers.js";

/**
 * The text of a document that is laid out as `text` and has another value.
 * @param {string} text
 * @param {unknown} value
 * @returns {string}
 */
export function patched(text, value) {
  const document = new JSONDocument(text);
  become(document, "", value);
  return document.text;
}

/** @param {JSONDocument} document @param {string} pointer @param {unknown} value */
function become(document, pointer, value) {
  const now = document.get(pointer);
  if (isSame(now, value)) return;
  if (isObject(now) && isObject(value)) {
    for (const key of Object.keys(now)) if (!Object.hasOwn(value, key)) document.remove(below(pointer, key));
    for (const [key, item] of Object.entries(value)) become(document, below(pointer, key), item);
    return;
  }
  const isList = Array.isArray(now) && Array.isArray(value);
  if (isList && now.length === value.length && difference(now, value, pointer).every(({ kind }) => kind !== "moved")) {
    value.forEach((item, place) => become(document, below(pointer, place), item));
    return;
  }
  document.set(pointer, value);
}
