// Expressions in words; only comparisons have words.

import { list, number, quoted, t } from "../texts.js";
import { parse, plainOf } from "./jexl.js";

/** @typedef {import("./jexl.js").Node} Node */

/** @type {Record<string, string>} */
const comparisons = { "==": "is", "!=": "not", ">=": "least", "<=": "most", ">": "more", "<": "less" };
/** The mirrored operators, for a literal on the left. @type {Record<string, string>} */
const mirrored = { ">=": "<=", "<=": ">=", ">": "<", "<": ">" };

/**
 * The parts of a conjunction, in their order; the whole expression if it is no conjunction.
 * @param {Node} tree
 * @returns {Node[]}
 */
export function conjuncts(tree) {
  /** @type {Node[]} */
  const parts = [];
  let rest = tree;
  while (rest.kind === "binary" && rest.operator === "&&") {
    parts.unshift(rest.right);
    rest = rest.left;
  }
  return [rest, ...parts];
}

/** @type {Record<string, "conjunction" | "disjunction">} */
const joins = { "&&": "conjunction", "||": "disjunction" };

/** Whom an expression lets in. @param {unknown} expression a document without one lets everybody in */
export function audienceInWords(expression) {
  const text = String(expression ?? "true");
  const { tree } = parse(text);
  if (!tree) return quoted(text);
  return tree.kind === "literal" && tree.value === true ? t("sentence.everybody") : whole(tree, text);
}

/** A node with all its parts in words; a part without words as it is written. @param {Node} node @param {string} text @returns {string} */
function whole(node, text) {
  if (node.inner) return whole(node.inner, text);
  const join = node.kind === "binary" && joins[node.operator];
  if (!join) return inWords(node) ?? quoted(text.slice(node.start, node.end));
  /** @type {Node[]} */
  const parts = [];
  /** @type {Node} */
  let rest = node;
  while (rest.kind === "binary" && joins[rest.operator] === join && !rest.inner) {
    parts.unshift(rest.right);
    rest = rest.left;
  }
  return list([rest, ...parts].map((part) => isJoined(part) ? `(${whole(part, text)})` : whole(part, text)), join);
}

/** @param {Node} node @returns {boolean} */
const isJoined = (node) => node.inner ? isJoined(node.inner) : node.kind === "binary" && node.operator in joins;

/** The segments that the expressions of a text read. @param {string} text @param {string[]} known */
export function segmentsIn(text, known) {
  const named = new Set([...text.matchAll(/\bsegment\.([a-z_][a-z0-9_]*)/g)].map(([, name]) => name));
  return known.filter((name) => named.has(name));
}

/** An expression in words. @param {Node} node @returns {string | undefined} undefined if there are no words for it */
export function inWords(node) {
  if (node.kind === "identifier") return t("jexl.true", { name: node.name });
  if (node.kind === "literal" && typeof node.value === "boolean") return t(node.value ? "jexl.always" : "jexl.never");
  if (audience(node)) return audience(node)?.(true);
  if (node.kind === "transform" && node.name === "bucketSample") return sample(node);
  if (node.kind === "transform") return order(node, true);
  if (node.kind !== "binary") return undefined;
  const { operator, left, right } = node;
  if (operator === "in") return membership(left, right, true);
  if (left.kind === "literal" && right.kind !== "literal") return compared(right, mirrored[operator] ?? operator, left);
  return compared(left, operator, right);
}

/**
 * The words for `segment.NAME` and `list.NAME`, if they are true or false; undefined for another expression.
 * @param {Node} node @returns {((isIn: boolean) => string) | undefined}
 */
function audience(node) {
  if (node.kind !== "member" || node.subject.kind !== "identifier") return undefined;
  const [word, { name }] = [node.subject.name, node];
  return word === "segment" || word === "list"
    ? (isIn) => t(`jexl.${word}.${isIn ? "in" : "out"}`, { name })
    : undefined;
}

/** @param {Node} left @param {string} operator @param {Node} right */
function compared(left, operator, right) {
  const word = comparisons[operator];
  const value = plainOf(right);
  if (!word || value === undefined) return undefined;
  const isEqual = typeof value === "boolean" && ["is", "not"].includes(word);
  if (left.kind === "binary" && left.operator === "in" && isEqual) {
    return membership(left.left, left.right, (word === "is") === value);
  }
  if (isEqual && audience(left)) return audience(left)?.((word === "is") === value);
  if (left.kind === "identifier" || left.kind === "member") {
    const name = nameOf(left);
    if (name === undefined) return undefined;
    if (value === null) return t(operator === "==" ? "jexl.unknown" : "jexl.known", { name });
    return t(`jexl.${word}`, { name, value: shown(value) });
  }
  if (left.kind === "transform" && isEqual) return order(left, (word === "is") === value);
  if (left.kind !== "transform" || typeof value !== "number") return undefined;
  if (left.name === "versionCompare") return version(left, operator, value);
  return event(left, word, value);
}

