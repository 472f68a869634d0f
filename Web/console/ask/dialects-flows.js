// The dialects of flows: between steps, between fields, of blocks, and of traits.

import { isObject, member, textMember } from "../../shared/comparison.js";
import { fits, group, isPlain, locked, over, row, whole, wordFor } from "./parts.js";

/**
 * @typedef {import("./dialects.js").Dialect} Dialect
 * @typedef {import("./dialects.js").Part} Part
 * @typedef {import("./dialects.js").Group} Group
 * @typedef {import("./dialects.js").Row} Row
 */

/** The subject for the previous step. */
export const previousStep = "@previous_step";

/** @type {Record<string, string>} */
const ruleWords = {
  answer_equals: "is",
  answer_not_equals: "not",
  answer_contains: "contains",
  not_empty: "answered",
  empty: "empty",
};
/** @type {Record<string, string>} */
const stepWords = { previous_step_equals: "is", previous_step_in: "in" };

/**
 * @type {Dialect} The dialect between steps: conditions in rules, whose other keys stay. Subjects are keys of answers.
 */
export const rules = {
  nests: false,
  most: Infinity,
  offers: {
    choice: ["is", "not", "answered", "empty"],
    choices: ["is", "not", "answered", "empty"],
    number: ["is", "not", "answered", "empty"],
    text: ["is", "not", "contains", "answered", "empty"],
    boolean: ["is", "not"],
    date: ["is", "not", "answered", "empty"],
    step: ["is", "in"],
    other: ["answered", "empty"],
  },
  read(rule) {
    const [list, single] = [member(rule, "conditions"), member(rule, "condition")];
    const parts = list ?? (single === undefined ? [] : [single]);
    if (!Array.isArray(parts)) return whole(rule);
    const isAny = textMember(rule, "logic")?.toLowerCase() === "or" && parts.length > 0;
    return group(isAny ? "any" : "all", parts.map(ruleRow), rule);
  },
  write({ join, parts, raw }) {
    if (raw === undefined && parts.length === 1 && parts[0].kind === "locked") return parts[0].raw;
    const written = parts.map((part) => part.kind === "row" ? ruleLeaf(part) : part.raw);
    const isSingle = written.length === 1 && member(raw, "conditions") === undefined && isObject(raw?.condition);
    const isAny = textMember(raw, "logic")?.toLowerCase() === "or";
    const logic = written.length > 1 && isAny !== (join === "any") ? (join === "any" ? "or" : "and") : raw?.logic;
    return over(raw, {
      condition: isSingle ? written[0] : undefined,
      conditions: isSingle || written.length === 0 ? undefined : written,
      logic: written.length === 0 ? undefined : logic,
    });
  },
};

/** @param {any} raw @returns {Part} */
function ruleRow(raw) {
  const [type, key, value] = [textMember(raw, "type") ?? "", textMember(raw, "answer_key"), member(raw, "value")];
  const step = stepWords[type];
  if (step) return fits(step, value) ? row(previousStep, step, value, raw) : locked(raw);
  const comparison = ruleWords[type];
  if (comparison === undefined || key === undefined || key.startsWith("@")) return locked(raw);
  if (comparison === "answered" || comparison === "empty") return row(key, comparison, undefined, raw);
  return isPlain(value) ? row(key, comparison, value, raw) : locked(raw);
}

/** @param {Row} row */
function ruleLeaf({ subject, comparison, value, raw }) {
  const isStep = subject === previousStep;
  const type = wordFor(isStep ? stepWords : ruleWords, comparison, raw?.type);
  // A value that the comparison ignores stays.
  const isBare = comparison === "answered" || comparison === "empty";
  return over(raw, {
    type,
    answer_key: isStep ? undefined : subject,
    value: isBare && raw?.type === type ? raw.value : value,
  });
}

/** @type {Record<string, string>} */
const fieldWords = {
  equals: "is",
  not_equals: "not",
  contains: "contains",
  gt: "above",
  lt: "below",
  not_empty: "answered",
  is_set: "answered",
  empty: "empty",
};

