// The goals of an experiment on its page of results: a test of sizes, then each goal with its verdicts, the primary one
// first, and the guards (docs/reference/goals.md).

import { forest, planBar } from "../charts/forest.js";
import { lineChart, most } from "../charts/lines.js";
import { button, time } from "../elements/parts.js";
import { table } from "../elements/table.js";
import { icon } from "../icons.js";
import { addTexts, number, t } from "../texts.js";
import goalTexts from "../texts/en_goals.js";
import { h } from "../../shared/dom.js";
import * as words from "./goal-words.js";
import { panel } from "./results-words.js";

addTexts(goalTexts);

/**
 * @typedef {import("./results-runs.js").Block} Block
 * @typedef {{minimum: number, choose: (period: string) => void, resume?: () => void}} Of `resume` is there while the
 *   recipe is paused and may be resumed here
 */

/** @param {API.Goals} goals @returns {string} the finding as a sentence */
export const goalSentence = (goals) => words.headline(goals);

/** @param {API.Goals} goals @param {Of} of @returns {Block[]} */
export function goalBlocks(goals, of) {
  const { period, periods, since, control, sample_ratio: sizes, guards } = goals;
  const sorted = goals.goals.toSorted((left, right) => Number(right.primary) - Number(left.primary));
  const first = words.primaryOf(goals)?.branches;
  return [
    {
      key: "goals",
      data: [period, periods, since, control, sizes, first, goals.goals.map(({ name, primary }) => [name, primary])],
      build: () => headBlock(goals, of),
    },
    ...(guards.length > 0
      ? [{ key: "goals-guards", data: [guards, !!of.resume], build: () => guardBlock(goals, of) }]
      : []),
    ...sorted.map((goal) => ({
      key: `goal-${goal.name}`,
      data: [goal, control, of.minimum],
      build: () => goalBlock(goal, control, of),
    })),
  ];
}

/** What holds for all goals, below the test of sizes. @param {API.Goals} goals @param {Of} of */
function headBlock(goals, { choose }) {
  const { period, periods, since, control, level, sample_ratio: { warning } } = goals;
  const sizes = words.sizesSentence(goals);
  const primary = words.primaryOf(goals);
  const share = number(level, { style: "percent" });
  return panel(t("goals.title"), [
    sizes && warning && h("p", { class: "note is-warning" }, icon("warning"), h("span", {}, sizes)),
    primary && h("p", {}, t("goals.decides", { goal: primary.name, level: share })),
    sizes && !warning && h("p", { class: "muted" }, sizes),
    h("p", { class: "muted" }, t("goals.period.since", { control, period }), " ", time(since)),
    periods > 1 && periodField(period, periods, choose),
  ], "wide");
}

/** @param {number} period @param {number} periods @param {(period: string) => void} choose */
function periodField(period, periods, choose) {
  const select = h("select", { class: "field", "data-key": "goals-period", onchange: () => choose(select.value) });
  const all = Array.from({ length: periods }, (_, place) => periods - place);
  select.append(...all.map((value) => h("option", { value }, number(value))));
  select.value = String(period);
  return h(
    "div",
    { class: "filters" },
    h("label", {}, t("goals.period"), select),
    h("span", { class: "muted" }, t("goals.period.why")),
  );
}

/** @param {API.Goal} goal @param {string} control @param {Of} of */
function goalBlock(goal, control, { minimum }) {
  const isHidden = goal.branches.some(words.isWithheld) ||
    goal.days.some(({ branches }) => branches.some(words.isWithheld));
  const cuped = goal.comparisons.map(words.cupedSentence).filter((one) => one !== null);
  return panel(t(goal.primary ? "goals.goal.primary" : "goals.goal", { goal: goal.name }), [
    h("p", { class: "muted" }, words.countedWords(goal)),
    h(
      "ul",
      { class: "sentences" },
      goal.comparisons.map((comparison) => h("li", {}, words.comparisonSentence(goal, comparison, control))),
    ),
    effects(goal, control),
    cuped.length > 0 && h("p", { class: "muted" }, cuped.join(" ")),
    goal.plan && plan(goal, goal.plan),
    branchTable(goal),
    isHidden && minimum > 1 &&
    h("p", { class: "muted" }, icon("lock"), " ", t("goals.withheld", { last: minimum - 1 })),
    goal.days.length > 0 && days(goal),
  ], "wide");
}

