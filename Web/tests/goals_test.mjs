// Goals of experiments in words, on the scale of their plot, and cumulated by day (docs/console.md#results). The
// estimate of the first case is that of vector V0 of the estimates.

import assert from "node:assert/strict";
import { test } from "node:test";
import { resultsQuery } from "../console/answers-query.js";
import { scaleOf } from "../console/charts/forest.js";
import { addTexts } from "../console/texts.js";
import texts from "../console/texts/en_goals.js";
import * as words from "../console/views/goal-words.js";
import { firstValues, sizeRequest } from "../console/views/size-values.js";

addTexts(texts);

const bounds = (low, high) => ({ low, high });
const better = {
  branch: "short",
  difference: 0.04999999999999999,
  lift: 0.4999999999999998,
  standard_error: 0.014755260679422703,
  critical: 3.12377909167473,
  interval: bounds(0.003907825197409079, 0.0960921748025909),
  lift_interval: bounds(0.032769102223645596, 1.2563795340168094),
  cuped: null,
  verdict: "better",
};
const none = {
  difference: null,
  lift: null,
  standard_error: null,
  critical: null,
  interval: null,
  lift_interval: null,
  cuped: null,
  verdict: "too_little_data",
};
const cell = (branch, exposed, converted, sum = converted) => ({ branch, exposed, converted, sum });
const line = (branch, exposed, converted, more = {}) => ({
  ...cell(branch, exposed, converted),
  ratio: 1,
  mean: exposed ? converted / exposed : null,
  interval: null,
  ...more,
});
const bought = {
  name: "bought",
  event: "purchase",
  counts: "converted",
  property: null,
  cap: null,
  within_days: 7,
  direction: "up",
  primary: true,
  plan: null,
  branches: [line("plain", 1000, 100), line("short", 1000, 150)],
  comparisons: [better],
  days: [],
};
const revenue = { ...bought, name: "revenue", counts: "sum", property: "amount", cap: 500, primary: false };
const goalsOf = (goals, more = {}) => ({
  period: 1,
  periods: 1,
  since: "2026-11-20T07:00:00Z",
  control: "plain",
  level: 0.95,
  sample_ratio: { statistic: 0, p: 1, warning: false },
  goals,
  guards: [],
  ...more,
});

test("a sentence has the verdict, the unit, and the interval that holds at every look", () => {
  assert.equal(
    words.comparisonSentence(bought, better, "plain"),
    "short: better. Share of clients: +50% against plain, between +3.28% and +125.6%; " +
      "the interval holds however often you look.",
  );
  const open = {
    ...better,
    verdict: "no_difference_shown",
    interval: bounds(-0.01, 0.11),
    lift_interval: null,
  };
  assert.equal(
    words.comparisonSentence(bought, open, "plain"),
    "short: no difference shown yet. Share of clients: +5 points against plain, between -1 points and +11 points; " +
      "the interval holds however often you look.",
  );
  assert.match(
    words.comparisonSentence(revenue, better, "plain"),
    /^short: better\. Sum of amount per client: \+50% against/,
  );
});

test("a verdict is about the estimate with the counts before the exposure, if there is one", () => {
  const cuped = {
    theta: 0.5,
    difference: 0.02,
    lift: 0.2,
    standard_error: 0.01,
    interval: bounds(-0.01, 0.05),
    lift_interval: bounds(-0.1, 0.5),
    variance_reduction: 0.12,
  };
  const comparison = { ...better, cuped, verdict: "no_difference_shown" };
  assert.match(words.comparisonSentence(bought, comparison, "plain"), /yet\. .*\+20% .* between -10% and \+50%/);
  assert.match(words.cupedSentence(comparison) ?? "", /12% less variance/);
  assert.equal(words.cupedSentence(better), null);
  assert.deepEqual(words.effectsOf({ ...bought, comparisons: [comparison] }).effects.map(({ at }) => at), [0.2]);
});

test("too little data has no estimate, and says what it takes, or that a count is withheld", () => {
  const few = { ...better, ...none, branch: "short", difference: 0.3, lift: 3 };
  assert.match(
    words.comparisonSentence(bought, few, "plain"),
    /^short: too little data\. A verdict needs 100 .* 25 without\.$/,
  );
  assert.match(words.comparisonSentence(revenue, few, "plain"), /25 with the event\.$/);
  const hidden = { ...bought, branches: [line("plain", 1000, 100), line("short", 3, null)], comparisons: [few] };
  assert.match(words.comparisonSentence(hidden, few, "plain"), /Counts of it or of plain are withheld\.$/);
  assert.deepEqual(words.effectsOf(hidden).effects, []);
  assert.deepEqual(words.comparisonTable(hidden).rows, [["short", "too little data", "–", "–", "–", "–", "–", "–"]]);
});

