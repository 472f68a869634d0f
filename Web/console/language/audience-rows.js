// An expression as rows "subject, comparison, value", and back. What rows cannot say stays as it is written, and is
// locked. `&&` and `||` have one precedence and are read from the left (docs/reference/expressions.md#grammar).

import { list, quoted } from "../texts.js";
import { bareNode, isGuarded, rowOf, textOf } from "./audience-leaves.js";
import { parse } from "./jexl.js";
import { inWords } from "./words.js";

/**
 * @typedef {import("./jexl.js").Node} Node
 * @typedef {import("./types.js").Vocabulary} Vocabulary
 * @typedef {import("../ask/dialects.js").Group} Group
 * @typedef {import("../ask/dialects.js").Part} Part
 * @typedef {import("../ask/dialects.js").Row} Row
 * @typedef {{text: string, before: string, isOpen: boolean, said?: string}} Raw the source of a part: its text, the
 *   text between the part before and this one, and what it says. An open part has `&&` or `||` without brackets.
 * @typedef {{before: string, open: string, close: string}} Brackets the source of a group: the texts around it
 */

/** @type {Record<string, "all" | "any">} */
const joins = { "&&": "all", "||": "any" };
const signs = { all: "&&", any: "||" };

/** @param {Node} node @returns {node is Extract<Node, {kind: "binary"}>} */
const isLogic = (node) => node.kind === "binary" && node.operator in joins;

/** @param {{subject: string, comparison: string, value?: any}} row */
const saidBy = ({ subject, comparison, value }) => JSON.stringify([subject, comparison, value]);

/**
 * The rows of an expression. A group without rows holds for everybody.
 * @param {unknown} expression
 * @param {Vocabulary} vocabulary its attributes tell which names are true or false
 * @returns {Group}
 */
export function read(expression, vocabulary) {
  if (expression === undefined || expression === null) return { kind: "group", join: "all", parts: [] };
  const text = String(expression);
  const { tree } = parse(text);
  const isAlways = text.trim() === "" || (tree?.kind === "literal" && tree.value === true);
  if (typeof expression === "string" && isAlways) return { kind: "group", join: "all", parts: [], raw: { text } };
  if (typeof expression !== "string" || !tree) {
    return {
      kind: "group",
      join: "all",
      parts: [{ kind: "locked", raw: { text: expression, before: "", isOpen: true } }],
    };
  }
  const node = isLogic(bareNode(tree)) ? bareNode(tree) : tree;
  const { join, parts } = new Reader(text, vocabulary).group(node, true);
  return {
    kind: "group",
    join,
    parts,
    raw: { before: "", open: text.slice(0, node.start), close: text.slice(node.end) },
  };
}

class Reader {
  /** @param {string} text @param {Vocabulary} vocabulary */
  constructor(text, vocabulary) {
    this.text = text;
    this.vocabulary = vocabulary;
  }

  /** @param {Node} node @param {boolean} isOutermost groups are read one level deep @returns {{join: "all" | "any", parts: Part[]}} */
  group(node, isOutermost) {
    const operands = isLogic(node) && !node.inner ? operandsOf(node) : [node];
    const join = isLogic(node) && !node.inner ? joins[node.operator] : "all";
    /** @type {Part[]} */
    const parts = [];
    for (let place = 0; place < operands.length; place += 1) {
      const before = place === 0 ? "" : this.text.slice(operands[place - 1].end, operands[place].start);
      const guard = join === "all" && this.guard(operands[place], operands[place + 1]);
      if (guard) {
        const text = this.text.slice(operands[place].start, operands[place + 1].end);
        parts.push({ kind: "row", ...guard, raw: { text, before, isOpen: true, said: saidBy(guard) } });
        place += 1;
      } else parts.push(this.part(operands[place], before, isOutermost));
    }
    return { join, parts };
  }

  /** @param {Node} node @param {string} before @param {boolean} isOutermost @returns {Part} */
  part(node, before, isOutermost) {
    const text = this.text.slice(node.start, node.end);
    const bare = bareNode(node);
    const isOpen = isLogic(node) && !node.inner;
    const row = isLogic(bare) ? this.pair(bare) : rowOf(bare, this.vocabulary);
    if (row) return { kind: "row", ...row, raw: { text, before, isOpen, said: saidBy(row) } };
    if (!isLogic(bare) || !isOutermost) return { kind: "locked", raw: { text, before, isOpen } };
    const [open, close] = [this.text.slice(node.start, bare.start), this.text.slice(bare.end, node.end)];
    return { kind: "group", ...this.group(bare, false), raw: { before, open, close } };
  }

  /** The row of `answer.NAME != null && …` in brackets. @param {Extract<Node, {kind: "binary"}>} node */
  pair(node) {
    return node.operator === "&&" ? this.guard(node.left, node.right) : undefined;
  }

