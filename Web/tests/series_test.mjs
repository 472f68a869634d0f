// The lines of scores and means over time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { directionsOf, runsOf, seriesOf } from "../console/series.js";

const nps = (score, low, high, total = 9) => ({
  id: "score",
  type: "nps",
  title: "Recommend?",
  total_answered: total,
  score,
  interval: low === null ? null : { low, high },
  buckets: [{ value: 0, count: 1 }, { value: 10, count: 8 }],
});
const rating = (average) => ({
  id: "stars",
  type: "rating",
  total_answered: 2,
  average,
  interval: { low: average - 1, high: average + 1 },
  buckets: [1, 2, 3, 4, 5].map((value) => ({ value, count: 0 })),
});
const text = { id: "why", type: "text", total_answered: 3, buckets: undefined };

test("each question with a score or a mean is a series, and its groups are points in order", () => {
  const groups = [
    { value: "2026-12", questions: [nps(40, 10, 60), text] },
    { value: "2026-11", questions: [nps(30, 0, 50), rating(4), text] },
  ];
  const [score, stars, ...others] = seriesOf([{ name: "", groups }]);
  assert.deepEqual(others, []);
  assert.deepEqual([score.id, score.title, score.isScore, score.lowest, score.highest], [
    "score",
    "Recommend?",
    true,
    -100,
    100,
  ]);
  assert.deepEqual(score.values, ["2026-11", "2026-12"]);
  assert.deepEqual(score.lines[0].points.get("2026-12"), { at: 40, low: 10, high: 60, count: 9 });
  assert.deepEqual([stars.title, stars.lowest, stars.highest], ["stars", 1, 5]);
  assert.deepEqual([...stars.lines[0].points.keys()], ["2026-11"]);
});

test("rounds are in the order of numbers, and a line has no point where nobody answered", () => {
  const groups = [10, 9, 1].map((value) => ({ value, questions: [nps(value, null, null, value === 9 ? 0 : 5)] }));
  const [score] = seriesOf([{ name: "", groups }]);
  assert.deepEqual(score.values, ["1", "9", "10"]);
  assert.deepEqual([...score.lines[0].points.keys()].sort(), ["1", "10"]);
  assert.deepEqual(score.lines[0].points.get("1"), { at: 1, low: null, high: null, count: 5 });
});

test("branches are lines over the times of all, and a withheld point is a gap", () => {
  const left = [{ value: "2026-Q1", questions: [nps(1, 0, 2)] }, { value: "2026-Q3", questions: [nps(3, 2, 4)] }];
  const right = ["2026-Q1", "2026-Q2", "2026-Q3"].map((value, place) => ({
    value,
    questions: [place === 1 ? nps(null, null, null, null) : nps(5, 4, 6)],
  }));
  const [score] = seriesOf([{ name: "left", groups: left }, { name: "right", groups: right }]);
  assert.deepEqual(score.values, ["2026-Q1", "2026-Q2", "2026-Q3"]);
  assert.equal(score.hidden, 1);
  const places = score.lines.map(({ points }) =>
    runsOf(score.values, points).map((run) => run.map(({ place }) => place))
  );
  // Nothing was answered there, so nothing is hidden there.
  assert.deepEqual(places[0], [[0, 2]]);
  assert.deepEqual(places[1], [[0], [2]]);
});

test("results without such a question have no lines", () => {
  assert.deepEqual(
    seriesOf([{ name: "", groups: [{ value: "2026-11", questions: [text] }, { value: "2026-12" }] }]),
    [],
  );
});

test("moves of all groups are added, by the former group", () => {
  const moved = (...moves) => moves.map(([from, to, count]) => ({ from, to, count }));
  const groups = [
    { value: 1, questions: [nps(0, -9, 9)] },
    {
      value: 2,
      questions: [{ ...nps(10, 0, 20), moved: moved(["detractors", "promoters", 4], ["passives", "passives", 5]) }],
    },
    {
      value: 3,
      questions: [{ ...nps(20, 0, 40), moved: moved(["detractors", "promoters", 3], ["promoters", "detractors", 1]) }],
    },
  ];
  const [{ moves }] = seriesOf([{ name: "", groups }]);
  assert.deepEqual(moves.map(({ value, counts }) => [value, [...counts]]), [
    ["detractors", [["promoters", 7]]],
    ["passives", [["passives", 5]]],
    ["promoters", [["detractors", 1]]],
  ]);
  assert.deepEqual(directionsOf(moves), { rose: 7, fell: 1, stayed: 5 });
});

test("a rating has its values as groups, and nobody who answered twice has no table", () => {
  const one = { ...rating(4), moved: [{ from: 2, to: 5, count: 1 }] };
  const [stars] = seriesOf([{ name: "", groups: [{ value: 2, questions: [one] }] }]);
  assert.deepEqual(stars.moves.map(({ value, counts }) => [value, counts.get(5) ?? 0]), [
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 0],
    [5, 0],
  ]);
  assert.deepEqual(seriesOf([{ name: "", groups: [{ value: 1, questions: [rating(4)] }] }])[0].moves, []);
});
