// Intervals agree with a reference.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wilson } from "../console/statistics.js";

test("Wilson's intervals are those of a reference", () => {
  // R: prop.test(x, n, correct = FALSE)$conf.int
  for (
    const [count, total, low, high] of [
      [1, 4, 0.0456, 0.6994],
      [388, 1204, 0.2964, 0.3492],
      [50, 100, 0.4038, 0.5962],
      [0, 10, 0, 0.2775],
      [10, 10, 0.7225, 1],
    ]
  ) {
    const interval = wilson(count, total);
    assert.ok(
      Math.abs(interval[0] - low) < 5e-4 && Math.abs(interval[1] - high) < 5e-4,
      `${count}/${total}: ${interval}`,
    );
  }
  assert.equal(wilson(0, 0), null);
});
