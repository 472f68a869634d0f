// Estimates agree with a reference (goal 37 of docs/console.md#goals). Shares: SciPy
// (binomtest.proportion_ci(method="wilson")). Means and scores: the formula of Rocks (2016) in Python. Sizes:
// scipy.stats.chisquare.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mean, nps, sizes, wilson } from "../console/statistics.js";

/** @param {number[]} got @param {number[]} wanted @param {string} what */
function near(got, wanted, what) {
  wanted.forEach((value, place) => assert.ok(Math.abs(got[place] - value) < 2e-6, `${what}: ${got}, not ${wanted}`));
}

test("goal 37: Wilson's intervals are those of a reference", () => {
  for (
    const [count, total, low, high] of [
      [1, 4, 0.045587, 0.699358],
      [388, 1204, 0.296462, 0.349186],
      [50, 100, 0.403832, 0.596168],
      [0, 10, 0, 0.277533],
      [10, 10, 0.722467, 1],
      [3, 7, 0.15822, 0.749542],
      [999, 1000, 0.994357, 0.999823],
    ]
  ) {
    near(wilson(count, total), [low, high], `${count} of ${total}`);
  }
  assert.equal(wilson(0, 0), null);
  assert.equal(wilson(3, 2), null);
});

const buckets = (/** @type {number[][]} */ ...pairs) => pairs.map(([value, count]) => ({ value, count }));

test("goal 37: means and their intervals are those of a reference", () => {
  for (
    const [given, value, low, high] of [
      [buckets([1, 9], [2, 10], [3, 33], [4, 98], [5, 93]), 4.053498, 3.913274, 4.168026],
      [buckets([1, 1], [5, 1]), 3, 1.533297, 4.466703],
      [buckets([2018, 3], [2020, 7], [2024, 5]), 2020.933333, 2019.897518, 2021.99137],
    ]
  ) {
    const estimate = mean(given);
    near([estimate.value, ...estimate.interval], [value, low, high], JSON.stringify(given));
  }
  assert.equal(mean([]), null);
  assert.equal(mean(buckets([4, 1])).interval, null);
});

test("goal 37: net promoter scores and their intervals are those of a reference", () => {
  for (
    const [promoters, passives, detractors, value, low, high] of [
      [119, 97, 57, 22.710623, 13.381504, 31.546032],
      [5, 0, 5, 0, -51.127394, 51.127394],
      [10, 5, 1, 56.25, 17.762753, 76.974089],
      [0, 0, 2, -100, -100, 24.410989],
      [2, 0, 0, 100, -24.410989, 100],
    ]
  ) {
    const estimate = nps(promoters, passives, detractors);
    near([estimate.value, ...estimate.interval], [value, low, high], `${promoters}, ${passives}, ${detractors}`);
  }
  assert.equal(nps(0, 0, 0), null);
});

test("goal 37: the test of sizes is that of a reference", () => {
  for (
    const [counts, ratios, statistic, p] of [
      [[604, 600], [1, 1], 0.013289036544850499, 0.9082247093395801],
      [[480, 600], [1, 1], 13.333333333333334, 0.0002607296328553165],
      [[30, 14, 34, 45, 57, 20], [1, 1, 1, 1, 1, 1], 37.78, 4.1773254752651764e-7],
      [[789, 101, 110], [8, 1, 1], 1.16125, 0.5595485394186697],
      [[10, 40], [1, 1], 18, 2.2090496998585475e-5],
    ]
  ) {
    const test = sizes(counts, ratios);
    assert.ok(Math.abs(test.statistic - statistic) < 1e-9, `${counts}: ${test.statistic}`);
    assert.ok(Math.abs(test.p / p - 1) < 1e-9, `${counts}: ${test.p}`);
  }
  assert.equal(sizes([10], [1]), null);
  assert.equal(sizes([0, 0], [1, 1]), null);
  assert.equal(sizes([5, 4], [1, 0]), null);
});
