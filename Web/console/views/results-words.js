// The numbers of results as texts: shares with their intervals, withheld numbers.

import { sectionHead } from "../elements/parts.js";
import { wilson } from "../statistics.js";
import { number, t } from "../texts.js";
import { h } from "../../shared/dom.js";

/** @param {number} value */
export const percent = (value) => number(value, { style: "percent", maximumFractionDigits: 0 });

/** @param {number | null | undefined} value */
export const decimal = (value) =>
  value === null || value === undefined ? "–" : number(value, { maximumFractionDigits: 1 });

/** "[50–60]", in percent. @param {[number, number] | null} interval */
export const range = (interval) =>
  interval
    ? `[${number(100 * interval[0], { maximumFractionDigits: 0 })}–${
      number(100 * interval[1], { maximumFractionDigits: 0 })
    }]`
    : "";

/**
 * The text of a count after a bar.
 * @param {number | null} count
 * @param {number | null} total
 */
export function countWords(count, total) {
  if (count === null) return t("results.withheld");
  if (!total || count > total) return number(count);
  return `${number(count)} · ${percent(count / total)} ${range(wilson(count, total))}`;
}

/**
 * The cells of a table row: a count, its share, and the bounds of its interval.
 * @param {number | null} count
 * @param {number | null} total
 */
export function countRow(count, total) {
  const interval = count === null || !total ? null : wilson(count, total);
  return [
    count === null ? "–" : number(count),
    count === null || !total || count > total ? "–" : percent(count / total),
    interval ? percent(interval[0]) : "–",
    interval ? percent(interval[1]) : "–",
  ];
}

/** @param {number | null} milliseconds */
export function duration(milliseconds) {
  if (milliseconds === null) return "–";
  const seconds = milliseconds / 1000;
  const unit = (/** @type {number} */ value, /** @type {string} */ name) =>
    number(value, { style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: value < 10 ? 1 : 0 });
  return seconds < 100
    ? unit(seconds, "second")
    : seconds < 6000
    ? unit(seconds / 60, "minute")
    : unit(seconds / 3600, "hour");
}

/** @returns {string[]} */
export const shareHeads = () => ["option", "count", "share", "low", "high"].map((name) => t(`results.head.${name}`));

/** @param {string} title @param {any[]} content @param {string} [look] */
export const panel = (title, content, look = "") =>
  h("section", { class: look }, sectionHead(title), h("div", { class: "panel results-panel" }, content));
