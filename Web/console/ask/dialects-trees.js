// The dialects with tree structure: `show_if`, and the project's own.

import { isObject, member, textMember } from "../../shared/comparison.js";
import { keysOf, pointerOf } from "../document/pointers.js";
import { fits, group, isPlain, locked, over, row, whole, wordFor } from "./parts.js";

/**
 * @typedef {import("./dialects.js").Dialect} Dialect
 * @typedef {import("./dialects.js").Part} Part
 * @typedef {import("./dialects.js").Group} Group
 * @typedef {{parts: any[], join: "all" | "any"}} Tree
 */

/** @type {Record<string, string>} */
const showIfWords = {
  equals: "is",
  "not equals": "not",
  "greater than": "above",
  "greater than or equal to": "least",
  "less than": "below",
  "less than or equal to": "most",
  contains: "contains",
  "not contains": "containsNot",
};

/** @type {Dialect} The dialect `show_if`. Its subjects are pointers: of a question, or of a row of its table. */
export const showIf = {
  nests: true,
  most: Infinity,
  offers: {
    choice: ["is", "not"],
    choices: ["contains", "containsNot"],
    number: ["least", "most", "above", "below", "is", "not"],
    text: ["is", "not"],
    boolean: ["is", "not"],
    date: ["is", "not"],
    other: [],
  },
  read: (condition) => readTree(condition, showIfTree, showIfRow),
  write: (group) =>
    writeTree(
      group,
      showIfLeaf,
      (join, parts, raw) => over(raw, { operation: join === "all" ? "and" : "or", subconditions: parts }),
    ),
};

/** @param {any} condition @returns {Tree | undefined} */
function showIfTree(condition) {
  const [parts, operation] = [member(condition, "subconditions"), member(condition, "operation")];
  if (textMember(condition, "id") !== undefined || !Array.isArray(parts)) return undefined;
  if (operation !== "and" && operation !== "or") return undefined;
  return { parts, join: operation === "and" ? "all" : "any" };
}

/** @param {any} raw @returns {Part} */
function showIfRow(raw) {
  const [id, subid, operation] = ["id", "subid", "operation"].map((key) => textMember(raw, key));
  const comparison = operation === undefined ? undefined : showIfWords[operation];
  if (id === undefined || comparison === undefined) return locked(raw);
  const subject = pointerOf(subid === undefined ? [id] : [id, subid]);
  const value = member(raw, "value");
  // A missing answer equals a missing value only.
  if (value === undefined && comparison === "is") return row(subject, "empty", undefined, raw);
  if (value === undefined && comparison === "not") return row(subject, "answered", undefined, raw);
  return isPlain(value) ? row(subject, comparison, value, raw) : locked(raw);
}

/** @param {import("./dialects.js").Row} row */
function showIfLeaf({ subject, comparison, value, raw }) {
  const [id, subid] = keysOf(subject);
  const known = { empty: "is", answered: "not" }[comparison] ?? comparison;
  return over(raw, { id, subid, operation: wordFor(showIfWords, known, raw?.operation), value });
}

/** @type {Record<string, string>} */
const coreWords = {
  eq: "is",
  neq: "not",
  gt: "above",
  gte: "least",
  lt: "below",
  lte: "most",
  between: "between",
  in: "in",
  not_in: "notIn",
  contains: "contains",
  not_contains: "containsNot",
  starts: "starts",
  ends: "ends",
  answered: "answered",
  empty: "empty",
  exists: "known",
};
const coreReference = /^(answer|step|attr|counter|session|hook|ledger)(\.[^.]+)+$/;

/** @type {Dialect} The project's own dialect. Its subjects are references. */
export const core = {
  nests: true,
  most: Infinity,
  offers: {
    choice: ["is", "not", "in", "notIn", "answered", "empty"],
    choices: ["contains", "containsNot", "answered", "empty"],
    number: ["least", "most", "above", "below", "is", "not", "between", "answered", "empty"],
    text: ["is", "not", "in", "notIn", "contains", "containsNot", "starts", "ends", "answered", "empty"],
    boolean: ["is", "not"],
    date: ["is", "not", "answered", "empty"],
    step: ["is", "not", "in", "notIn"],
    other: ["answered", "empty"],
  },
  read: (condition) => condition === true ? group("all", []) : readTree(condition, coreTree, coreRow),
  write: (group) => writeTree(group, coreLeaf, coreNode),
};

/** @param {any} condition @returns {Tree | undefined} */
function coreTree(condition) {
  const forms = ["all", "any", "not", "op"].filter((form) => isObject(condition) && Object.hasOwn(condition, form));
  const [join] = forms;
  if (forms.length !== 1 || (join !== "all" && join !== "any") || !Array.isArray(condition[join])) return undefined;
  return { parts: condition[join], join };
}

/** @param {"all" | "any"} join @param {any[]} parts @param {any} raw */
function coreNode(join, parts, raw) {
  return over(raw, { all: undefined, any: undefined, [join]: parts });
}

/** @param {any} raw @returns {Part} */
function coreRow(raw) {
  const [subject, op] = [textMember(raw, "ref"), textMember(raw, "op")];
  const comparison = op === undefined ? undefined : coreWords[op];
  const isKnown = subject !== undefined && (coreReference.test(subject) || subject === "run.previous_step");
  const isOther = ["value_ref", "compare", "on_missing", "not", "all", "any"].some((key) => Object.hasOwn(raw, key));
  if (comparison === undefined || !isKnown || isOther) return locked(raw);
  if (["answered", "empty", "known"].includes(comparison)) return row(subject, comparison, undefined, raw);
  return fits(comparison, raw.value) ? row(subject, comparison, raw.value, raw) : locked(raw);
}

/** @param {import("./dialects.js").Row} row */
function coreLeaf({ subject, comparison, value, raw }) {
  return over(raw, { ref: subject, op: wordFor(coreWords, comparison, raw?.op), value });
}

/**
 * @param {any} condition @param {(condition: any) => Tree | undefined} treeOf @param {(raw: any) => Part} leafOf
 * @returns {Group}
 */
function readTree(condition, treeOf, leafOf) {
  if (condition === undefined || condition === null) return group("all", []);
  const leaf = (/** @type {unknown} */ part) => isObject(part) ? leafOf(part) : locked(part);
  const tree = treeOf(condition);
  if (!tree) return group("all", [leaf(condition)]);
  // An empty "any" never holds, and rows cannot express that.
  if (tree.parts.length === 0 && tree.join === "any") return whole(condition);
  const parts = tree.parts.map((part) => {
    const inner = treeOf(part);
    if (!inner) return leaf(part);
    const isFlat = inner.parts.length > 0 && !inner.parts.some((part) => treeOf(part));
    return isFlat ? group(inner.join, inner.parts.map(leaf), part) : locked(part);
  });
  return group(tree.join, parts, condition);
}

/**
 * @param {Group} root @param {(row: import("./dialects.js").Row) => any} leaf
 * @param {(join: "all" | "any", parts: any[], raw: any) => any} node
 * @returns {any}
 */
function writeTree(root, leaf, node) {
  /** @type {(part: Part) => any} */
  const write = (part) =>
    part.kind === "group"
      ? node(part.join, part.parts.map(write), part.raw)
      : part.kind === "row"
      ? leaf(part)
      : part.raw;
  if (root.parts.length === 0) return undefined;
  // A single row needs no tree, unless the document already has one.
  if (root.parts.length === 1 && root.raw === undefined) return write(root.parts[0]);
  return node(root.join, root.parts.map(write), root.raw);
}
