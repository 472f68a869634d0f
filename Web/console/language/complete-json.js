// The completions at a position in the text of a document: the keys of the object there, and the words of a value.

import { parse, valueOf } from "../document/cst.js";

/**
 * @typedef {import("../document/cst.js").Node} Node
 * @typedef {import("./complete.js").Completions} Completions
 * @typedef {{keys: string[], node: Node, isKey: boolean, object?: Node}} Place a text in a document: the keys of its value,
 *   and the object of which it is a key
 */

const maximumItems = 50;

/** The text at a position. @param {Node} node @param {number} caret @param {string[]} keys @returns {Place | undefined} */
function textAt(node, caret, keys) {
  const holds = (/** @type {Node} */ { start, end }) => start < caret && caret <= end;
  for (const { key, value } of node.members ?? []) {
    if (holds(key)) return { keys, node: key, isKey: true, object: node };
    if (holds(value)) return textAt(value, caret, [...keys, String(key.value)]);
  }
  for (const [place, item] of (node.items ?? []).entries()) {
    if (holds(item)) return textAt(item, caret, [...keys, String(place)]);
  }
  return node.kind === "string" ? { keys, node, isKey: false } : undefined;
}

/**
 * @param {string} text @param {number} caret @param {import("../forms/schema.js").Format} format
 * @returns {Completions}
 */
export function completeJSON(text, caret, format) {
  const { root } = parse(text);
  const place = textAt(root, caret, []);
  if (!place) return { from: caret, to: caret, items: [] };
  const { keys, node, isKey, object } = place;
  const typed = text.slice(node.start + 1, caret).toLowerCase();
  const parts = format.partsAt(keys, valueOf(root));
  const present = new Set(
    object?.members?.map(({ key }) => key).filter((key) => key !== node).map(({ value }) => value),
  );
  const words = isKey
    ? parts.flatMap(({ properties = {} }) => Object.entries(properties))
      .filter(([key]) => !present.has(key)).map(([key, part]) => ({ word: key, detail: format.sentenceOf(part) }))
    : parts.flatMap(({ enum: words = [] }) => words).map((word) => ({ word: String(word), detail: "" }));
  const isClosed = text[node.end - 1] === '"' && node.end - node.start > 1;
  const items = [...new Map(words.map((one) => [one.word, one])).values()]
    .filter(({ word }) => word.toLowerCase().includes(typed) && word.toLowerCase() !== typed)
    .toSorted((left, right) => left.word.toLowerCase().indexOf(typed) - right.word.toLowerCase().indexOf(typed))
    .slice(0, maximumItems)
    .map(({ word, detail }) => {
      const insert = JSON.stringify(word);
      return { label: word, insert, caret: insert.length, kind: /** @type {const} */ ("word"), source: detail };
    });
  // An open text ends at the caret.
  return { from: node.start, to: isClosed ? node.end : caret, items };
}
