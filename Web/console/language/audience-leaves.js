// One comparison of an expression as a row, and a row as the text of a comparison.

import { plainOf, quoted } from "./jexl.js";
import { scopes } from "./types.js";

/**
 * @typedef {import("./jexl.js").Node} Node
 * @typedef {import("./types.js").Vocabulary} Vocabulary
 * @typedef {{subject: string, comparison: string, value?: any}} Said what a row says
 * @typedef {{count?: number, length: number, unit: string}} Span a period of an event, and how often it happened
 */

/** The subject of a sample. */
export const shareSubject = "@share";
/** What the subject of an event begins with. */
export const eventStem = "event:";

/** @type {Record<string, string>} */
const operators = { "==": "is", "!=": "not", ">=": "least", "<=": "most", ">": "above", "<": "below" };
/** @type {Record<string, string>} */
const mirrored = { "==": "==", "!=": "!=", ">=": "<=", "<=": ">=", ">": "<", "<": ">" };
/** @type {Record<string, string>} */
const versions = {
  "==": "versionIs",
  "!=": "versionNot",
  ">=": "versionLeast",
  "<=": "versionMost",
  ">": "versionAbove",
  "<": "versionBelow",
};
/** @type {Record<string, string>} */
const times = {
  "==": "timesIs",
  "!=": "timesNot",
  ">=": "timesLeast",
  "<=": "timesMost",
  ">": "timesAbove",
  "<": "timesBelow",
};
/** @type {Record<string, string>} */
const seen = { ">=": "seenLeast", "<=": "seenMost", ">": "seenAbove", "<": "seenBelow" };
/** The operator of each comparison. */
const written = Object.fromEntries(
  [operators, versions, times, seen].flatMap((words) => Object.entries(words).map(([sign, word]) => [word, sign])),
);

/** The longest period of each unit that the daemon counts (docs/reference/events.md#counters-and-intervals). */
export const longest = { Minutes: 60, Hours: 72, Days: 56, Weeks: 52, Months: 12, Years: 4 };
/** The units of a time since an event, with their seconds. */
export const secondsOf = { Days: 86_400, Hours: 3600, Minutes: 60 };

/** The comparisons of an answer that are an error without an answer, so that the text first asks for one. */
const guarded = ["least", "most", "above", "below", "contains", "containsNot"];

/** Whether the text of a comparison needs a check for an answer. @param {Said} said */
export const isGuarded = ({ subject, comparison }) => subject.startsWith("answer.") && guarded.includes(comparison);

/** A node without its brackets. @param {Node} node @returns {Node} */
export const bareNode = (node) => node.inner ? bareNode(node.inner) : node;

/**
 * The row of a comparison.
 * @param {Node} outer @param {Vocabulary} vocabulary
 * @returns {Said | undefined} undefined if rows cannot say it
 */
export function rowOf(outer, vocabulary) {
  const node = bareNode(outer);
  const types = new Map(vocabulary.attributes.map(({ name, type }) => [name, type]));
  if (node.kind === "transform") return transformed(node, true);
  if (node.kind !== "binary") {
    const subject = subjectOf(node, types);
    if (subject === undefined) return undefined;
    if (isMembership(subject)) return { subject, comparison: "inside" };
    return types.get(subject) === "boolean" ? { subject, comparison: "is", value: true } : undefined;
  }
  const [left, right] = [bareNode(node.left), bareNode(node.right)];
  if (node.operator === "in") return contained(left, right, true, types);
  if (!(node.operator in operators)) return undefined;
  const [value, turned] = [plainOf(right), plainOf(left)];
  if (value !== undefined) return compared(left, node.operator, value, types);
  return turned === undefined ? undefined : compared(right, mirrored[node.operator], turned, types);
}

/** @param {Node} left @param {string} operator @param {unknown} value @param {Map<string, string>} types @returns {Said | undefined} */
function compared(left, operator, value, types) {
  const isEqual = operator === "==" || operator === "!=";
  const holds = typeof value === "boolean" && isEqual ? (operator === "==") === value : undefined;
  if (left.kind === "binary" && left.operator === "in") {
    return holds === undefined ? undefined : contained(bareNode(left.left), bareNode(left.right), holds, types);
  }
  if (left.kind === "transform") {
    return holds === undefined ? counted(left, operator, value) : transformed(left, holds);
  }
  const subject = subjectOf(left, types);
  if (subject === undefined) return undefined;
  if (isMembership(subject)) {
    return holds === undefined ? undefined : { subject, comparison: holds ? "inside" : "outside" };
  }
  if (value === null) {
    const words = subject.startsWith("answer.") ? ["answered", "empty"] : ["known", "unknown"];
    return isEqual ? { subject, comparison: words[operator === "==" ? 1 : 0] } : undefined;
  }
  return isEqual || typeof value !== "boolean" ? { subject, comparison: operators[operator], value } : undefined;
}

