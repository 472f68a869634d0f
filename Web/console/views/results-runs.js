// Results of questionnaires, surveys and flows, block by block.

import { runOf } from "../kinds.js";
import { bars } from "../charts/bars.js";
import { days } from "../charts/columns.js";
import { spans } from "../series.js";
import { wilson } from "../statistics.js";
import { number, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { sideBySide } from "./results-branches.js";
import { questionBlock } from "./results-questions.js";
import { stepsBlock, stopsBlock } from "./results-steps.js";
import { countRow, duration, panel, percent, range } from "./results-words.js";

/**
 * @typedef {{key: string, data: unknown, build: () => any}} Block a part that is built again when its data changes
 * @typedef {import("./results-questions.js").Of} Of
 */

/** @param {Record<string, any>} results */
const totalsOf = (results) => ({
  started: results.total_responses ?? results.total_runs ?? null,
  submitted: results.submitted_count ?? results.completed ?? null,
});

/** The step at the end of a run. @param {API.Results} results */
const endOf = ({ kind }) => runOf(kind)?.end ?? "submitted";

/** @param {API.Results} results @returns {string} the finding as a sentence */
export function runSentence(results) {
  const { started, submitted } = totalsOf(results);
  if (!started || submitted === null) return started === 0 ? "" : t("results.share.unknown");
  const interval = wilson(submitted, started);
  if (!interval) return t("results.share.unknown");
  return t(`results.share.${endOf(results)}`, {
    share: percent(submitted / started),
    low: percent(interval[0]),
    high: percent(interval[1]),
  });
}

/** @param {API.Results} results @param {Of} of @param {{presented: number | null, enrollments: any[], titles: Record<string, string>}} more @returns {Block[]} */
export function runBlocks(results, of, { presented, enrollments, titles }) {
  const { steps = [], drop_off: stops = [], branches = [], by: breakdown, other_revisions: other = [] } = results;
  const block = (/** @type {string} */ key, /** @type {any[]} */ data, /** @type {() => any} */ build) => ({
    key,
    data,
    build,
  });
  const names = namesOf(results);
  return [
    block(
      "funnel",
      [totalsOf(results), presented, results.seconds, results.imported],
      () => funnelBlock(results, presented),
    ),
    block("days", results.days, () => daysBlock(results.days)),
    ...(steps.length > 0
      ? [block("steps", [steps, results.outcomes, results.active], () => stepsBlock(results, titles))]
      : []),
    ...questionBlocks(results, of, names),
    ...(stops.length > 0 ? [block("stops", stops, () => stopsBlock(stops, names))] : []),
    ...(branches.length > 0
      ? [block("branches", [branches, enrollments], () => branchesBlock(results, enrollments))]
      : []),
    ...(breakdown ? [block("breakdown", [breakdown], () => breakdownBlock(breakdown))] : []),
    ...limitsOf(results),
    ...(other.length > 0 ? [block("other", other, () => otherBlock(other))] : []),
  ];
}

/** The names of questions, by their ids. @param {API.Results} results @returns {Map<string, string>} */
const namesOf = ({ questions = [] }) => new Map(questions.map(({ id, title, label }) => [id, title || label || id]));

/**
 * The blocks of questions. Questions without an answer share a block.
 * @param {API.Results} results
 * @param {Of} of
 * @param {Map<string, string>} names
 * @returns {Block[]}
 */
function questionBlocks({ questions = [] }, of, names) {
  const isAnswered = (/** @type {API.QuestionResults} */ question) => question.total_answered !== 0;
  const others = questions.filter((question) => !isAnswered(question));
  const blocks = questions.filter(isAnswered).map((question) => ({
    key: `question-${question.id}`,
    data: question,
    build: () => questionBlock(question, of),
  }));
  if (others.length === 0) return blocks;
  return [...blocks, { key: "unanswered", data: others, build: () => unansweredBlock(others, names) }];
}

/** @param {API.Results} results @param {number | null} presented */
function funnelBlock(results, presented) {
  const { started, submitted } = totalsOf(results);
  const steps = [
    ...(presented !== null && started !== null && presented >= started ? [{ key: "shown", count: presented }] : []),
    { key: "started", count: started },
    { key: endOf(results), count: submitted },
  ];
  return panel(t("results.funnel"), [
    funnel(steps, "funnel"),
    h(
      "p",
      { class: "muted" },
      t("results.runs"),
      " ",
      timeWords(results.seconds),
      results.imported ? ` ${t("results.imported", { count: results.imported })}` : "",
    ),
  ]);
}

/** @param {any} seconds */
const timeWords = (seconds) =>
  seconds?.p90 >= 1
    ? t("results.time", { median: duration(seconds.median * 1000), p90: duration(seconds.p90 * 1000) })
    : "";

/**
 * The steps as bars from one base line, with the largest loss marked.
 * @param {{key: string, count: number | null}[]} steps
 * @param {string} key
 */
export function funnel(steps, key) {
  const first = steps[0].count;
  const lost = steps.map(({ count }, place) =>
    place > 0 && count !== null ? (steps[place - 1].count ?? count) - count : 0
  );
  const most = Math.max(...lost);
  const rows = steps.map(({ key, count }, place) => {
    const before = place > 1 ? steps[place - 1].count : null;
    const end = count === null
      ? t("results.withheld")
      : place === 0 || !first || count > first
      ? number(count)
      : t(`results.step.of.${steps[0].key}`, {
        count,
        share: `${percent(count / first)} ${range(wilson(count, first))}`,
      }) +
        (before && count <= before ? t("results.step.before", { before: percent(count / before) }) : "");
    return {
      label: t(`results.step.${key}`),
      size: count,
      end,
      isMarked: steps.length > 2 && most > 0 && lost[place] === most,
    };
  });
  return bars({
    key,
    name: rows.map(({ label, end }) => `${label} ${end}`).join("; "),
    caption: t("results.funnel"),
    bars: rows,
    table: {
      head: [t("results.head.step"), ...["count", "share", "low", "high"].map((name) => t(`results.head.${name}`))],
      rows: steps.map(({ key, count }) => [t(`results.step.${key}`), ...countRow(count, first)]),
    },
  });
}

/** @param {any[]} list */
function daysBlock(list) {
  if (list.length === 0) return null;
  const sum = (/** @type {string} */ name) => number(list.reduce((total, day) => total + (day[name] ?? 0), 0));
  return panel(t("results.days"), [
    days({
      key: "days",
      name: t("results.days.name", { count: list.length, started: sum("started"), submitted: sum("submitted") }),
      caption: t("results.days"),
      days: list,
      now: Date.now(),
      heads: [t("results.head.started"), t("results.head.submitted")],
    }),
    h("p", { class: "muted" }, t("results.days.legend")),
  ]);
}

/** @param {any[]} questions @param {Map<string, string>} names */
const unansweredBlock = (questions, names) =>
  panel(t("results.unanswered"), [
    h(
      "ul",
      { class: "plain" },
      questions.map(({ id }) =>
        h("li", {}, h("bdi", {}, names.get(id) ?? id), " ", h("bdi", { class: "code muted" }, id))
      ),
    ),
  ]);

/** @param {API.Results} results @param {any[]} enrollments */
function branchesBlock(results, enrollments) {
  const experiments = [...new Set(results.branches.map(({ experiment }) => experiment))];
  return panel(
    t("results.branches"),
    experiments.map((experiment) => {
      const branches = results.branches.filter((branch) => branch.experiment === experiment);
      return sideBySide({
        experiment: String(experiment),
        kind: "submitted",
        branches: branches.map((
          { branch, total_responses, total_runs, submitted_count, completed },
        ) => ({
          branch,
          total: total_responses ?? total_runs ?? null,
          count: submitted_count ?? completed ?? null,
        })),
        enrollment: enrollments.find(({ slug }) => slug === experiment)?.enrollment,
      });
    }),
    "wide",
  );
}

/** @param {{attribute: string, groups: any[], is_complete: boolean}} breakdown */
function breakdownBlock({ attribute, groups, is_complete: isComplete }) {
  const by = spans.includes(attribute) || attribute === "branch" ? t(`results.by.${attribute}`) : attribute;
  const rows = groups.map((group) => ({ value: String(group.value), ...totalsOf(group) }));
  const title = t("results.by.title", { by });
  if (rows.length === 0) return panel(title, [h("p", { class: "empty" }, t("results.by.empty"))], "wide");
  return panel(title, [
    bars({
      key: "breakdown",
      name: t("results.by.name", {
        count: rows.length,
        by,
        first: rows.toSorted((one, other) => (other.started ?? 0) - (one.started ?? 0))[0].value,
      }),
      caption: title,
      bars: rows.map(({ value, started, submitted }) => ({
        label: value,
        size: started,
        end: started === null ? t("results.withheld") : t("results.by.end", {
          count: started,
          share: submitted === null ? "–" : `${percent(submitted / started)} ${range(wilson(submitted, started))}`,
        }),
      })),
      table: {
        head: [by, ...["started", "submitted", "share", "low", "high"].map((name) => t(`results.head.${name}`))],
        rows: rows.map((
          { value, started, submitted },
        ) => [value, started ?? "–", ...countRow(submitted, started)]),
      },
    }),
    !isComplete && h("p", { class: "muted" }, t("results.by.partial")),
  ], "wide");
}

/** @param {API.Results} results @returns {Block[]} */
function limitsOf({ quotas = [], response_limit: limit }) {
  const all = [...quotas, ...(limit ? [{ name: t("results.limit.responses"), ...limit }] : [])];
  if (all.length === 0) return [];
  const build = () =>
    panel(t("results.limits"), [bars({
      key: "limits",
      name: all.map(({ name, taken, limit }) => `${name} ${t("results.limit.of", { taken: taken ?? "–", limit })}`)
        .join("; "),
      caption: t("results.limits"),
      bars: all.map(({ name, taken, limit }) => ({
        label: name,
        size: taken === null ? null : Math.min(taken / limit, 1),
        end: t("results.limit.of", { taken: taken ?? "–", limit }) +
          (taken >= limit ? ` · ${t("results.limit.full")}` : ""),
      })),
      largest: 1,
      table: {
        head: [t("results.head.value"), t("results.head.count")],
        rows: all.map(({ name, taken, limit }) => [name, t("results.limit.of", { taken: taken ?? "–", limit })]),
      },
    })]);
  return [{ key: "limits", data: all, build }];
}

/** @param {any[]} list */
const otherBlock = (list) =>
  panel(t("results.other"), [
    h("p", { class: "muted" }, t("results.other.hint")),
    h(
      "ul",
      { class: "plain" },
      list.map((entry) => h("li", {}, h("bdi", { class: "code" }, otherName(entry)), " ", otherCount(entry))),
    ),
  ]);

/** The question with the type and scale on which its answers were given. @param {any} entry */
const otherName = ({ id, type, scale }) => type ? `${id} (${[type, scale].filter(Boolean).join(" ")})` : id;

/** @param {any} entry */
function otherCount({ total_answered: total, runs, choices = [], average, scale, score }) {
  const count = total ?? runs;
  return [
    count === undefined ? "" : number(count),
    typeof average === "number" ? t("results.mean.plain", { value: number(average), largest: number(scale) }) : "",
    typeof score === "number" ? t("results.nps", { value: number(score) }) : "",
    ...choices.map((/** @type {API.Choice} */ choice) => `${choice.id} ${number(choice.count)}`),
  ].filter((part) => part !== "").join(", ");
}
