// A forecast and what came, in words (docs/reference/http-api.md#what-came).

import assert from "node:assert/strict";
import { test } from "node:test";
import { correctionWords, expectedWords, shareWords, sizeWords } from "../console/views/forecast-words.js";

test("a forecast is a share of the clients, unless it is withheld", () => {
  assert.equal(shareWords({ low: 0.9, high: 0.9 }), "90% of the clients expected");
  assert.equal(shareWords({ low: 0, high: 0.5 }), "0%–50% of the clients expected");
  assert.equal(shareWords({ low: null, high: 0.5 }), "withheld");
});

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
    correctionWords({ enrolled: { factor: 0.83, recipes: 7 }, shown: { factor: 0.5, recipes: 9 } }),
    "In the app’s last 7 recipes, 83% of the forecast came.",
  );
  assert.equal(
    correctionWords({ enrolled: null, shown: { factor: 1.5, recipes: 1 } }),
    "In the app’s last recipe, 150% of the forecast came.",
  );
  assert.equal(correctionWords({ enrolled: null, shown: null }), "");
});

test("the size of a segment tells its share, its parts and what was not sent", () => {
  const size = {
    low: 0.1,
    high: 0.4,
    sampled: 900,
    closes: [{ name: "plan == 'gold'", high: 0.6 }, { name: "list.vips", high: null }],
    missing: [{ name: "plan", share: 0.2 }],
  };
  assert.deepEqual(sizeWords(size), {
    share: "10% to 40% of the clients of the last week are in it.",
    parts: ["plan == 'gold': 60% are left", "list.vips: not shown"],
    missing: ["20% of the clients of the last week did not send “plan”."],
  });
  assert.equal(sizeWords({ ...size, low: null, high: null, sampled: null }).share, "Too few clients polled lately.");
  assert.equal(
    sizeWords({ ...size, low: 0.4 }).share,
    "40% of the clients of the last week are in it.",
  );
});