/** @param {Extract<Node, {kind: "transform"}>} node @param {string} operator @param {number} value */
function version(node, operator, value) {
  const [wanted] = node.items;
  const name = nameOf(node.subject);
  if (value !== 0 || name === undefined || wanted?.kind !== "literal") return undefined;
  return t(`jexl.${comparisons[operator]}`, { name, value: String(wanted.value).replace(/\.!$/, "") });
}

/** @param {Extract<Node, {kind: "transform"}>} node @param {string} word @param {number} value */
function event(node, word, value) {
  const { subject, items, name } = node;
  const literals = items.map((item) => item.kind === "literal" ? item.value : undefined);
  const [interval, count, start = 0] = literals;
  if (subject.kind !== "literal" || typeof interval !== "string") return undefined;
  const times = t(`jexl.${word}.times`, { count: value });
  if (name === "eventLastSeen") {
    return t("jexl.seen", { name: subject.value, times: t(`jexl.${word}.of`, { value }), unit: unit(interval, 2) });
  }
  if (typeof count !== "number" || start !== 0) return undefined;
  const period = count === 1
    ? t("jexl.current", { unit: unit(interval, 1) })
    : t("jexl.last", { count, unit: unit(interval, count) });
  if (name === "eventSum" && word === "is" && value === 0) return t("jexl.event.not", { name: subject.value, period });
  if (name === "eventSum") return t("jexl.event", { name: subject.value, times, period });
  return undefined;
}

/** A condition on an event's newest time. @param {Extract<Node, {kind: "transform"}>} node @param {boolean} holds */
function order({ name, subject, items }, holds) {
  const [first, second] = items.map((item) => item.kind === "literal" ? item.value : undefined);
  if (subject.kind !== "literal") return undefined;
  if (name === "eventAfter" && typeof first === "string") {
    return t(holds ? "jexl.after" : "jexl.after.not", { name: subject.value, other: first });
  }
  if (name !== "eventAgo" || typeof first !== "number") return undefined;
  if (items.length === 1 && first === 0) {
    return t(holds ? "jexl.happened" : "jexl.happened.not", { name: subject.value });
  }
  if (first === 0 && typeof second === "number" && !holds) {
    return t("jexl.within.not", { name: subject.value, to: duration(second) });
  }
  if (!holds) return undefined;
  if (items.length === 1) return t("jexl.ago", { name: subject.value, from: duration(first) });
  if (typeof second !== "number") return undefined;
  return first === 0
    ? t("jexl.within", { name: subject.value, to: duration(second) })
    : t("jexl.between", { name: subject.value, from: duration(first), to: duration(second) });
}

const units = Object.entries({ day: 86_400, hour: 3600, minute: 60 });

/** Seconds in the largest unit of which they are a multiple: "3 days". @param {number} seconds */
function duration(seconds) {
  const [unit, length] = units.find(([, length]) => seconds > 0 && seconds % length === 0) ?? ["second", 1];
  return number(seconds / length, { style: "unit", unit, unitDisplay: "long" });
}

/** @param {string} interval @param {number} count */
const unit = (interval, count) => t(`jexl.${interval}`, { count });

/** @param {Node} left @param {Node} right @param {boolean} holds */
function membership(left, right, holds) {
  const name = nameOf(left);
  if (name !== undefined && right.kind === "array" && right.items.every(({ kind }) => kind === "literal")) {
    const values = right.items.map((item) => item.kind === "literal" ? shown(item.value) : "");
    return t(holds ? "jexl.one" : "jexl.one.not", { name, values: list(values, "disjunction") });
  }
  const container = nameOf(right);
  return left.kind === "literal" && container !== undefined
    ? t(holds ? "jexl.contains" : "jexl.contains.not", { name: container, value: shown(left.value) })
    : undefined;
}

/** @param {Extract<Node, {kind: "transform"}>} node */
function sample({ items }) {
  const [, count, total] = items.map((item) => item.kind === "literal" ? item.value : undefined);
  if (typeof count !== "number" || typeof total !== "number") return undefined;
  return t("jexl.sample", { count, total });
}

/** An attribute, or a member of one. @param {Node} node @returns {string | undefined} */
function nameOf(node) {
  if (node.kind === "identifier") return node.name;
  if (node.kind !== "member") return undefined;
  const outer = nameOf(node.subject);
  return outer === undefined ? undefined : `${outer}.${node.name}`;
}

/** @param {unknown} value */
const shown = (value) => typeof value === "string" ? quoted(value) : String(value);
