// Tests the page's evaluator with the vectors of the daemon's evaluator.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ConditionError, holds } from "../shared/conditions.js";

const vectors = new URL("../../vectors/conditions.json", import.meta.url);
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

test("versions have the order of versionCompare", () => {
  const ladder = ["1.9", "2.0b3", "2.0-alpha", "2.0-beta", "2.0.0-alpha", "2 2.0 2.0.0", "2.0.1", "2.10pre", "2.10"]
    .concat("3.0.0-beta", "3.0.0", "20261126.123456789012").map((equal) => equal.split(" "));
  const words = /** @type {Record<string, (order: number) => boolean>} */ ({
    version_gt: (order) => order > 0,
    version_gte: (order) => order >= 0,
    version_lt: (order) => order < 0,
    version_lte: (order) => order <= 0,
    version_eq: (order) => order === 0,
  });
  const facts = (/** @type {string} */ v) => ({ attributes: { v } });
  for (const [low, lower] of ladder.entries()) {
    for (const [high, higher] of ladder.entries()) {
      for (const [own, value] of lower.flatMap((one) => higher.map((other) => [one, other]))) {
        for (const [op, isMeant] of Object.entries(words)) {
          assert.equal(
            holds("core", { op, ref: "attr.v", value }, facts(own)),
            isMeant(low - high),
            `${own} ${op} ${value}`,
          );
        }
      }
    }
  }
  assert.equal(holds("core", { op: "version_gte", ref: "attr.v", value: "1" }, facts("1.é")), false);
});
