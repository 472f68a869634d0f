// Conditions, evaluated in the page as the daemon evaluates them (docs/reference/surveys.md#conditions). Each dialect
// compiles to a function of the facts; a test compares all of them with the daemon's on the same vectors.
import { areEqual, canonicalText, isObject, member, orderedNumber, textMember } from "./comparison.js";
import { patternToRegExp } from "./patterns.js";

/** @typedef {import("./comparison.js").Json} Json */
/** @typedef {import("./comparison.js").JsonObject} JsonObject */
/** @typedef {import("./comparison.js").Comparison} Comparison */
/** @typedef {{name?: string, ids: string[], extra: JsonObject}} Predicate */
/** @typedef {(facts: any, predicate?: (question: Predicate) => boolean) => boolean} Compiled */
/** @typedef {{root: string, path: string[], textMember?: string}} Reference */
/** @typedef {(value: any, operand: any, options: TestOptions, facts: any) => boolean} Operation */
/**
 * @typedef {object} TestOptions
 * @property {Comparison} [comparison] default `auto`
 * @property {boolean} [negated] inverts the operation, not what `missing` says
 * @property {"fails" | "holds" | "emptyText" | "equalsMissing"} [missing]
 * @property {boolean} [aliases] an option's id and its value stand for each other
 */

/** A condition of the dialect `core` that cannot be read. */
export class ConditionError extends Error {}

/** @type {Compiled} */
const always = () => true;
/** @type {Compiled} */
const never = () => false;

/** @param {Compiled[]} parts @returns {Compiled} */
const all = (parts) => (facts, predicate) => parts.every((part) => part(facts, predicate));
/** @param {Compiled[]} parts @returns {Compiled} */
const any = (parts) => (facts, predicate) => parts.some((part) => part(facts, predicate));

/** @param {Reference} reference @param {any} facts @returns {any} */
function valueOf(reference, facts) {
  let value = member(facts, reference.root);
  if (reference.root === "now") value = value === undefined ? value : Math.trunc(Date.parse(value) / 1000);
  for (const key of reference.path) value = member(value, key);
  if (reference.textMember !== undefined && isObject(value)) {
    const isOfTexts = Object.values(value).every((item) => typeof item === "string");
    if (isOfTexts) value = member(value, reference.textMember);
  }
  return value;
}

/**
 * One test. `operand` is a value, or a function of the facts for a reference.
 * @param {Reference} reference
 * @param {Operation} operation
 * @param {Json | undefined | ((facts: any) => Json | undefined)} operand
 * @param {TestOptions} [options]
 * @returns {Compiled}
 */
function test(reference, operation, operand, options = {}) {
  const { negated = false, missing = negated ? "holds" : "fails" } = options;
  return (facts) => {
    let value = valueOf(reference, facts);
    if (operation === exists || operation === isEmptyText || operation === isEmpty) {
      return operation(value, undefined, options, facts) !== negated;
    }
    const other = (typeof operand === "function" ? operand(facts) : operand) ?? undefined;
    if (value === undefined) {
      if (missing === "holds" || missing === "fails") return missing === "holds";
      if (missing === "equalsMissing") return (other === undefined) !== negated;
      value = "";
    }
    return (other !== undefined && operation(value, other, options, facts)) !== negated;
  };
}

/** @type {Operation} */
const exists = (value) => value !== undefined;
/** @type {Operation} */
const isEmptyText = (value) => value === undefined || value === "";
/** @type {Operation} */
const isEmpty = (value) =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** @type {Operation} */
function equals(value, operand, { comparison = "auto", aliases = false }, facts) {
  if (areEqual(comparison, value, operand)) return true;
  if (!aliases || typeof operand !== "string") return false;
  return (member(facts, "options") ?? []).some((/** @type {any} */ option) => {
    const [id, name] = [textMember(option, "id"), textMember(option, "value")];
    if (id === undefined || name === undefined) return false;
    return (id === operand && areEqual(comparison, value, name)) ||
      (name === operand && areEqual(comparison, value, id));
  });
}

/** @type {Operation} */
const equalsOrHasMember = (value, operand, options, facts) =>
  Array.isArray(value)
    ? value.some((item) => equals(item, operand, options, facts))
    : equals(value, operand, options, facts);

/** @param {(left: number, right: number) => boolean} order @returns {Operation} */
const ordered = (order) => (value, operand, { comparison = "auto" }) => {
  const [left, right] = [orderedNumber(comparison, value), orderedNumber(comparison, operand)];
  return left !== undefined && right !== undefined && order(left, right);
};
const greater = ordered((left, right) => left > right);
const greaterOrEqual = ordered((left, right) => left >= right);
const less = ordered((left, right) => left < right);
const lessOrEqual = ordered((left, right) => left <= right);