/** A value in a list, or a text in an attribute. @param {Node} left @param {Node} right @param {boolean} holds @param {Map<string, string>} types @returns {Said | undefined} */
function contained(left, right, holds, types) {
  const container = subjectOf(right, types);
  const value = plainOf(left);
  if (container !== undefined && !isMembership(container) && typeof value === "string") {
    return { subject: container, comparison: holds ? "contains" : "containsNot", value };
  }
  const subject = subjectOf(left, types);
  if (subject === undefined || isMembership(subject) || right.kind !== "array" || right.items.length === 0) return;
  const values = right.items.map((item) => plainOf(bareNode(item)));
  // The control of a list has commas between its values.
  const isShown = values.every((one) =>
    typeof one === "number" ||
    (typeof one === "string" && one.trim() === one && one !== "" && !one.includes(",") && isText(one, values))
  );
  return isShown ? { subject, comparison: holds ? "in" : "notIn", value: values } : undefined;
}

/** Whether a text of a list stays a text when it is read from a control. @param {string} text @param {unknown[]} values */
const isText = (text, values) => Number.isNaN(Number(text)) || values.every((one) => typeof one === "string");

/** A number that is compared with a count or an order of versions. @param {Extract<Node, {kind: "transform"}>} node @param {string} operator @param {unknown} value @returns {Said | undefined} */
function counted({ subject, name, items }, operator, value) {
  const of = bareNode(subject);
  const literals = items.map((item) => plainOf(bareNode(item)));
  if (name === "versionCompare") {
    const [version] = literals;
    if (of.kind !== "identifier" || literals.length !== 1 || typeof version !== "string" || value !== 0) return;
    const comparison = versions[operator];
    return { subject: of.name, comparison, value: isFromFirst(comparison) ? shortVersion(version) : version };
  }
  if (of.kind !== "literal" || typeof of.value !== "string" || typeof value !== "number" || value < 0) return;
  const event = eventStem + of.value;
  const [unit, length, start = 0] = literals;
  if (!(typeof unit === "string" && unit in longest)) return;
  if (name === "eventLastSeen" && operator in seen && (length ?? 0) === 0 && literals.length <= 2) {
    return { subject: event, comparison: seen[operator], value: { length: value, unit } };
  }
  if (name !== "eventSum" || !(Number.isInteger(length) && length > 0) || start !== 0 || literals.length > 3) return;
  if (operator === "==" && value === 0) return { subject: event, comparison: "never", value: { length, unit } };
  return { subject: event, comparison: times[operator], value: { count: value, length, unit } };
}

/** A transform that is true or false. @param {Extract<Node, {kind: "transform"}>} node @param {boolean} holds @returns {Said | undefined} */
function transformed({ subject, name, items }, holds) {
  const of = bareNode(subject);
  const literals = items.map((item) => plainOf(bareNode(item)));
  const [first, second] = literals;
  if (name === "bucketSample") {
    const [start, count, total] = literals;
    const share = Math.round(1_000_000 * count / total) / 10_000;
    const isPercent = holds && literals.length === 3 && start === 0 && share > 0 && share <= 100 &&
      Number.isInteger(count) && Number.isInteger(total) && Math.round(share * 100) * total === count * 10_000;
    const isClient = of.kind === "identifier" && of.name === "nimbus_id";
    return isPercent && isClient ? { subject: shareSubject, comparison: "share", value: share } : undefined;
  }
  if (of.kind !== "literal" || typeof of.value !== "string") return;
  const event = eventStem + of.value;
  if (name === "eventAfter" && literals.length === 1 && typeof first === "string") {
    return { subject: event, comparison: holds ? "after" : "afterNot", value: first };
  }
  if (name !== "eventAgo" || typeof first !== "number") return;
  if (literals.length === 1 && first === 0) return { subject: event, comparison: holds ? "happened" : "happenedNot" };
  const from = spanOf(first);
  if (literals.length === 1 && holds && from) return { subject: event, comparison: "ago", value: from };
  const to = spanOf(second);
  if (literals.length !== 2 || first !== 0 || !to) return;
  return { subject: event, comparison: holds ? "within" : "withinNot", value: to };
}

