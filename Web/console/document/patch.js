// Changes a document to another value by edits of the differences only. The rest of its text stays.

import { difference, isObject } from "./difference.js";
import { isSame, JSONDocument } from "./document.js";
import { below } from "./pointers.js";

/**
 * The text of a document with another value and the layout of `text`.
 * @param {string} text
 * @param {unknown} value
 * @returns {string}
 */
export function patched(text, value) {
  const document = new JSONDocument(text);
  become(document, "", value);
  return document.text;
}

/**
 * Gives a pointer of a document another value, as one step of its history.
 * @param {JSONDocument} document
 * @param {string} pointer
 * @param {unknown} value undefined removes it
 * @param {string} [place] as in `JSONDocument.replaceText`
 */
export function change(document, pointer, value, place = "") {
  if (!document.isSound) return;
  const copy = new JSONDocument(document.text);
  become(copy, pointer, value);
  document.replaceText(copy.text, Date.now(), place);
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
  if (isList && difference(now, value, pointer).every(({ kind }) => kind !== "moved")) {
    return becomeList(document, pointer, now, value);
  }
  document.set(pointer, value);
}

/**
 * Keeps the equal items at both ends. Between them, it changes as many items as both lists have, and removes or
 * adds the rest.
 * @param {JSONDocument} document @param {string} pointer @param {unknown[]} now @param {unknown[]} value
 */
function becomeList(document, pointer, now, value) {
  const shorter = Math.min(now.length, value.length);
  let start = 0;
  while (start < shorter && isSame(now[start], value[start])) start += 1;
  let tail = 0;
  while (tail < shorter - start && isSame(now[now.length - 1 - tail], value[value.length - 1 - tail])) tail += 1;
  const [end, wanted] = [now.length - tail, value.length - tail];
  for (let place = end - 1; place >= Math.max(wanted, start); place -= 1) document.remove(below(pointer, place));
  for (let place = start; place < wanted; place += 1) {
    if (place < end) become(document, below(pointer, place), value[place]);
    else document.insert(below(pointer, place), value[place]);
  }
}