/** @type {Operation} */
function between(value, operand, { comparison = "auto" }) {
  const number = orderedNumber(comparison, value);
  if (number === undefined || !Array.isArray(operand) || operand.every((bound) => bound === null)) return false;
  return operand.slice(0, 2).every((bound, index) => {
    if (bound === null) return true;
    const limit = orderedNumber(comparison, bound);
    return limit !== undefined && (index === 0 ? number >= limit : number <= limit);
  });
}

/** @type {Operation} */
const isMember = (value, operand, options, facts) =>
  Array.isArray(operand) && operand.some((item) => equals(value, item, options, facts));

/** Character by character: no character's lower case depends on its neighbours. @param {string} text */
const lowerCase = (text) => [...text].map((character) => character.toLowerCase()).join("");

/** @param {{members?: boolean, texts?: "texts" | "canonical", ignoringCase?: boolean}} where @returns {Operation} */
const contains = (where) => (value, operand, { comparison = "auto" }) => {
  if (where.members && Array.isArray(value)) return value.some((item) => areEqual(comparison, item, operand));
  if (!where.texts || (typeof value !== "string" && where.texts !== "canonical")) return false;
  if (comparison === "strict" && typeof operand !== "string") return false;
  const [text, part] = [canonicalText(value), canonicalText(operand)];
  return where.ignoringCase ? lowerCase(text).includes(lowerCase(part)) : text.includes(part);
};

/** @param {"every" | "some"} quantifier @returns {Operation} */
const hasMembers = (quantifier) => (value, operand, { comparison = "auto" }) =>
  Array.isArray(value) && Array.isArray(operand) &&
  operand[quantifier]((item) => value.some((other) => areEqual(comparison, other, item)));

/** @type {Operation} */
function isNamed(value, operand, { comparison = "auto" }) {
  const names = Array.isArray(operand)
    ? operand.map(canonicalText)
    : canonicalText(operand).split(",").filter((part) => part !== "").map((part) =>
      part.replace(/^[ \t]+|[ \t]+$/g, "")
    );
  return names.some((name) => areEqual(comparison, value, name));
}

/** @param {(text: string, operand: string) => boolean} holds @returns {Operation} */
const ofTexts = (holds) => (value, operand) =>
  typeof value === "string" && typeof operand === "string" && holds(value, operand);
const startsWith = ofTexts((text, operand) => text.startsWith(operand));
const endsWith = ofTexts((text, operand) => text.endsWith(operand));

/** @param {string} text @returns {bigint[] | undefined} */
function versionParts(text) {
  const parts = text.split(".");
  const isValid = parts.every((part) => /^[0-9]+$/.test(part) && BigInt(part) < 2n ** 64n);
  return isValid ? parts.map((part) => BigInt(part)) : undefined;
}

/** @param {(order: number) => boolean} holds @returns {Operation} */
const version = (holds) =>
  ofTexts((text, operand) => {
    const [left, right] = [versionParts(text), versionParts(operand)];
    if (!left || !right) return false;
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      const [a, b] = [left[index] ?? 0n, right[index] ?? 0n];
      if (a !== b) return holds(a < b ? -1 : 1);
    }
    return holds(0);
  });

/** A text, or the texts of an array. @param {any} value @returns {string[]} */
const textsOf = (value) =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** @param {string} text */
const foldedTag = (text) => text.replaceAll("_", "-").replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** @type {Operation} */
const localeIs = (value, operand) =>
  typeof value === "string" && textsOf(operand).some((text) => {
    const [own, wanted] = [foldedTag(value), foldedTag(text)];
    return own === wanted || own.startsWith(`${wanted}-`);
  });

/** @type {Operation} */
const platformIs = (value, operand) =>
  typeof value === "string" && textsOf(operand).some((text) => lowerCase(value) === lowerCase(text));

/** A field of the current answers, or `step.field`. @param {string | undefined} key @returns {Reference} */
function answerReference(key) {
  if (key === undefined) return { root: "nowhere", path: [] };
  const path = key.split(".");
  return { root: path.length > 1 ? "steps" : "answers", path };
}

// --- show_if -----------------------------------------------------------------------------------------------------

/** @type {{[name: string]: Operation}} */
const showIfOrders = {
  "greater than": greater,
  "greater than or equal to": greaterOrEqual,
  "less than": less,
  "less than or equal to": lessOrEqual,
};

