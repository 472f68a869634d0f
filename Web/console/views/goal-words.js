// Goals of experiments in words and numbers (docs/reference/goals.md), without a page. A verdict is never more than the
// daemon's: what is not shown may still be there.

import { scaleOf } from "../charts/forest.js";
import { list, number, quoted, t } from "../texts.js";

/** At least one decimal, and three digits. */
const digits = /** @type {Intl.NumberFormatOptions} */ ({
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: "morePrecision",
});

/** A change relative to the control, such as "+3.3%". @param {number} value */
const liftWord = (value) => number(value, { ...digits, style: "percent", signDisplay: "exceptZero" });

/** A mean in the unit of its goal. @param {API.Goal} goal @param {number} value */
export const meanWord = ({ counts }, value) =>
  number(value, counts === "converted" ? { ...digits, style: "percent" } : digits);

/** A difference in the unit of its goal. @param {API.Goal} goal @param {number} value */
function differenceWord({ counts }, value) {
  const word = (/** @type {number} */ value) => number(value, { ...digits, signDisplay: "exceptZero" });
  return counts === "converted" ? t("goals.points", { value: word(100 * value) }) : word(value);
}

/** @param {API.Goal} goal */
const unitOf = ({ counts, property }) => t(`goals.unit.${property === null ? counts : "property"}`, { property });

/** What a goal counts of a client, and whether more of it is better. @param {API.Goal} goal */
export function countedWords({ counts, event, property, cap, within_days: days, direction }) {
  const what = typeof event === "string" ? quoted(event) : t(`goals.message.${event.message}`);
  const counted = t(`goals.counted.${property === null ? counts : "property"}`, { event: what, property, cap, days });
  return [counted, t(`goals.direction.${direction}`)].join(" ");
}

/** The estimate that the verdict is about. @param {API.GoalComparison} comparison @returns {API.GoalEstimate} */
const judged = (comparison) => comparison.cuped ?? comparison;

/** @param {API.GoalComparison} comparison */
export const verdictWord = ({ verdict }) => t(`goals.verdict.${verdict}`);

/** Whether a count of a branch is withheld, and with it what follows. @param {API.GoalCell} cell */
export const isWithheld = ({ exposed, converted }) => exposed === null || converted === null;

/**
 * An estimate with its interval: relative if there is such an interval, otherwise in the unit of the goal. Null without
 * an interval: an estimate is never shown alone.
 * @param {API.Goal} goal @param {API.GoalEstimate} estimate
 */
function effectOf(goal, { difference, lift, interval, lift_interval: relative }) {
  if (relative && lift !== null) return { at: lift, ...relative, isRelative: true, word: liftWord };
  if (!interval || difference === null) return null;
  return {
    at: difference,
    ...interval,
    isRelative: false,
    word: (/** @type {number} */ value) => differenceWord(goal, value),
  };
}

/**
 * A comparison as a sentence: the verdict, the unit, and the interval.
 * @param {API.Goal} goal @param {API.GoalComparison} comparison @param {string} control
 */
export function comparisonSentence(goal, comparison, control) {
  const { branch, verdict } = comparison;
  const effect = effectOf(goal, judged(comparison));
  if (verdict === "too_little_data" || !effect) {
    const isHidden = goal.branches.some((line) => [branch, control].includes(line.branch) && isWithheld(line));
    return t(isHidden ? "goals.says.withheld" : `goals.says.few.${goal.counts}`, { branch, control });
  }
  const [value, low, high] = [effect.at, effect.low, effect.high].map(effect.word);
  const values = { branch, control, verdict: verdictWord(comparison), unit: unitOf(goal), value, low, high };
  return t("goals.says", values);
}

/** How much less variance the counts before the exposure leave, or nothing. @param {API.GoalComparison} comparison */
export const cupedSentence = ({ branch, cuped }) =>
  cuped && cuped.variance_reduction > 0.005
    ? t("goals.cuped", { branch, share: number(cuped.variance_reduction, { ...digits, style: "percent" }) })
    : null;

/**
 * The effects of a goal for one plot: all relative if all of them can be, otherwise all in the unit of the goal.
 * @param {API.Goal} goal
 */
export function effectsOf(goal) {
  const known = goal.comparisons.filter((comparison) => judged(comparison).interval);
  const isRelative = known.every((comparison) => judged(comparison).lift_interval);
  const word = isRelative ? liftWord : (/** @type {number} */ value) => differenceWord(goal, value);
  const effects = known.flatMap((comparison) => {
    const estimate = judged(comparison);
    const effect = effectOf(goal, isRelative ? estimate : { ...estimate, lift_interval: null });
    if (!effect) return [];
    const { at, low, high } = effect;
    const end = t("goals.effect", {
      verdict: verdictWord(comparison),
      value: word(at),
      low: word(low),
      high: word(high),
    });
    return [{ label: comparison.branch, at, low, high, end }];
  });
  return { effects, word };
}

/** All numbers of the comparisons, as a table. @param {API.Goal} goal @returns {import("../charts/plane.js").Table} */
export function comparisonTable(goal) {
  const head = ["branch", "verdict", "difference", "low", "high", "lift", "low", "high"];
  const rows = goal.comparisons.map((comparison) => {
    const { difference, interval, lift, lift_interval: relative } = judged(comparison);
    const own = (/** @type {number | null | undefined} */ value) => value == null ? "–" : differenceWord(goal, value);
    const part = (/** @type {number | null | undefined} */ value) => value == null ? "–" : liftWord(value);
    return [
      comparison.branch,
      verdictWord(comparison),
      ...[interval && difference, interval?.low, interval?.high].map(own),
      ...[relative && lift, relative?.low, relative?.high].map(part),
    ];
  });
  return { head: head.map((name) => t(`goals.head.${name}`)), rows };
}

