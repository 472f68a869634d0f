// Results over time, or by round: a chart of each score and mean, and a table of its numbers.

import { lineChart } from "../charts/lines.js";
import { seriesOf } from "../series.js";
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
 * A block for each question with a score or a mean.
 * @param {string} by what the groups are
 * @param {import("../series.js").Named[]} all
 * @param {{isOpen: boolean, isComplete: boolean, minimum: number}} rights `isOpen`: no count is withheld
 * @returns {import("./results-runs.js").Block[]}
 */
export function timeBlocks(by, all, { isOpen, isComplete, minimum }) {
  return seriesOf(all).map((series) => ({
    key: `times-${series.id}`,
    data: [by, series.values, series.lines.map(({ name, points }) => [name, ...points])],
    build: () =>
      panel(t("results.times.title", { title: series.title, by: t(`results.by.${by}`) }), [
        lineChart(series, { key: `times-${series.id}`, name: nameOf(series), table: tableOf(series, by) }),
        h("p", { class: "muted" }, t("results.times.band")),
        series.hidden > 0 && h("p", { class: "muted" }, t("results.times.hidden", { count: series.hidden })),
        !isComplete && h("p", { class: "muted" }, t("results.by.partial")),
        !isOpen && minimum > 1 && h("p", { class: "muted" }, t("results.times.few", { minimum })),
      ], "wide"),
  }));
}