test("no text says that there is no difference", async () => {
  const { default: german } = await import("../console/texts/de_goals.js");
  for (const text of Object.values(texts)) assert.doesNotMatch(text, /no difference(?! shown yet)/i);
  for (const text of Object.values(german)) assert.doesNotMatch(text, /(?<!noch )kein Unterschied/i);
  for (const verdict of ["better", "worse", "no_difference_shown", "too_little_data"]) {
    assert.notEqual(words.verdictWord({ ...better, verdict }), `goals.verdict.${verdict}`);
  }
});

test("the goal that decides makes the finding, and a warning of sizes stands above every verdict", () => {
  const long = { ...better, branch: "long", verdict: "worse" };
  const two = { ...bought, comparisons: [better, long] };
  assert.equal(words.headline(goalsOf([revenue, two])), "bought decides. short: better and long: worse.");
  const skewed = goalsOf([{ ...bought, branches: [line("plain", 1000, 100), line("short", 1300, 150)] }], {
    sample_ratio: { statistic: 39.1, p: 4e-10, warning: true },
  });
  const warning = "More clients in short than its share; p < 0.001: find the reason before you read the goals.";
  assert.equal(words.sizesSentence(skewed), warning);
  assert.equal(words.headline(skewed), warning);
  const uneven = { ...bought, branches: [line("plain", 1000, 1, { ratio: 1 }), line("short", 1300, 1, { ratio: 2 })] };
  assert.match(words.headline({ ...skewed, goals: [uneven] }), /^More clients in plain /);
  assert.match(
    words.sizesSentence(goalsOf([bought])) ?? "",
    /^1,000 and 1,000 exposed clients, planned 1 : 1: .* 1\.00/,
  );
  assert.equal(
    words.sizesSentence(goalsOf([bought], { sample_ratio: { statistic: null, p: null, warning: false } })),
    null,
  );
  const empty = { ...bought, branches: [line("plain", 0, 0), line("short", 0, 0)] };
  assert.equal(words.headline(goalsOf([empty])), "No client was exposed in this period yet.");
});

test("what a goal counts is a sentence", () => {
  assert.equal(
    words.countedWords(bought),
    "The goal counts the share of exposed clients with “purchase” within 7 days of the exposure. More is better.",
  );
  assert.match(
    words.countedWords(revenue),
    /^The goal counts the sum of amount of “purchase” per exposed client within 7 days, 500 at most\./,
  );
  const dismissed = { ...bought, event: { message: "dismissed" }, direction: "down", within_days: 1 };
  assert.match(
    words.countedWords(dismissed),
    /a dismissal of the message within 1 day of the exposure\. Less is better/,
  );
});

test("a plot is of lifts, or of differences if one lift is not bounded", () => {
  const unbounded = { ...better, branch: "long", lift_interval: null };
  const lifts = words.effectsOf(bought);
  assert.deepEqual(lifts.effects.map(({ label, at, low, high }) => [label, at, low, high]), [
    ["short", better.lift, better.lift_interval.low, better.lift_interval.high],
  ]);
  assert.equal(lifts.word(0.5), "+50%");
  const both = words.effectsOf({ ...bought, comparisons: [better, unbounded] });
  assert.deepEqual(both.effects.map(({ at }) => at), [better.difference, better.difference]);
  assert.equal(both.word(0.05), "+5 points");
  assert.equal(both.effects[0].end, "better · +5 points [+0.391 points … +9.61 points]");
  assert.equal(words.effectsOf({ ...revenue, comparisons: [unbounded] }).word(2.5), "+2.5");
});

test("a scale has zero and every interval, and ticks that are even", () => {
  for (
    const [effects, ticks] of [
      [[bounds(0.0328, 1.2564)], [0, 0.5, 1, 1.5]],
      [[bounds(-0.012, 0.031), bounds(-0.002, 0.008)], [-0.02, 0, 0.02, 0.04]],
      [[bounds(-9, -2)], [-10, -5, 0]],
      [[bounds(0, 0)], [0]],
      [[bounds(-0.3, 0.1)], [-0.3, -0.2, -0.1, 0, 0.1]],
    ]
  ) {
    const scale = scaleOf(effects);
    assert.deepEqual(scale.ticks.map((tick) => tick + 0), ticks, JSON.stringify(effects));
    assert.ok(effects.every(({ low, high }) => scale.low <= low && high <= scale.high));
  }
});