/** @param {any} condition @returns {Compiled} */
export function compileShowIf(condition) {
  if (textMember(condition, "id") !== undefined) return showIfTest(condition);
  const [parts, operation] = [member(condition, "subconditions"), textMember(condition, "operation")];
  if (parts !== undefined) {
    const isTree = Array.isArray(parts) && (operation === "and" || operation === "or");
    if (!isTree) return always;
    return (operation === "and" ? all : any)(parts.map(compileShowIf));
  }
  if (operation !== "custom") return always;
  const extra = member(condition, "extra");
  const ids = member(condition, "ids");
  const question = {
    name: textMember(extra, "predicate"),
    ids: textsOf(Array.isArray(ids) ? ids : []),
    extra: isObject(extra) ? extra : {},
  };
  return (_, predicate) => predicate?.(question) ?? false;
}

/** @param {any} condition @returns {Compiled} */
function showIfTest(condition) {
  const reference = { root: "answers", path: [condition.id], textMember: textMember(condition, "subid") };
  const value = member(condition, "value");
  const operation = textMember(condition, "operation");
  const negated = operation === "not equals" || operation === "not contains";
  switch (operation) {
    case undefined:
      return always;
    case "equals":
    case "not equals":
      return test(reference, equals, value, { comparison: "strict", negated, missing: "equalsMissing" });
    case "contains":
    case "not contains":
      if (value === undefined) return always;
      return test(reference, contains({ members: true }), value, { comparison: "strict", negated });
    default: {
      const order = Object.hasOwn(showIfOrders, operation) ? showIfOrders[operation] : undefined;
      return order ? test(reference, order, value, { comparison: "number" }) : never;
    }
  }
}

// --- depends_on --------------------------------------------------------------------------------------------------

/** @param {any} condition @returns {Compiled} */
export function compileDependsOn(condition) {
  const [field, operator] = [textMember(condition, "field_id"), textMember(condition, "operator")];
  if (field === undefined || operator === undefined) return always;
  /** @param {Operation} operation @param {boolean} [negated] */
  const field_ = (operation, negated = false) =>
    test({ root: "answers", path: [field] }, operation, member(condition, "value"), {
      comparison: "textAndNumbers",
      negated,
      missing: "emptyText",
    });
  switch (operator) {
    case "not_empty":
    case "is_set":
      return field_(isEmptyText, true);
    case "empty":
      return field_(isEmptyText);
    case "equals":
      return field_(equals);
    case "not_equals":
      return field_(equals, true);
    case "contains":
      return field_(contains({ texts: "canonical" }));
    case "gt":
      return field_(greater);
    case "lt":
      return field_(less);
    default:
      return always;
  }
}

// --- visibility --------------------------------------------------------------------------------------------------

/** @type {{[root: string]: string}} */
const visibilityRoots = { responses: "steps", hook_data: "hook_data", user: "user", session: "session" };

/** @param {string | undefined} text @returns {Reference} */
function visibilityPath(text) {
  const [root, ...path] = (text ?? "").split(".");
  const isKnown = path.length > 0 && Object.hasOwn(visibilityRoots, root);
  return isKnown ? { root: visibilityRoots[root], path } : { root: "nowhere", path: [] };
}

/** @param {any} condition @returns {Compiled} */
export function compileVisibility(condition) {
  const type = textMember(condition, "type");
  const value = member(condition, "value");
  const path = visibilityPath(textMember(condition, "variable"));
  /** @param {Operation} operation @param {boolean} [negated] */
  const variable = (operation, negated = false) =>
    test(path, operation, value, { comparison: "text", negated, missing: "equalsMissing" });
  switch (type) {
    case "when_equals":
      return variable(equals);
    case "when_not_equals":
      return variable(equals, true);
    case "when_empty":
      return variable(isEmptyText);
    case "when_not_empty":
      return variable(isEmptyText, true);
    case "when_gt":
      return test(path, greater, value, { comparison: "number" });
    case "when_lt":
      return test(path, less, value, { comparison: "number" });
    case "answer_equals": {
      const key = textMember(condition, "answer_key");
      if (key === undefined) return never;
      return test(answerReference(key), equalsOrHasMember, value, { comparison: "text", aliases: true });
    }
    case "binding_not_empty":
      return test(visibilityPath(textMember(condition, "binding")), isEmpty, undefined, { negated: true });
    case "platform_is":
      return test({ root: "platform", path: [] }, platformIs, value);
    case "locale_matches":
      return test({ root: "locale", path: [] }, localeIs, value);
    default:
      return always;
  }
}

// --- rules -------------------------------------------------------------------------------------------------------