/** Seconds in the largest unit of which they are a multiple. @param {unknown} seconds @returns {Span | undefined} */
function spanOf(seconds) {
  if (typeof seconds !== "number" || seconds <= 0) return undefined;
  const found = Object.entries(secondsOf).find(([, length]) => seconds % length === 0);
  return found && { length: seconds / found[1], unit: found[0] };
}

/**
 * The attribute, segment, list or answer that a node reads.
 * @param {Node} node @param {Map<string, string>} types of the attributes
 * @returns {string | undefined}
 */
function subjectOf(node, types) {
  if (node.kind === "identifier") return isScope(node.name, types) ? undefined : node.name;
  if (node.kind !== "member") return undefined;
  const scope = bareNode(node.subject);
  return scope.kind === "identifier" && isScope(scope.name, types) ? `${scope.name}.${node.name}` : undefined;
}

/** A declared attribute keeps its name. @param {string} name @param {Map<string, string>} types */
const isScope = (name, types) => scopes.includes(name) && !types.has(name);

/** @param {string} subject */
const isMembership = (subject) => /^(segment|list)\./.test(subject);

/** A release and what came before it: `120.!` is below each build of 120. @param {string} comparison */
const isFromFirst = (comparison) => comparison === "versionLeast" || comparison === "versionBelow";
const release = /^\d+(\.\d+)*$/;

/** @param {string} version */
function shortVersion(version) {
  const short = version.replace(/\.!$/, "");
  return release.test(short) ? short : version;
}

/**
 * The text of a comparison.
 * @param {Said} said
 * @returns {string} for a guarded comparison without its guard
 */
export function textOf({ subject, comparison, value }) {
  if (subject === shareSubject) return `nimbus_id|bucketSample(0, ${Math.round(Number(value) * 100)}, 10000)`;
  if (subject.startsWith(eventStem)) return eventText(quoted(subject.slice(eventStem.length)), comparison, value);
  const sign = written[comparison];
  switch (comparison) {
    case "inside":
      return subject;
    case "outside":
      return `${subject} == false`;
    case "known":
    case "answered":
      return `${subject} != null`;
    case "unknown":
    case "empty":
      return `${subject} == null`;
    case "in":
      return `${subject} in ${literal(value)}`;
    case "notIn":
      return `(${subject} in ${literal(value)}) == false`;
    case "contains":
      return `${literal(value)} in ${subject}`;
    case "containsNot":
      return `(${literal(value)} in ${subject}) == false`;
  }
  if (!comparison.startsWith("version")) return `${subject} ${sign} ${literal(value)}`;
  const version = isFromFirst(comparison) && release.test(String(value)) ? `${value}.!` : String(value);
  return `${subject}|versionCompare(${quoted(version)}) ${sign} 0`;
}

/** @param {string} event @param {string} comparison @param {unknown} value @returns {string} */
function eventText(event, comparison, value) {
  const { length = 0, unit = "", count = 0 } = /** @type {Partial<Span>} */ (value ?? {});
  const seconds = literal(length * (Reflect.get(secondsOf, unit) ?? 0));
  const sum = `${event}|eventSum('${unit}', ${literal(length)}, 0)`;
  switch (comparison) {
    case "never":
      return `${sum} == 0`;
    case "happened":
      return `${event}|eventAgo(0)`;
    case "happenedNot":
      return `${event}|eventAgo(0) == false`;
    case "within":
      return `${event}|eventAgo(0, ${seconds})`;
    case "withinNot":
      return `${event}|eventAgo(0, ${seconds}) == false`;
    case "ago":
      return `${event}|eventAgo(${seconds})`;
    case "after":
      return `${event}|eventAfter(${quoted(String(value))})`;
    case "afterNot":
      return `${event}|eventAfter(${quoted(String(value))}) == false`;
  }
  const sign = written[comparison];
  return comparison.startsWith("seen")
    ? `${event}|eventLastSeen('${unit}') ${sign} ${literal(length)}`
    : `${sum} ${sign} ${literal(count)}`;
}

/** A value as text. An expression has no signs, no exponents, and no backslash in a text. @param {unknown} value @returns {string} */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "number") return String(value);
  return value < 0 ? `0 - ${digits(-value)}` : digits(value);
}

/** The digits of a number, without an exponent. @param {number} value */
function digits(value) {
  const [mantissa, exponent] = String(Math.abs(value)).split("e");
  if (exponent === undefined) return mantissa;
  const [whole, part = ""] = mantissa.split(".");
  const places = Number(exponent);
  return places < 0 ? `0.${"0".repeat(-places - 1)}${whole}${part}` : whole + part.padEnd(places, "0");
}
