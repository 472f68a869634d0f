// Results of messages, experiments and rollouts, block by block.

import { bars } from "../charts/bars.js";
import { days } from "../charts/columns.js";
import { wilson } from "../statistics.js";
import { number, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { sideBySide, sizeLine } from "./results-branches.js";
import { funnel } from "./results-runs.js";
import { countRow, countWords, decimal, panel, percent, shareHeads } from "./results-words.js";

/**
 * @typedef {import("./results-runs.js").Block} Block
 */

/** @param {API.MessageResults} message */
const shown = (message) => message.funnel.all.shown.clients;

/** The displayed name of a message's step. A card has a button, and a microsurvey has a question. */
const named = (/** @type {string} */ key, /** @type {boolean} */ asks) => key === "started" && !asks ? "pressed" : key;

/** The goal of a message. @param {API.MessageResults} message @returns {"answered" | "started"} */
const goal = (message) => message.is_microsurvey ? "answered" : "started";

/** Whether clients of a control would have seen the message. @param {API.MessageResults} message */
const hasControls = ({ funnel }) => funnel.branches.some((line) => line.is_control && line.exposed.clients !== 0);

/** The messages with displays or answers, or the only message. @param {API.Results} results @returns {API.MessageResults[]} */
function heard({ messages }) {
  const own = messages.filter((message) => !message.is_control);
  const used = own.filter((message) => shown(message) !== 0 || message.all.answers !== 0 || hasControls(message));
  return used.length > 0 ? used : (own.length > 0 ? own : messages).slice(0, 1);
}

/** @param {API.Results} results @returns {string} the finding as a sentence */
export function messageSentence(results) {
  const enrolled = results.enrollment?.branches.reduce(
    (/** @type {number} */ sum, { enrolled }) => sum + (enrolled ?? 0),
    0,
  );
  if (results.messages.length === 0) return enrolled ? t("results.enrolled", { count: enrolled }) : "";
  const [first] = heard(results).toSorted((left, right) => (shown(right) ?? 0) - (shown(left) ?? 0));
  const [total, answered] = [shown(first), first.funnel.all[goal(first)].clients];
  if (total === 0) return enrolled ? t("results.enrolled", { count: enrolled }) : "";
  const interval = total === null || answered === null ? null : wilson(answered, total);
  if (!interval || total === null) return t("results.share.unknown");
  return t(first.is_microsurvey ? "results.share.answered" : "results.share.pressed", {
    share: percent(answered / total),
    low: percent(interval[0]),
    high: percent(interval[1]),
  });
}

/**
 * @param {API.Results} results
 * @param {((branch: string) => any) | undefined} winner the action on a branch
 * @returns {Block[]}
 */
export function messageBlocks(results, winner) {
  const of = { results, winner };
  const blocks = heard(results).flatMap((message) => ofMessage(message, of));
  const { enrollment } = results;
  if (enrollment && !blocks.some(({ key }) => key.startsWith("branches"))) {
    blocks.push({ key: "enrollment", data: enrollment, build: () => enrollmentBlock(enrollment, of) });
  }
  return blocks;
}

/** @typedef {{results: API.Results, winner?: (branch: string) => any}} Of */

/** @param {API.MessageResults} message @param {Of} of @returns {Block[]} */
function ofMessage(message, of) {
  const key = message.message;
  const title = (/** @type {string} */ text) => of.results.messages.length === 1 ? text : `${text} · ${key}`;
  const answers = message.days.filter(({ day }) => day).map((
    { day, answers },
  ) => ({ day, started: answers, submitted: answers }));
  return [
    { key: `funnel-${key}`, data: message.funnel, build: () => funnelBlock(message, title(t("results.funnel"))) },
    ...(answers.length > 0
      ? [{ key: `days-${key}`, data: answers, build: () => daysBlock(answers, title(t("results.days")), key) }]
      : []),
    ...(message.options.length > 0
      ? [{
        key: `options-${key}`,
        data: [message.all, message.options],
        build: () => optionsBlock(message, title(t("results.answers"))),
      }]
      : []),
    ...(message.funnel.branches.some(({ branch }) => branch)
      ? [{
        key: `branches-${key}`,
        data: [message.funnel.branches, message.branches, of.results.enrollment, !!of.results.goals],
        build: () => branchBlock(message, of),
      }]
      : []),
  ];
}

/** @param {API.MessageResults} message @param {string} title */
function funnelBlock(
  { message, funnel: { all, branches, is_complete: isComplete, since }, is_microsurvey: asks },
  title,
) {
  const keys = asks ? ["shown", "started", "answered", "dismissed"] : ["shown", "started", "dismissed"];
  const steps = keys.map((key) => ({ key: named(key, asks), count: all[key].clients }));
  const going = steps.filter(({ key, count }) => key !== "dismissed" || count !== 0);
  return panel(title, [
    funnel(going.filter(({ key }) => key !== "dismissed"), `funnel-${message}`),
    h(
      "p",
      { class: "muted" },
      t("results.clients"),
      " ",
      all.dismissed.clients === 0
        ? ""
        : `${t("results.step.dismissed")}: ${countWords(all.dismissed.clients, all.shown.clients)}.`,
    ),
    ...branches.filter((line) => line.is_control).map(({ branch, exposed }) =>
      h(
        "p",
        { class: "muted" },
        t("results.control", {
          branch,
          count: exposed.clients === null ? t("results.withheld") : number(exposed.clients),
        }),
      )
    ),
    !isComplete && since && h("p", { class: "muted" }, t("results.since", { time: since })),
  ]);
}

/** @param {any[]} list @param {string} title @param {string} key */
function daysBlock(list, title, key) {
  const sum = number(list.reduce((total, { started }) => total + (started ?? 0), 0));
  return panel(title, [days({
    key: `days-${key}`,
    name: t("results.days.answers", { count: list.length, started: sum }),
    caption: title,
    days: list,
    now: Date.now(),
    heads: [t("results.answers")],
  })]);
}

/** @param {API.MessageResults} message @param {string} title */
function optionsBlock({ message, options, all, is_complete: isComplete }, title) {
  const total = all.answers;
  const text = (/** @type {{option: string, text?: string}} */ { option, text }) => text || option;
  const counts = new Map(all.options.map((line) => [line.option, line.count]));
  // A count of null is withheld. An option without a count has no answers.
  const rows = options.map((option) => ({
    label: text(option),
    count: counts.has(option.option) ? counts.get(option.option) ?? null : 0,
  }));
  const first = rows.reduce((best, row) => (row.count ?? 0) > (best.count ?? 0) ? row : best);
  const name = total && first.count
    ? t("results.options.name", { title, first: first.label, share: percent(first.count / total) })
    : t("results.options.none", { title });
  return panel(title, [
    estimateLine(all),
    bars({
      key: `options-${message}`,
      name,
      caption: title,
      bars: rows.map(({ label, count }) => ({
        label,
        size: count === null ? null : total ? count / total : count,
        interval: count === null || !total ? null : wilson(count, total),
        end: countWords(count, total),
      })),
      table: {
        head: shareHeads(),
        rows: rows.map(({ label, count }) => [label, ...countRow(count, total)]),
      },
    }),
    h(
      "p",
      { class: "muted" },
      total === null ? t("results.withheld") : t("results.answered", { count: total }),
      isComplete ? "" : ` ${t("results.partial")}`,
    ),
  ]);
}

/** The line with a mean and a score. @param {API.Answers} line */
function estimateLine({ mean, nps, scale }) {
  const interval = (/** @type {API.Estimate} */ { interval }) =>
    interval ? ` [${decimal(interval[0])}–${decimal(interval[1])}]` : "";
  if (nps) {
    return h(
      "p",
      { class: "estimate" },
      h("strong", {}, t("results.nps", { value: Math.round(nps.value) })),
      h("span", { class: "muted" }, interval(nps)),
    );
  }
  if (mean) {
    return h(
      "p",
      { class: "estimate" },
      h("strong", {}, decimal(mean.value)),
      h("span", { class: "muted" }, interval(mean), " ", scale === "likert" ? "/ 5" : ""),
    );
  }
  return null;
}

/** @param {API.MessageResults} message @param {Of} of */
function branchBlock(message, { results, winner }) {
  const enrolled = new Map(
    results.enrollment?.branches.map((/** @type {any} */ line) => [line.branch, line.enrolled]) ?? [],
  );
  const order = [...enrolled.keys()];
  const place = (/** @type {{branch?: string}} */ { branch }) =>
    order.includes(branch) ? order.indexOf(branch) : order.length;
  const branches = message.funnel.branches.toSorted((left, right) => place(left) - place(right))
    .map((/** @type {any} */ line) => ({
      branch: line.branch ?? null,
      enrolled: enrolled.get(line.branch),
      total: line.shown.clients,
      count: line[goal(message)].clients,
      ...(line.is_control ? { exposed: line.exposed.clients } : {}),
    }));
  return panel(t("results.branches"), [
    sideBySide({
      experiment: message.message,
      kind: message.is_microsurvey ? "answered" : "pressed",
      branches,
      enrollment: results.enrollment,
      hasGoals: !!results.goals,
      end: winner,
    }),
    ...message.branches.filter((line) => line.mean || line.nps).map((line) =>
      h(
        "div",
        { class: "branch-score" },
        h("h4", {}, h("bdi", {}, line.branch ?? t("results.branches.none"))),
        estimateLine(line),
      )
    ),
  ], "wide");
}

/** @param {import("./results-branches.js").Enrollment} enrollment @param {{winner?: (branch: string) => any}} of */
function enrollmentBlock(enrollment, { winner }) {
  const { branches } = enrollment;
  const total = branches.reduce(
    (/** @type {number} */ sum, { enrolled }) => sum + (enrolled ?? 0),
    0,
  );
  const word = (/** @type {{ratio: number | null}} */ { ratio }) => ratio === null ? "–" : number(ratio);
  return panel(t("results.branches.enrollment"), [
    bars({
      key: "enrollment",
      name: branches.map(({ branch, enrolled }) => `${branch} ${enrolled ?? "–"}`).join("; "),
      caption: t("results.branches.enrollment"),
      bars: branches.map(({ branch, enrolled }) => ({
        label: branch,
        size: enrolled,
        end: countWords(enrolled, total),
      })),
      table: {
        head: ["branch", "planned", "enrolled"].map((name) => t(`results.head.${name}`)),
        rows: branches.map((line) => [line.branch, word(line), line.enrolled ?? "–"]),
      },
    }),
    sizeLine(enrollment),
    winner &&
    h(
      "div",
      { class: "branch-actions" },
      branches.map(({ branch, ratio }) => ratio !== null && winner(branch)),
    ),
  ], "wide");
}