/** The goal that decides. @param {API.Goals} goals */
export const primaryOf = ({ goals }) => goals.find(({ primary }) => primary) ?? goals[0];

/** How the clients are distributed over the branches, compared with their ratios; null if it cannot be told. @param {API.Goals} goals */
export function sizesSentence(goals) {
  const { p, warning } = goals.sample_ratio;
  const planned = primaryOf(goals)?.branches.filter(({ ratio }) => ratio > 0) ?? [];
  if (p === null || planned.length === 0) return null;
  const all = planned.reduce((sum, { ratio }) => sum + ratio, 0);
  const exposed = planned.reduce((sum, { exposed }) => sum + (exposed ?? 0), 0);
  if (!warning) {
    return t("goals.sizes", {
      counts: list(planned.map(({ exposed }) => number(exposed ?? 0))),
      ratios: planned.map(({ ratio }) => number(ratio)).join(" : "),
      p: number(p, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    });
  }
  const over = (/** @type {API.GoalBranch} */ line) => (line.exposed ?? 0) / (exposed * line.ratio / all);
  const fullest = planned.reduce((most, line) => over(line) > over(most) ? line : most);
  return t("goals.skewed", { branch: fullest.branch });
}

/** The finding of a page: a warning of sizes stands above every verdict. @param {API.Goals} goals @returns {string} */
export function headline(goals) {
  const goal = primaryOf(goals);
  if (!goal || goal.branches.every(({ exposed }) => exposed === 0)) return t("goals.none");
  if (goals.sample_ratio.warning) return sizesSentence(goals) ?? "";
  const verdicts = goal.comparisons.map((comparison) =>
    t("goals.headline.branch", { branch: comparison.branch, verdict: verdictWord(comparison) })
  );
  return t("goals.headline", { goal: goal.name, verdicts: list(verdicts) });
}

/**
 * @typedef {{branch: string, exposed: number, converted: number, sum: number, isPartial: boolean}} Cumulated
 *   `isPartial`: the counts of a day are withheld, so that there are at least as many
 */

/**
 * The numbers of the clients exposed up to each day.
 * @param {API.Goal} goal
 * @returns {{day: string, branches: Cumulated[]}[]}
 */
export function cumulated({ days, branches }) {
  const sums = new Map(
    branches.map((
      { branch },
    ) => /** @type {[string, Cumulated]} */ ([branch, { branch, exposed: 0, converted: 0, sum: 0, isPartial: false }])),
  );
  return days.map(({ day, branches: cells }) => {
    for (const cell of cells) {
      const sum = sums.get(cell.branch);
      if (!sum) continue;
      sum.exposed += cell.exposed ?? 0;
      sum.converted += cell.converted ?? 0;
      sum.sum += cell.sum ?? 0;
      sum.isPartial ||= isWithheld(cell);
    }
    return { day, branches: [...sums.values()].map((sum) => ({ ...sum })) };
  });
}

/** The same as a table: the mean of a branch is of its clients exposed so far. @param {API.Goal} goal @returns {import("../charts/plane.js").Table} */
export function dayTable(goal) {
  const word = (/** @type {number} */ value, /** @type {boolean} */ isPartial) =>
    isPartial ? t("goals.least", { value: number(value) }) : number(value);
  const rows = cumulated(goal).flatMap(({ day, branches }) =>
    branches.map(({ branch, exposed, converted, sum, isPartial }) => [
      day,
      branch,
      word(exposed, isPartial),
      word(converted, isPartial),
      isPartial || exposed === 0 ? "–" : meanWord(goal, sum / exposed),
    ])
  );
  const head = ["day", "branch", "exposed", "converted", "mean"];
  return { head: head.map((name) => t(`goals.head.${name}`)), rows };
}

/** The cumulated numbers of exposed clients, as lines. @param {API.Goal} goal @param {string} title @returns {import("../series.js").Series} */
export function exposedSeries(goal, title) {
  const days = cumulated(goal);
  const lines = goal.branches.map(({ branch }) => ({
    name: branch,
    points: new Map(days.map(({ day, branches }) => {
      const count = branches.find((sum) => sum.branch === branch)?.exposed ?? 0;
      return [day, { at: count, low: null, high: null, count }];
    })),
  }));
  const most = Math.max(1, ...days.at(-1)?.branches.map(({ exposed }) => exposed) ?? []);
  const highest = 2 * Math.ceil(scaleOf([{ low: 0, high: most / 2 }]).high);
  const values = days.map(({ day }) => day);
  return {
    id: goal.name,
    title,
    isScore: false,
    lowest: 0,
    highest,
    values,
    lines,
    hidden: 0,
    moves: [],
  };
}

/** When a guard pauses the recipe. @param {API.GoalGuard} guard @param {API.Goal | undefined} goal */
export function guardSentence({ goal: name, worse_than: relative, worse_by: absolute, branch }, goal) {
  const bound = absolute == null
    ? number(relative ?? 0, { ...digits, style: "percent" })
    : goal?.counts === "converted"
    ? t("goals.points", { value: number(100 * absolute, digits) })
    : number(absolute, digits);
  return t(branch === null ? "goals.guard.any" : "goals.guard.one", { goal: name, bound, branch });
}

/** What made a guard fire. @param {API.GoalGuard} guard @param {API.Goal | undefined} goal */
export function firedSentence({ fired }, goal) {
  const effect = fired && goal && effectOf(goal, fired);
  if (!fired || !effect) return null;
  const [value, low, high] = [effect.at, effect.low, effect.high].map(effect.word);
  return t("goals.guard.fired", { branch: fired.branch, value, low, high });
}
