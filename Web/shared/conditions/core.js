// The project's own dialect (docs/reference/surveys.md#conditions). An unreadable condition is an error here.
import { isObject, member, textMember } from "../comparison.js";
import { Budget, PatternBudget, PatternError } from "../patterns.js";
import {
  all,
  always,
  any,
  between,
  ConditionError,
  contains,
  endsWith,
  equals,
  equalsOrHasMember,
  exists,
  greater,
  greaterOrEqual,
  hasMembers,
  isEmpty,
  isMember,
  isNamed,
  less,
  lessOrEqual,
  localeIs,
  never,
  platformIs,
  startsWith,
  test,
  valueOf,
  version,
} from "./tests.js";

/** @typedef {import("./tests.js").Compiled} Compiled */
/** @typedef {import("./tests.js").Operation} Operation */
/** @typedef {import("./tests.js").Reference} Reference */

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

/**
 * The budgets that all parts of a condition share: the number of parts, and the steps of their patterns.
 * @typedef {{nodes: number, patterns: PatternBudget, steps: Budget}} Shared
 */

/** @param {any} condition @returns {Compiled} */
export function compileCore(condition) {
  /** @type {Shared} */
  const shared = { nodes: 0, patterns: new PatternBudget(), steps: new Budget() };
  const holds = compilePart(condition, shared, 1);
  return (facts, predicate) => {
    shared.steps = new Budget();
    return holds(facts, predicate) && !shared.steps.isShort;
  };
}

/** @param {any} condition @param {Shared} budget @param {number} depth @returns {Compiled} */
function compilePart(condition, budget, depth) {
  budget.nodes += 1;
  demand(budget.nodes <= 2000 && depth <= 16, "the condition is too large");
  if (typeof condition === "boolean") return condition ? always : never;
  demand(isObject(condition), "expected an object, true or false");
  const forms = ["all", "any", "not", "op"].filter((form) => Object.hasOwn(condition, form));
  demand(forms.length === 1, "expected one of all, any, not, or ref with op");
  const form = forms[0];
  if (form === "op") return compileCoreTest(condition, budget);
  if (form === "not") {
    const inner = compilePart(condition.not, budget, depth + 1);
    return (facts, predicate) => !inner(facts, predicate);
  }
  demand(Array.isArray(condition[form]), `${form} has an array`);
  const parts = condition[form].map((/** @type {unknown} */ part) => compilePart(part, budget, depth + 1));
  return (form === "all" ? all : any)(parts);
}

/** @param {any} condition @param {Shared} shared @returns {Compiled} */
function compileCoreTest(condition, shared) {
  const name = condition.op;
  demand(typeof name === "string", "op is a string");
  if (name === "custom") {
    const question = { name: textMember(condition, "value"), ids: [], extra: {} };
    return (_, predicate) => predicate?.(question) ?? false;
  }
  demand(Object.hasOwn(coreOperations, name), `the operation ${name} is unknown`);
  const reference = coreReference(condition.ref);
  let [operation, negated = false] = coreOperations[name];
  /** @type {unknown} */
  let operand;
  if (operation !== exists && operation !== isEmpty) {
    if (member(condition, "value_ref") !== undefined) {
      const other = coreReference(condition.value_ref);
      operand = (/** @type {unknown} */ facts) => valueOf(other, facts);
    } else {
      demand(Object.hasOwn(condition, "value"), "value is missing");
      operand = condition.value;
    }
  }
  if (name === "matches") operation = matching(operand, shared);
  const comparison = member(condition, "compare") ?? "auto";
  demand(["strict", "text", "number", "auto"].includes(comparison), `the comparison ${comparison} is unknown`);
  const missing = member(condition, "on_missing");
  demand(missing === undefined || typeof missing === "boolean", "on_missing is true or false");
  const onMissing = missing === undefined ? undefined : missing ? "holds" : "fails";
  return test(reference, operation, operand, { comparison, negated, missing: onMissing });
}

/** The operation that searches a text for a pattern. @param {any} text @param {Shared} shared @returns {Operation} */
function matching(text, shared) {
  if (typeof text === "function") return never;
  demand(typeof text === "string", "a pattern is a string");
  /** @type {import("../patterns.js").Pattern} */
  let pattern;
  try {
    pattern = shared.patterns.compile(text);
  } catch (error) {
    if (error instanceof PatternError) throw new ConditionError(error.message);
    throw error;
  }
  return (value) => typeof value === "string" && pattern.isFound(value, shared.steps);
}