/** @param {any} rule @returns {Compiled} */
function compileRules(rule) {
  const [list, single] = [member(rule, "conditions"), member(rule, "condition")];
  if (list === undefined && single === undefined) return always;
  const parts = list === undefined ? [single] : Array.isArray(list) ? list : [];
  const isAny = textMember(rule, "logic")?.toLowerCase() === "or" && parts.length > 0;
  return (isAny ? any : all)(parts.map(compileRule));
}

/** @param {any} condition @returns {Compiled} */
function compileRule(condition) {
  const answer = answerReference(textMember(condition, "answer_key"));
  const previous = { root: "previous_step", path: [] };
  const value = member(condition, "value");
  switch (textMember(condition, "type")) {
    case "answer_equals":
      return test(answer, equalsOrHasMember, value, { aliases: true });
    case "answer_not_equals":
      return test(answer, equalsOrHasMember, value, { negated: true });
    case "answer_contains":
      return test(answer, contains({ texts: "texts" }), value, { comparison: "strict" });
    case "empty":
      return test(answer, isEmptyText, undefined);
    case "not_empty":
      return test(answer, isEmptyText, undefined, { negated: true });
    case "previous_step_equals":
      return test(previous, equals, value ?? textMember(condition, "previous_step_id"), { comparison: "text" });
    case "previous_step_in":
      return test(previous, isNamed, value ?? member(condition, "previous_step_ids"), { comparison: "text" });
    default:
      return always;
  }
}

// --- audience ----------------------------------------------------------------------------------------------------

/** @param {any} rules @returns {Compiled} */
function compileAudience(rules) {
  if (rules === null || rules === undefined) return always;
  if (Array.isArray(rules)) return all(rules.map(compileTrait));
  if (!isObject(rules)) return never;
  const [conditions, mode] = [member(rules, "conditions"), member(rules, "match_mode")];
  if (conditions === undefined) return always;
  if (!Array.isArray(conditions) || (mode !== undefined && mode !== "all" && mode !== "any")) return never;
  return (mode === "any" && conditions.length > 0 ? any : all)(conditions.map(compileTrait));
}

/** @param {any} condition @returns {Compiled} */
function compileTrait(condition) {
  const name = textMember(condition, "trait") ?? textMember(condition, "field");
  if (name === undefined) return never;
  const value = member(condition, "value");
  const listed = member(condition, "values") ?? value;
  const [low, high] = [member(condition, "min"), member(condition, "max")];
  const bounds = low === undefined && high === undefined ? listed : [low ?? null, high ?? null];
  /** @param {Operation} operation @param {any} operand @param {boolean} [negated] */
  const trait = (operation, operand, negated = false) =>
    test({ root: "attributes", path: [name] }, operation, operand, { comparison: "exact", negated });
  switch (textMember(condition, "operator")) {
    case "equals":
    case "eq":
      return trait(equals, value);
    case "not_equals":
    case "neq":
      return trait(equals, value, true);
    case "gt":
      return trait(greater, value);
    case "gte":
      return trait(greaterOrEqual, value);
    case "lt":
      return trait(less, value);
    case "lte":
      return trait(lessOrEqual, value);
    case "contains":
      return trait(contains({ members: true, texts: "texts", ignoringCase: true }), value);
    case "exists":
      return trait(exists, undefined);
    case "between":
      return trait(between, bounds);
    case "in":
      return trait(isMember, listed);
    case "not_in":
      return trait(isMember, listed, true);
    default:
      return never;
  }
}

// --- core --------------------------------------------------------------------------------------------------------

/** @type {{[op: string]: [Operation, boolean?]}} */
const coreOperations = {
  eq: [equals],
  neq: [equals, true],
  gt: [greater],
  gte: [greaterOrEqual],
  lt: [less],
  lte: [lessOrEqual],
  between: [between],
  in: [isMember],
  not_in: [isMember, true],
  contains: [contains({ members: true, texts: "texts" })],
  not_contains: [contains({ members: true, texts: "texts" }), true],
  starts: [startsWith],
  ends: [endsWith],
  matches: [never],
  exists: [exists],
  empty: [isEmpty],
  answered: [isEmpty, true],
  member_all: [hasMembers("every")],
  member_any: [hasMembers("some")],
  locale_is: [localeIs],
  platform_is: [platformIs],
  visited: [equalsOrHasMember],
  visited_in: [isNamed],
  version_gt: [version((order) => order > 0)],
  version_gte: [version((order) => order >= 0)],
  version_lt: [version((order) => order < 0)],
  version_lte: [version((order) => order <= 0)],
  version_eq: [version((order) => order === 0)],
};