  /** The row of two parts, of which the first asks whether there is an answer. @param {Node} first @param {Node | undefined} second */
  guard(first, second) {
    const guard = rowOf(first, this.vocabulary);
    if (guard?.comparison !== "answered") return undefined;
    const row = second && rowOf(second, this.vocabulary);
    return row && row.subject === guard.subject && isGuarded(row) ? row : undefined;
  }
}

/** The operands of a chain with one operator. @param {Extract<Node, {kind: "binary"}>} node @returns {Node[]} */
function operandsOf(node) {
  const operands = [node.right];
  let rest = node.left;
  while (isLogic(rest) && !rest.inner && rest.operator === node.operator) {
    operands.unshift(rest.right);
    rest = rest.left;
  }
  return [rest, ...operands];
}

/**
 * The expression of rows. Parts that were not changed keep their text, and so does what stands between them.
 * @param {Group} group
 * @returns {any} undefined if the group has no rows
 */
export function write(group) {
  if (group.parts.length === 0) return group.raw?.text;
  const [first] = group.parts;
  if (group.parts.length === 1 && first.kind === "locked") return around(group.raw, first.raw.text);
  return around(group.raw, composed(group));
}

/** @param {Brackets | undefined} raw @param {string} text */
const around = (raw, text) => raw?.open === undefined ? text : raw.open + text + raw.close;

/** @param {Group} group @returns {string} */
function composed(group) {
  const sign = signs[group.join];
  return group.parts.map((part, place) => {
    const before = part.raw?.before?.trim() === sign ? part.raw.before : ` ${sign} `;
    return (place === 0 ? "" : before) + piece(part, group, place);
  }).join("");
}

/** @param {Part} part @param {Group} outer @param {number} place @returns {string} */
function piece(part, outer, place) {
  if (part.kind === "group") {
    // The first operand needs no brackets if its operator differs.
    const isBare = part.raw?.open === "" && place === 0 && part.parts.length > 1 && part.join !== outer.join;
    return isBare ? composed(part) : `${part.raw?.open || "("}${composed(part)}${part.raw?.close || ")"}`;
  }
  if (part.kind === "locked") return part.raw.isOpen && place > 0 ? `(${part.raw.text})` : part.raw.text;
  const { text, isOpen, isNew } = source(part);
  const isAlone = outer.join === "all" || outer.parts.length === 1 || (place === 0 && !isNew);
  return isOpen && !isAlone ? `(${text})` : text;
}

/** @param {Row} row @returns {{text: string, isOpen: boolean, isNew: boolean}} */
function source(row) {
  /** @type {Raw | undefined} */
  const raw = row.raw;
  if (raw?.said === saidBy(row)) return { ...raw, isNew: false };
  const text = textOf(row);
  const isOpen = isGuarded(row);
  return { text: isOpen ? `${row.subject} != null && ${text}` : text, isOpen, isNew: true };
}

/** Rows in words. @param {Group} group @returns {string} "" for everybody */
export function rowsInWords({ join, parts }) {
  const words = parts.map((part) => {
    if (part.kind === "group") return `(${rowsInWords(part)})`;
    const text = part.kind === "row" ? textOf(part) : String(part.raw.text);
    const { tree } = parse(text);
    return (tree && inWords(tree)) ?? quoted(text);
  });
  return list(words, join === "all" ? "conjunction" : "disjunction");
}

/** The comparisons that rows offer for each kind of subject. @type {Record<string, string[]>} */
const offers = {
  text: ["is", "not", "in", "notIn", "contains", "containsNot"],
  number: ["least", "most", "above", "below", "is", "not"],
  boolean: ["is"],
  choices: ["contains", "containsNot"],
  version: ["versionLeast", "versionBelow", "versionAbove", "versionMost", "versionIs"],
  member: ["inside", "outside"],
  event: ["timesLeast", "timesMost", "timesIs", "never", "within", "ago", "happened", "happenedNot", "after"],
  fact: ["is", "not", "least", "most", "in", "notIn", "contains", "answered", "empty"],
  share: ["share"],
};

/**
 * The dialect of expressions. Its subjects are attributes, `segment.NAME`, `list.NAME`, `answer.NAME`, `event:NAME`
 * and a share of the clients.
 * @param {Vocabulary} vocabulary
 * @returns {import("../ask/dialects.js").Dialect}
 */
export const audienceDialect = (vocabulary) => ({
  nests: true,
  most: Infinity,
  offers,
  read: (expression) => read(expression, vocabulary),
  write,
  words: rowsInWords,
  show: ({ text }) => String(text),
});

/** Whether rows say at least a part of an expression. @param {Group} group @returns {boolean} */
export const isReadable = ({ parts }) =>
  parts.length === 0 || parts.some((part) => part.kind === "row" || (part.kind === "group" && isReadable(part)));
