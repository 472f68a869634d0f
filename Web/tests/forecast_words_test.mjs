// A forecast and what came, in words (docs/reference/http-api.md#what-came).

import assert from "node:assert/strict";
import { test } from "node:test";
import { correctionWords, expectedWords } from "../console/views/forecast-words.js";

test("what was expected has its interval", () => {
  const interval = [1150, 1320];
  assert.equal(
    expectedWords({ low: 1200, high: 1200, interval }),
    "1,200 expected; on plan from 1,150 to 1,320",
  );
  assert.equal(
    expectedWords({ low: 0, high: 1200, interval: [0, 1320] }),
    "0–1,200 expected; on plan from 0 to 1,320",
  );
});

test("the correction is that of enrollments, or else of displays", () => {
  assert.equal(
    correctionWords({ recipes: 7, enrolled: 0.834, shown: 0.5 }),
    "In the app’s last 7 recipes, 83% of the forecast came.",
  );
  assert.equal(
    correctionWords({ recipes: 1, enrolled: null, shown: 1.5 }),
    "In the app’s last recipe, 150% of the forecast came.",
  );
  assert.equal(correctionWords({ recipes: 3, enrolled: null, shown: null }), "");
});