/** @type {Dialect} The dialect between fields. Its subjects are ids of fields. */
export const dependsOn = {
  nests: false,
  most: 1,
  offers: {
    choice: ["is", "not", "answered", "empty"],
    choices: ["contains", "answered", "empty"],
    number: ["is", "not", "above", "below", "answered", "empty"],
    text: ["is", "not", "contains", "answered", "empty"],
    boolean: ["is", "not"],
    date: ["is", "not", "answered", "empty"],
    other: ["answered", "empty"],
  },
  read(raw) {
    if (raw === undefined || raw === null) return group("all", []);
    const [field, operator, value] = [textMember(raw, "field_id"), textMember(raw, "operator"), member(raw, "value")];
    const comparison = operator === undefined ? undefined : fieldWords[operator];
    if (field === undefined || comparison === undefined) return whole(raw);
    if (comparison === "answered" || comparison === "empty") {
      return group("all", [row(field, comparison, undefined, raw)]);
    }
    const isOrder = comparison === "above" || comparison === "below";
    const isShown = isOrder ? typeof value === "number" : isPlain(value);
    return isShown ? group("all", [row(field, comparison, value, raw)]) : whole(raw);
  },
  write: ({ parts: [part] }) =>
    part === undefined ? undefined : part.kind !== "row" ? part.raw : over(part.raw, {
      field_id: part.subject,
      operator: wordFor(fieldWords, part.comparison, part.raw?.operator),
      value: part.value,
    }),
};

/** @type {Record<string, string>} */
const variableWords = {
  when_equals: "is",
  when_not_equals: "not",
  when_gt: "above",
  when_lt: "below",
  when_not_empty: "answered",
  when_empty: "empty",
};
/** @type {Record<string, string>} */
const placeWords = { platform_is: "@platform", locale_matches: "@locale" };

/** @type {Dialect} The dialect of blocks. Its subjects are paths; `@answer.KEY` is an answer of the same step. */
export const visibility = {
  nests: false,
  most: 1,
  offers: {
    choice: ["chosen", "not", "answered", "empty"],
    choices: ["chosen", "answered", "empty"],
    number: ["is", "not", "above", "below", "answered", "empty"],
    text: ["is", "not", "answered", "empty"],
    boolean: ["is", "not"],
    date: ["is", "not", "answered", "empty"],
    own: ["chosen"],
    place: ["is"],
    other: ["answered", "empty"],
  },
  read(raw) {
    if (raw === undefined || raw === null) return group("all", []);
    const found = variable(raw);
    return found ? group("all", [found]) : whole(raw);
  },
  write({ parts: [part] }) {
    if (part === undefined) return undefined;
    return part.kind === "row" ? variableLeaf(part) : part.raw;
  },
};

/** @param {any} raw @returns {Row | undefined} */
function variable(raw) {
  const [type, value] = [textMember(raw, "type") ?? "", member(raw, "value")];
  if (placeWords[type]) return isPlain(value) ? row(placeWords[type], "is", value, raw) : undefined;
  if (type === "answer_equals") {
    const key = textMember(raw, "answer_key");
    if (key === undefined || !isPlain(value)) return undefined;
    return row(key.includes(".") ? `responses.${key}` : `@answer.${key}`, "chosen", value, raw);
  }
  const [comparison, path] = [variableWords[type], textMember(raw, "variable") ?? ""];
  if (comparison === undefined || !/^(responses|hook_data|user|session)\../.test(path)) return undefined;
  if (comparison === "answered" || comparison === "empty") return row(path, comparison, undefined, raw);
  return isPlain(value) ? row(path, comparison, value, raw) : undefined;
}

/** @param {Row} row */
function variableLeaf({ subject, comparison, value, raw }) {
  const place = Object.keys(placeWords).find((word) => placeWords[word] === subject);
  if (place) return over(raw, { type: place, variable: undefined, answer_key: undefined, value });
  const own = subject.startsWith("@answer.") ? subject.slice(8) : undefined;
  if (comparison === "chosen" || own !== undefined) {
    const key = own ?? subject.slice("responses.".length);
    return over(raw, { type: "answer_equals", variable: undefined, answer_key: key, value });
  }
  const type = wordFor(variableWords, comparison, raw?.type);
  const isBare = (comparison === "answered" || comparison === "empty") && raw?.type === type;
  return over(raw, { type, answer_key: undefined, variable: subject, value: isBare ? raw.value : value });
}

