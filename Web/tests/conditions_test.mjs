// Tests the page's evaluator with the vectors of the daemon's evaluator.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ConditionError, holds } from "../shared/conditions.js";

const vectors = new URL("../../Tests/SurveysTests/Vectors/conditions.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));

/** @param {any} vector */
function answer(vector) {
  try {
    return holds(vector.dialect, vector.condition, vector.facts);
  } catch (error) {
    assert.ok(error instanceof ConditionError, String(error));
    return "error";
  }
}

test("every vector of conditions gives the wanted result", () => {
  assert.ok(cases.length > 300);
  for (const vector of cases) assert.equal(answer(vector), vector.want, JSON.stringify(vector));
});
