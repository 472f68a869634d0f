// The completions at a position in the text of a document: the keys of the object there, and the words of a value.

/**
 * @typedef {import("../document/cst.js").Node} Node
 * @typedef {import("./complete.js").Completions} Completions
 * @typedef {{keys: string[], above: Node[], node: Node, isKey: boolean}} Place a text in a document: the keys of the value,
 *   or of the object of which it is a key, and the values above
 */

const maximumItems = 50;

/** The text at a position. @param {Node} node @param {number} caret @param {string[]} keys @param {Node[]} above @returns {Place | undefined} */
function textAt(node, caret, keys, above) {
  const holds = (/** @type {Node} */ { start, end }) => start < caret && caret <= end;
  for (const { key, value } of node.members ?? []) {
    if (holds(key)) return { keys, above: [...above, node], node: key, isKey: true };
    if (holds(value)) return textAt(value, caret, [...keys, String(key.value)], [...above, node]);
  }
  for (const [place, item] of (node.items ?? []).entries()) {
    if (holds(item)) return textAt(item, caret, [...keys, String(place)], [...above, node]);
  }
  return node.kind === "string" ? { keys, above, node, isKey: false } : undefined;
}

/** The texts of an object, from which its type follows. @param {Node} node */
const textsOf = ({ members = [] }) =>
  Object.fromEntries(members.map(({ key, value }) => [String(key.value), value.kind === "string" ? value.value : {}]));

/**
 * @param {import("../document/document.js").JSONDocument} document @param {number} caret
 * @param {import("../forms/schema.js").Format} format
 * @returns {Completions}
 */
export function completeJSON(document, caret, format) {
  const { text, tree } = document;
  const place = textAt(tree, caret, [], []);
  if (!place) return { from: caret, to: caret, items: [] };
  const { keys, above, node, isKey } = place;
  const typed = text.slice(node.start + 1, caret).toLowerCase();
  const parts = format.partsAt(keys, above.map(textsOf));
  const present = new Set(above.at(-1)?.members?.filter(({ key }) => key !== node).map(({ key }) => key.value));
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