/** @type {Record<string, string>} */
const traitWords = {
  equals: "is",
  eq: "is",
  not_equals: "not",
  neq: "not",
  gte: "least",
  lte: "most",
  gt: "above",
  lt: "below",
  between: "between",
  in: "in",
  not_in: "notIn",
  contains: "contains",
  exists: "known",
};

/** @type {Dialect} The dialect of traits. Its subjects are names of attributes. */
export const audience = {
  nests: false,
  most: Infinity,
  offers: {
    choice: ["is", "not", "in", "notIn", "known"],
    choices: ["contains", "known"],
    number: ["least", "most", "above", "below", "is", "not", "between", "known"],
    text: ["is", "not", "in", "notIn", "contains", "known"],
    boolean: ["is", "not"],
    other: ["known"],
  },
  read(raw) {
    if (raw === undefined || raw === null) return group("all", []);
    if (Array.isArray(raw)) return group("all", raw.map(traitRow), raw);
    const [conditions, mode] = [member(raw, "conditions"), member(raw, "match_mode")];
    if (isObject(raw) && conditions === undefined) return group("all", [], raw);
    const isKnown = isObject(raw) && Array.isArray(conditions) && [undefined, "all", "any"].includes(mode);
    if (!isKnown) return whole(raw);
    return group(mode === "any" && conditions.length > 0 ? "any" : "all", conditions.map(traitRow), raw);
  },
  write({ join, parts, raw }) {
    if (raw === undefined && parts.length === 1 && parts[0].kind === "locked") return parts[0].raw;
    const written = parts.map((part) => part.kind === "row" ? traitLeaf(part) : part.raw);
    if (Array.isArray(raw) && join === "all") return written.length > 0 ? written : undefined;
    const rest = isObject(raw) ? raw : undefined;
    if (written.length === 0 && Object.keys(rest ?? {}).every((key) => key === "conditions" || key === "match_mode")) {
      return undefined;
    }
    const mode = (rest?.match_mode ?? "all") === join ? rest?.match_mode : join;
    return over(rest, {
      match_mode: written.length > 0 ? mode : undefined,
      conditions: written.length > 0 ? written : undefined,
    });
  },
};

/** @param {any} raw @returns {Part} */
function traitRow(raw) {
  const name = textMember(raw, "trait") ?? textMember(raw, "field");
  const comparison = traitWords[textMember(raw, "operator") ?? ""];
  if (name === undefined || comparison === undefined) return locked(raw);
  if (comparison === "known") return row(name, comparison, undefined, raw);
  const [low, high, value] = [member(raw, "min"), member(raw, "max"), member(raw, "value")];
  const listed = member(raw, "values") ?? value;
  const shown = comparison === "between"
    ? low === undefined && high === undefined ? listed : [low ?? null, high ?? null]
    : comparison === "in" || comparison === "notIn"
    ? listed
    : value;
  return fits(comparison, shown) ? row(name, comparison, shown, raw) : locked(raw);
}

/** @param {Row} row */
function traitLeaf({ subject, comparison, value, raw }) {
  const operator = wordFor(traitWords, comparison, raw?.operator);
  const name = textMember(raw, "trait") === undefined && textMember(raw, "field") !== undefined ? "field" : "trait";
  const listKey = member(raw, "values") === undefined && Array.isArray(member(raw, "value")) ? "value" : "values";
  const others = { value: undefined, values: undefined, min: undefined, max: undefined };
  const isRange = comparison === "between" && ["min", "max"].some((key) => member(raw, key) !== undefined);
  const isListed = comparison === "in" || comparison === "notIn" || (comparison === "between" && raw && !isRange);
  if (isListed) return over(raw, { ...others, [name]: subject, operator, [listKey]: value });
  if (comparison === "between") {
    const [low, high] = value;
    return over(raw, { ...others, [name]: subject, operator, min: low ?? undefined, max: high ?? undefined });
  }
  return over(raw, { ...others, [name]: subject, operator, value });
}
