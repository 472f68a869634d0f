// AppDNA's dialects for conditions between fields, of blocks, between steps and of traits
// (docs/reference/surveys.md#depends_on and the sections after it).
import { isObject, member, textMember } from "../comparison.js";
import {
  all,
  always,
  answerReference,
  any,
  between,
  contains,
  equals,
  equalsOrHasMember,
  exists,
  greater,
  greaterOrEqual,
  isEmpty,
  isEmptyText,
  isMember,
  isNamed,
  less,
  lessOrEqual,
  localeIs,
  never,
  platformIs,
  test,
} from "./tests.js";

/** @typedef {import("./tests.js").Compiled} Compiled */
/** @typedef {import("./tests.js").Operation} Operation */
/** @typedef {import("./tests.js").Reference} Reference */

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

/** @param {any} rule @returns {Compiled} */
export function compileRules(rule) {
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

/** @param {any} rules @returns {Compiled} */
export function compileAudience(rules) {
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
