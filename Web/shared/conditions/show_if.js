// SurveyNative's `show_if` (docs/reference/surveys.md#show_if).
import { isObject, member, textMember } from "../comparison.js";
import {
  all,
  always,
  any,
  contains,
  equals,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  never,
  test,
  textsOf,
} from "./tests.js";

/** @typedef {import("./tests.js").Compiled} Compiled */
/** @typedef {import("./tests.js").Operation} Operation */

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