test("days are cumulated, and say at least where a count of a day is withheld", () => {
  const days = [
    { day: "2026-11-20", branches: [cell("plain", 40, 4), cell("short", 60, 12)] },
    { day: "2026-11-21", branches: [cell("plain", 10, 1), cell("short", 10, null, null)] },
    { day: "2026-11-22", branches: [cell("plain", 50, 10)] },
  ];
  const goal = { ...bought, days };
  assert.deepEqual(words.cumulated(goal).map(({ branches }) => branches.map(({ exposed }) => exposed)), [
    [40, 60],
    [50, 70],
    [100, 70],
  ]);
  assert.deepEqual(words.dayTable(goal).rows, [
    ["2026-11-20", "plain", "40", "4", "10%"],
    ["2026-11-20", "short", "60", "12", "20%"],
    ["2026-11-21", "plain", "50", "5", "10%"],
    ["2026-11-21", "short", "≥ 70", "≥ 12", "–"],
    ["2026-11-22", "plain", "100", "15", "15%"],
    ["2026-11-22", "short", "≥ 70", "≥ 12", "–"],
  ]);
  const series = words.exposedSeries(goal, "bought");
  assert.deepEqual([series.values.length, series.lowest, series.highest], [3, 0, 120]);
  assert.deepEqual(series.lines.map(({ name, points }) => [name, points.get("2026-11-22")?.at]), [
    ["plain", 100],
    ["short", 70],
  ]);
});

test("a guard says when it pauses the recipe, and what made it fire", () => {
  const armed = { goal: "bought", worse_than: 0.2, branch: null, state: "armed", fired: null };
  assert.match(words.guardSentence(armed, bought), /bought is worse by more than 20% in any branch\.$/);
  const own = { goal: "bought", worse_by: 0.02, branch: "short", state: "armed", fired: null };
  assert.match(words.guardSentence(own, bought), /worse by more than 2 points in short\.$/);
  assert.match(words.guardSentence({ ...own, worse_by: 3 }, revenue), /more than 3 in short\.$/);
  assert.equal(words.firedSentence(armed, bought), null);
  const fired = {
    ...better,
    at: "2026-11-21T00:00:00Z",
    exposed: 1000,
    lift: -0.4,
    lift_interval: bounds(-0.6, -0.21),
  };
  assert.equal(
    words.firedSentence({ ...armed, state: "fired", fired }, bought),
    "short had -40%, between -60% and -21%.",
  );
});

test("the period of goals is asked of experiments only", () => {
  const query = new URLSearchParams("period=2");
  assert.equal(resultsQuery(query, "experiment").get("period"), "2");
  assert.equal(resultsQuery(query, "questionnaire").get("period"), null);
});

test("a size begins with the plan of the goal that decides, and leaves out what is empty", () => {
  const document = {
    branches: [{}, {}, {}],
    goals: [{ counts: "sum", plan: { mean: 3 } }, {
      counts: "converted",
      direction: "down",
      primary: true,
      plan: { mean: 0.1, mde: 0.1 },
    }],
  };
  const values = firstValues(document);
  assert.deepEqual(sizeRequest(values), {
    size: { counts: "converted", direction: "down", mean: 0.1, mde: 0.1, branches: 3 },
  });
  assert.deepEqual(sizeRequest({ ...values, sd: "4" }).size.sd, undefined);
  assert.equal(sizeRequest({ ...values, counts: "sum", sd: "4" }).size.sd, 4);
  assert.deepEqual(sizeRequest(firstValues({})), { size: { counts: "converted", direction: "up", branches: 2 } });
});

test("a size by the app's own rates names the event of the goal", () => {
  const goal = { event: "purchase", within_days: 60, counts: "converted" };
  const values = firstValues({ goals: [goal] });
  assert.deepEqual(sizeRequest({ ...values, mde: "0.1", share: "0.5" }).size, {
    counts: "converted",
    direction: "up",
    mde: 0.1,
    branches: 2,
    event: "purchase",
    within_days: 28,
    share: 0.5,
  });
  assert.equal(sizeRequest({ ...values, event: "" }).size.within_days, undefined);
  for (const other of [{ property: "amount" }, { event: { message: "clicked" } }]) {
    assert.equal(firstValues({ goals: [{ ...goal, ...other }] }).event, "");
  }
});
