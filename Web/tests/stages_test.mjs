// Tests the stages of a share, and shares as percentages of buckets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { JSONDocument } from "../console/document/document.js";
import { countOf, percentOf, portions } from "../console/forms/portion.js";
import { stagesOf, waitsFor } from "../console/document/stages.js";

test("a share in percent and its buckets mean the same", () => {
  for (const total of [100, 1_000, 10_000]) {
    for (let count = 0; count <= total; count += 1) {
      assert.equal(countOf(Number(percentOf(count, total)), total), count);
    }
  }
  assert.equal(percentOf(1, 3), 33.3333);
  assert.equal(percentOf("x", 100), "x", "a value that is no number stays as it is");
});

test("writing a percentage writes buckets of the document's total", () => {
  const document = new JSONDocument('{"bucketConfig": {"count": 5, "total": 1000}}');
  const shown = portions(document);
  assert.equal(shown.get("/bucketConfig/count"), 0.5);
  shown.set("/bucketConfig/count", 12.5);
  assert.equal(document.text, '{"bucketConfig": {"count": 125, "total": 1000}}');
  const usual = new JSONDocument('{"bucketConfig": {"count": 5}}');
  portions(usual).set("/bucketConfig/count", 10);
  assert.equal(usual.get("/bucketConfig/count"), 1_000);
});

test("the first larger stage is the next one", () => {
  const stages = [{ count: 500 }, { count: 2_500 }, { count: 10_000 }];
  const states = (count) => stagesOf({ stages, bucketConfig: { count } }).map(({ state }) => state);
  assert.deepEqual(states(100), ["next", "later", "later"]);
  assert.deepEqual(states(500), ["reached", "next", "later"]);
  assert.deepEqual(states(700), ["reached", "next", "later"]);
  assert.deepEqual(states(10_000), ["reached", "reached", "reached"]);
  assert.deepEqual(stagesOf({ bucketConfig: { count: 1 } }), []);
  assert.deepEqual(stagesOf({ stages: "x" }), []);
  assert.deepEqual(stagesOf({ stages: [null, 1, { count: "x" }], bucketConfig: null }), []);
});

test("a stage waits for its time, its guards, both, or a person", () => {
  const at = "2026-12-01T08:00:00Z";
  assert.deepEqual(
    [{ at }, { guards: true }, { at, guards: true }, {}].map((stage) => waitsFor({ count: 1, ...stage })),
    ["time", "guards", "both", "hand"],
  );
});
