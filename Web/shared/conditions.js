// Conditions, which the page evaluates in the same way as the daemon (docs/reference/surveys.md#conditions). Each
// dialect compiles to a function of the facts. A test compares all dialects with the daemon's on the same vectors.
import { compileCore } from "./conditions/core.js";
import { compileAudience, compileDependsOn, compileRules, compileVisibility } from "./conditions/flows.js";
import { compileShowIf } from "./conditions/show_if.js";
import { ConditionError } from "./conditions/tests.js";

export { ConditionError };

/** @typedef {import("./conditions/tests.js").Compiled} Compiled */
/** @typedef {import("./conditions/tests.js").Predicate} Predicate */

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
  if (!Object.hasOwn(dialects, dialect)) throw new ConditionError(`the dialect ${dialect} is unknown`);
  return dialects[dialect](condition)(facts, predicate);
}
