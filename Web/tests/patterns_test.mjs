// Patterns mean the same in the page as in the daemon and need the same steps (docs/reference/surveys.md#patterns).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ConditionError, holds } from "../shared/conditions.js";
import { Budget, Pattern, PatternBudget, PatternError } from "../shared/patterns.js";

const vectors = new URL("../../vectors/patterns.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));
const steps = 50_000;

/** @param {any} vector */
function answer({ pattern, text = "", times = 1 }) {
  const budget = new Budget(steps);
  try {
    const want = new Pattern(pattern).isFound(text.repeat(times), budget);
    return budget.isShort ? { want: "short" } : { want, steps: steps - budget.steps };
  } catch (error) {
    assert.ok(error instanceof PatternError, String(error));
    return { want: "fault" };
  }
}

test("every vector of patterns gives the wanted result in the same steps", () => {
  assert.ok(cases.length > 300);
  for (const vector of cases) {
    const { want, steps } = vector;
    assert.deepEqual(answer(vector), steps === undefined ? { want } : { want, steps }, JSON.stringify(vector));
  }
});

test("the patterns of a document have a budget together", () => {
  const budget = new PatternBudget();
  for (let number = 0; number < 99; number++) budget.compile(`a{1000}[${number}]`);
  assert.throws(() => budget.compile("b{1000}"), PatternError);
  for (let number = 0; number < 200; number++) budget.compile("a{1000}[7]");
});

test("a condition that takes too long is false, whatever it says", () => {
  const hostile = { ref: "answer.t", op: "matches", value: "(?:[^a]?.?){999}z" };
  const facts = { answers: { t: "b".repeat(4000) } };
  assert.equal(holds("core", { any: Array(100).fill(hostile) }, facts), false);
  assert.equal(holds("core", { not: hostile }, facts), false);
  assert.equal(holds("core", { any: [true, hostile] }, facts), true);
  const tooLarge = { ref: "answer.t", op: "matches", value: "((a{0}){1000}){1000}" };
  assert.throws(() => holds("core", tooLarge, facts), ConditionError);
});