/** The plot of the effects. @param {API.Goal} goal @param {string} control */
function effects(goal, control) {
  const { effects, word } = words.effectsOf(goal);
  if (effects.length === 0) return null;
  const finding = effects.map(({ label, end }) => `${label}: ${end}`).join("; ");
  const caption = t("goals.effects", { goal: goal.name, control });
  const name = `${caption}: ${finding}`;
  return forest(effects, { key: `goal-${goal.name}`, name, caption, word, table: words.comparisonTable(goal) });
}

/** How much of its plan a goal has. @param {API.Goal} goal @param {NonNullable<API.Goal["plan"]>} plan */
function plan({ name: goal }, { mde, plan_clients: clients, information }) {
  const value = number(information ?? 0, { maximumFractionDigits: 2 });
  const name = t("goals.plan.name", { goal, value });
  return [
    h("h3", {}, t("goals.plan")),
    planBar(information ?? 0, { key: `plan-${goal}`, name, caption: t("goals.plan") }),
    h("p", { class: "muted" }, t("goals.plan.says", { clients, mde: number(mde, { style: "percent" }) })),
  ];
}

/** @param {API.Goal} goal */
function branchTable(goal) {
  const hasSum = goal.counts === "sum";
  const count = (/** @type {API.Count} */ value) => value === null ? t("goals.few") : number(value);
  const names = ["branch", "ratio", "exposed", "converted", ...(hasSum ? ["sum"] : []), "mean", "low", "high"];
  const heads = names.map((name) => ({ text: t(`goals.head.${name}`), isEnd: name !== "branch" }));
  const mean = (/** @type {number | null | undefined} */ value) => value == null ? "–" : words.meanWord(goal, value);
  const rows = goal.branches.map(({ branch, ratio, exposed, converted, sum, mean: middle, interval }) => {
    const cells = [
      number(ratio),
      count(exposed),
      count(converted),
      ...(hasSum ? [sum === null ? "–" : number(sum)] : []),
      ...[middle, interval?.low, interval?.high].map(mean),
    ];
    return [h("th", { scope: "row" }, h("bdi", {}, branch)), ...cells.map((text) => h("td", { class: "end" }, text))];
  });
  return table(t("goals.branches", { goal: goal.name }), heads, rows);
}

/** The numbers by day of exposure. @param {API.Goal} goal */
function days(goal) {
  const title = t("goals.days", { goal: goal.name });
  const series = words.exposedSeries(goal, title);
  const name = t("goals.days.name", { title, count: series.values.length });
  const shown = { ...series, lines: series.lines.slice(0, most) };
  return [
    h("h3", {}, t("goals.days.title")),
    lineChart(shown, { key: `goal-days-${goal.name}`, name, table: words.dayTable(goal) }),
    h("p", { class: "muted" }, t("goals.days.says")),
  ];
}

/** @param {API.Goals} goals @param {Of} of */
function guardBlock({ goals, guards }, { resume }) {
  const isFired = guards.some(({ state }) => state === "fired");
  const pictures = { armed: "check", fired: "warning", off: "stop" };
  const rows = guards.map((guard) => {
    const goal = goals.find(({ name }) => name === guard.goal);
    const fired = words.firedSentence(guard, goal);
    return h(
      "li",
      {},
      icon(pictures[guard.state]),
      h("span", {}, words.guardSentence(guard, goal), fired && [" ", fired, " ", time(guard.fired?.at)]),
      h("span", { class: "end" }, t(`goals.guard.is.${guard.state}`)),
    );
  });
  return panel(t("goals.guards"), [
    h("ul", { class: "rows" }, rows),
    isFired && h("p", { class: "muted" }, t("goals.guard.why")),
    isFired && resume && h("div", {}, button(t("action.resume"), "play", resume)),
  ], "wide");
}
