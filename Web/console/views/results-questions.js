// The answers to each question: options, ratings, scores, numbers, texts.

import { bars } from "../charts/bars.js";
import { binned, distribution, plainNumber } from "../charts/columns.js";
import { time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { mean, nps, wilson } from "../statistics.js";
import { number, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { countRow, countWords, decimal, percent, shareHeads } from "./results-words.js";

/**
 * @typedef {{link: (values: Record<string, string>, id?: string) => string, canRead: boolean,
 *   go: (address: string) => void, part?: string}} Of
 *   `link` is the address of responses; `part` distinguishes several results on one page
 */

/** @param {API.QuestionResults} question @param {Of} of @returns {HTMLElement} */
export function questionBlock(question, of) {
  const title = question.title || question.label || question.id;
  const total = question.total_answered;
  const head = h(
    "div",
    { class: "question-head" },
    h("h3", {}, h("bdi", {}, title)),
    h(
      "span",
      { class: "muted" },
      h("bdi", { class: "code" }, question.id),
      " · ",
      total === null ? t("results.withheld") : t("results.answered", { count: total }),
    ),
  );
  return h(
    "section",
    { class: "panel question" },
    head,
    parts(question, title, { ...of, part: `${of.part ?? ""}${question.id}` }),
  );
}

/** @param {API.QuestionResults} question @param {string} title @param {Of} of */
function parts(question, title, of) {
  const total = question.total_answered;
  return [
    question.type === "nps" && scoreOf(question, title, of),
    question.type !== "nps" && question.buckets && ratingOf(question, title, of),
    question.choices && total !== 0 && optionsOf(question.choices, total, title, of),
    question.distribution && spreadOf(question.distribution, title, of, "spread"),
    question.units &&
    optionsOf(
      question.units.map((/** @type {any} */ { labels, count }) => ({ id: labels, count })),
      total,
      `${title}: ${t("results.units")}`,
      of,
      "units",
    ),
    ...(question.amounts ?? []).map((amount) =>
      spreadOf(amount, t("results.amount", { title, label: amount.label }), of, `amount-${amount.label}`, amount.label)
    ),
    ...(question.rows ?? []).map((row) =>
      h(
        "div",
        { class: "row-of" },
        h("h4", {}, h("bdi", {}, row.title || row.id)),
        optionsOf(
          row.choices,
          row.total_answered,
          t("results.row", { title, row: row.title || row.id }),
          of,
          `row-${row.id}`,
        ),
      )
    ),
    question.recent_answers && !isCounted(question) && textsOf(question, of),
  ];
}

/** Whether the distribution of the answers is shown. @param {API.QuestionResults} question */
const isCounted = ({ distribution, units, amounts, rows }) => !!(distribution || units || amounts || rows);

/** @param {API.QuestionResults} question @param {string} title @param {Of} of */
function scoreOf({ promoters, passives, detractors, buckets, score }, title, of) {
  if (score === null || buckets.length === 0) return null;
  const isWhole = [promoters, passives, detractors].every((count) => count !== null);
  const estimate = isWhole ? nps(promoters, passives, detractors) : null;
  const total = isWhole ? promoters + passives + detractors : 0;
  const share = (/** @type {number} */ count) => isWhole && total > 0 ? percent(count / total) : "–";
  const group = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ count) => ({
    from,
    to,
    short: `${from}–${to}`,
    label: t("results.nps.group", { name: `${from}–${to}`, share: share(count) }),
  });
  const looks = (/** @type {number} */ value) => value >= 9 ? "is-good" : value >= 7 ? "is-middle" : "is-bad";
  const shares = { promoters: share(promoters), passives: share(passives), detractors: share(detractors) };
  const [low, high] = (estimate?.interval ?? []).map(Math.round);
  const sure = estimate?.interval && h("span", { class: "muted" }, " ", t("results.nps.interval", { low, high }));
  return [
    h("p", { class: "estimate" }, h("strong", {}, t("results.nps", { value: score })), sure),
    distribution({
      key: `${of.part}-nps`,
      name: t("results.nps.name", { title, value: score, ...shares }),
      caption: title,
      columns: buckets.map(({ value, count }) => ({
        label: String(value),
        count,
        look: looks(value),
      })),
      groups: buckets.length === 11 ? [group(0, 6, detractors), group(7, 8, passives), group(9, 10, promoters)] : [],
      table: bucketTable(buckets, total || null),
    }),
  ];
}

/** @param {API.QuestionResults} question @param {string} title @param {Of} of */
function ratingOf({ buckets, average, total_answered: total }, title, of) {
  if (!total) return null;
  const largest = Math.max(...buckets.map(({ value }) => value));
  const estimate = buckets.every(({ count }) => count !== null) ? mean(buckets) : null;
  const value = decimal(average);
  const words = estimate?.interval
    ? t("results.mean", { value, low: decimal(estimate.interval[0]), high: decimal(estimate.interval[1]), largest })
    : t("results.mean.plain", { value, largest });
  return [
    average !== null && h("p", { class: "estimate" }, h("strong", {}, words)),
    distribution({
      key: `${of.part}-rating`,
      name: t("results.mean.name", { title, value, largest }),
      caption: title,
      columns: buckets.map(({ value, count }) => ({ label: String(value), count })),
      table: bucketTable(buckets, total),
    }),
  ];
}

/** @param {import("../statistics.js").Bucket[]} buckets @param {number | null} total */
const bucketTable = (buckets, total) => ({
  head: shareHeads(),
  rows: buckets.map(({ value, count }) => [String(value), ...countRow(count, total)]),
});

/** @param {API.Choice[]} choices @param {number | null} total @param {string} title @param {Of} of @param {string} [part] */
function optionsOf(choices, total, title, of, part = "options") {
  const label = (/** @type {API.Choice} */ choice) => choice.label || choice.id || "";
  const known = choices.filter(({ count }) => count !== null);
  const first = known.find(({ count }) => count > 0 && count === Math.max(...known.map(({ count }) => count)));
  const name = first && total
    ? t("results.options.name", { title, first: label(first), share: percent(first.count / total) })
    : t("results.options.none", { title });
  const size = (/** @type {number | null} */ count) => count === null ? null : total ? count / total : count;
  return bars({
    key: `${of.part}-${part}`,
    name,
    caption: title,
    bars: choices.map((choice) => ({
      label: label(choice),
      size: size(choice.count),
      interval: choice.count === null || !total ? null : wilson(choice.count, total),
      end: countWords(choice.count, total),
    })),
    table: { head: shareHeads(), rows: choices.map((choice) => [label(choice), ...countRow(choice.count, total)]) },
  });
}

/** @param {API.Spread} spread @param {string} title @param {Of} of @param {string} part @param {string} [label] */
function spreadOf({ buckets, median, kind }, title, of, part, label) {
  if (!buckets || buckets.length === 0) return null;
  const columns = binned(buckets, kind);
  const most = columns.reduce((best, column) => (column.count ?? 0) > (best.count ?? 0) ? column : best);
  return [
    label && h("h4", {}, h("bdi", {}, label)),
    median !== undefined && median !== null &&
    h("p", { class: "muted" }, t("results.median", { value: plainNumber(median) })),
    distribution({
      key: `${of.part}-${part}`,
      name: t("results.spread.name", { title, count: buckets.length, value: most.label }),
      caption: title,
      columns,
      table: {
        head: [t("results.head.value"), t("results.head.count")],
        rows: buckets.map((
          { value, count },
        ) => [String(value), count === null ? "–" : number(count)]),
      },
    }),
  ];
}

/** @param {API.QuestionResults} question @param {Of} of */
function textsOf({ id, recent_answers: texts, choices }, of) {
  if (texts.length === 0) return of.canRead ? h("p", { class: "muted" }, t("results.text.hidden")) : null;
  const words = (/** @type {unknown} */ answer) => typeof answer === "string" ? answer : JSON.stringify(answer);
  return [
    of.canRead && !choices && searchForm(id, of),
    h("h4", {}, t("results.text.newest")),
    h(
      "ul",
      { class: "rows answers" },
      texts.map(({ response_id: response, answer, text = words(answer), created_at: at, option }) =>
        h(
          "li",
          {},
          h("bdi", { class: "answer" }, option ? `${option}: ${text}` : text),
          h("span", { class: "end muted" }, time(at)),
          of.canRead && h("a", { href: of.link({}, response) }, t("results.text.open")),
        )
      ),
    ),
  ];
}

/**
 * A form that opens the responses whose answer contains a text.
 * @param {string} id the id of the question
 * @param {Of} of
 */
function searchForm(id, of) {
  const input = h("input", {
    type: "search",
    class: "field",
    maxlength: 200,
    "aria-label": t("results.text.search"),
    placeholder: t("results.text.search"),
  });
  return h(
    "form",
    {
      class: "text-search",
      role: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        of.go(of.link({ question: id, q: input.value.trim() }));
      },
    },
    h("span", { class: "search" }, icon("search"), input),
    h("button", { type: "submit", class: "button" }, t("results.text.do")),
  );
}
