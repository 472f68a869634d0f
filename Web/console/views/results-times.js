// Results over time, or by round: a chart of each score and mean, and a table of its numbers.

import { lineChart } from "../charts/lines.js";
import { table } from "../elements/table.js";
import { directionsOf, seriesOf } from "../series.js";
import { number, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { decimal, panel } from "./results-words.js";

/** @typedef {import("../series.js").Series} Series @typedef {import("../series.js").Point} Point */

/** @param {number | null} value @param {boolean} isScore */
const shown = (value, isScore) =>
  value === null
    ? "–"
    : isScore
    ? number(value)
    : number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {Series} series @param {string} by */
function tableOf({ values, lines, isScore }, by) {
  const isOne = lines.length === 1;
  const rows = lines.flatMap(({ name, points }) =>
    values.filter((value) => points.has(value)).map((value) => {
      const { at, low, high, count } = /** @type {Point} */ (points.get(value));
      const cells = [at, low, high].map((one) => shown(one, isScore));
      return [value, ...(isOne ? [] : [name]), ...cells, count === null ? "–" : number(count)];
    })
  );
  const heads = ["value", "low", "high", "answered"].map((name) => t(`results.head.${name}`));
  return { head: [t(`results.by.${by}`), ...(isOne ? [] : [t("results.times.line")]), ...heads], rows };
}

/** The finding of a chart: its first and its last point. @param {Series} series */
function nameOf({ title, values, lines }) {
  const parts = lines.map(({ name, points }) => {
    const known = values.filter((value) => (points.get(value)?.at ?? null) !== null);
    const [first, last] = [known[0], known.at(-1)].map((value) => {
      const at = points.get(value ?? "")?.at;
      return value === undefined ? "–" : t("results.times.point", { value: decimal(at), group: value });
    });
    const words = t("results.times.name", { count: known.length, first, last });
    return name ? `${name}: ${words}` : words;
  });
  return `${title}: ${parts.join("; ")}`;
}

/**
 * Who gave which value, and which one in the round before.
 * @param {Series} series @param {boolean} isOpen
 */
function movesPart({ moves, title, isScore }, isOpen) {
  const name = (/** @type {string | number} */ value) => isScore ? t(`results.group.${value}`) : String(value);
  const label = t("results.moves");
  const heads = [{ text: t("results.moves.from") }, ...moves.map(({ value }) => ({ text: name(value), isEnd: true }))];
  const cell = (/** @type {number | undefined} */ count) => count === undefined && !isOpen ? "–" : number(count ?? 0);
  const rows = moves.map(({ value, counts }) => [
    h("th", { scope: "row" }, name(value)),
    ...moves.map(({ value: to }) => h("td", { class: "end" }, cell(counts.get(to)))),
  ]);
  return [
    h("h3", {}, label),
    h("p", {}, t("results.moves.words", directionsOf(moves))),
    table(`${label}: ${title}`, heads, rows),
  ];
}

/**
 * A block for each question with a score or a mean.
 * @param {string} by what the groups are
 * @param {import("../series.js").Named[]} all
 * @param {{isOpen: boolean, isComplete: boolean, minimum: number}} rights `isOpen`: no count is withheld
 * @returns {import("./results-runs.js").Block[]}
 */
export function timeBlocks(by, all, { isOpen, isComplete, minimum }) {
  return seriesOf(all).map((series) => ({
    key: `times-${series.id}`,
    data: [
      by,
      series.values,
      series.lines.map(({ name, points }) => [name, ...points]),
      series.moves.map(({ counts }) => [...counts]),
    ],
    build: () =>
      panel(t("results.times.title", { title: series.title, by: t(`results.by.${by}`) }), [
        lineChart(series, { key: `times-${series.id}`, name: nameOf(series), table: tableOf(series, by) }),
        h("p", { class: "muted" }, t("results.times.band")),
        series.hidden > 0 && h("p", { class: "muted" }, t("results.times.hidden", { count: series.hidden })),
        !isComplete && h("p", { class: "muted" }, t("results.by.partial")),
        series.moves.length > 0 && movesPart(series, isOpen),
        !isOpen && minimum > 1 && h("p", { class: "muted" }, t("results.times.few", { minimum })),
      ], "wide"),
  }));
}