/** @type {{[root: string]: string}} */
const coreRoots = {
  answer: "answers",
  step: "steps",
  attr: "attributes",
  counter: "counters",
  session: "session",
  hook: "hook_data",
  ledger: "ledger",
};

/** @param {boolean} isValid @param {string} message */
function demand(isValid, message) {
  if (!isValid) throw new ConditionError(message);
}

/** @param {any} text @returns {Reference} */
function coreReference(text) {
  demand(typeof text === "string", "a reference is a string");
  if (text === "now") return { root: "now", path: [] };
  if (text === "run.previous_step") return { root: "previous_step", path: [] };
  const [root, ...path] = text.split(".");
  const isKnown = Object.hasOwn(coreRoots, root) && path.length > 0 &&
    path.every((/** @type {string} */ part) => part !== "");
  demand(isKnown, `${text} is not a reference such as answer.q1 or attr.plan`);
  return { root: coreRoots[root], path };
}

/** @param {any} condition @param {{nodes: number}} budget @param {number} depth @returns {Compiled} */
function compileCore(condition, budget = { nodes: 0 }, depth = 1) {
  budget.nodes += 1;
  demand(budget.nodes <= 2000 && depth <= 16, "the condition is too large");
  if (typeof condition === "boolean") return condition ? always : never;
  demand(isObject(condition), "expected an object, true or false");
  const forms = ["all", "any", "not", "op"].filter((form) => Object.hasOwn(condition, form));
  demand(forms.length === 1, "expected one of all, any, not, or ref with op");
  const form = forms[0];
  if (form === "op") return compileCoreTest(condition);
  if (form === "not") {
    const inner = compileCore(condition.not, budget, depth + 1);
    return (facts, predicate) => !inner(facts, predicate);
  }
  demand(Array.isArray(condition[form]), `${form} has an array`);
  const parts = condition[form].map((/** @type {any} */ part) => compileCore(part, budget, depth + 1));
  return (form === "all" ? all : any)(parts);
}

/** @param {any} condition @returns {Compiled} */
function compileCoreTest(condition) {
  const name = condition.op;
  demand(typeof name === "string", "op is a string");
  if (name === "custom") {
    const question = { name: textMember(condition, "value"), ids: [], extra: {} };
    return (_, predicate) => predicate?.(question) ?? false;
  }
  demand(Object.hasOwn(coreOperations, name), `the operation ${name} is unknown`);
  const reference = coreReference(condition.ref);
  let [operation, negated = false] = coreOperations[name];
  /** @type {any} */
  let operand;
  if (operation !== exists && operation !== isEmpty) {
    if (member(condition, "value_ref") !== undefined) {
      const other = coreReference(condition.value_ref);
      operand = (/** @type {any} */ facts) => valueOf(other, facts);
    } else {
      demand(Object.hasOwn(condition, "value"), "value is missing");
      operand = condition.value;
    }
  }
  if (name === "matches") operation = matching(operand);
  const comparison = member(condition, "compare") ?? "auto";
  demand(["strict", "text", "number", "auto"].includes(comparison), `the comparison ${comparison} is unknown`);
  const missing = member(condition, "on_missing");
  demand(missing === undefined || typeof missing === "boolean", "on_missing is true or false");
  const onMissing = missing === undefined ? undefined : missing ? "holds" : "fails";
  return test(reference, operation, operand, { comparison, negated, missing: onMissing });
}

/** A search for a pattern. @param {any} pattern @returns {Operation} */
function matching(pattern) {
  if (typeof pattern === "function") return never;
  demand(typeof pattern === "string", "a pattern is a string");
  let expression;
  try {
    expression = patternToRegExp(pattern);
  } catch (error) {
    throw new ConditionError(String(error));
  }
  return (value) => typeof value === "string" && [...value].length <= 4000 && expression.test(value);
}

/** @type {{[dialect: string]: (condition: any) => Compiled}} */
const dialects = {
  core: (condition) => compileCore(condition),
  show_if: compileShowIf,
  depends_on: compileDependsOn,
  visibility: compileVisibility,
  rules: compileRules,
  audience: compileAudience,
};

/**
 * Whether a condition of a dialect holds.
 * @param {string} dialect
 * @param {any} condition
 * @param {any} facts `answers`, `steps`, `attributes`, … as docs/reference/surveys.md#conditions lists them
 * @param {(question: Predicate) => boolean} [predicate]
 * @throws {ConditionError} for a faulty condition of the dialect `core`
 */
export function holds(dialect, condition, facts, predicate) {
  demand(Object.hasOwn(dialects, dialect), `the dialect ${dialect} is unknown`);
  return dialects[dialect](condition)(facts, predicate);
}
