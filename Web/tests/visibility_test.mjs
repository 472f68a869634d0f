// Tests which questions are shown, with the daemon's vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { asksPredicate, compileVisibleQuestions } from "../shared/visibility.js";

const vectors = new URL("../../vectors/surveys.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));

test("every vector of surveys shows the wanted questions", () => {
  let count = 0;
  for (const { definition, answers, want } of cases) {
    if (asksPredicate(definition.questions ?? []) || !definition.questions) continue;
    const { visible } = compileVisibleQuestions(definition, "keep")(answers);
    assert.deepEqual(visible, want.visible, JSON.stringify(definition));
    count += 1;
  }
  assert.ok(count > 50, `only ${count} vectors`);
});

test("a condition with a predicate is the daemon's to decide", () => {
  assert.ok(asksPredicate([{ id: "a", show_if: { operation: "and", subconditions: [{ operation: "custom" }] } }]));
  assert.ok(!asksPredicate([{ id: "a", show_if: { id: "b", operation: "custom" } }]));
});
