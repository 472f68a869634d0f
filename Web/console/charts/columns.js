// Columns: the distribution of answers over values, and the number of answers on each day.

import { day as dayText, number, t } from "../texts.js";
import { figure } from "./plane.js";

/**
 * @typedef {{label: string, count: number | null, look?: string}} Column
 * @typedef {{from: number, to: number, label: string, short: string}} Group the columns from one index to another
 * @typedef {import("./plane.js").Plane} Plane
 */

const high = 96;
const day = 86_400_000;
/** The distance from an edge within which a day's label is not centred below its column. */
const labelHalf = 32;
/** The number of days from which on columns are weeks. */
const longSpan = 90;

/**
 * @param {{key: string, name: string, caption: string, columns: Column[], groups?: Group[],
 *   table: import("./plane.js").Table}} options
 */
export function distribution({ key, name, caption, columns, groups = [], table }) {
  const draw = (/** @type {Plane} */ plane) => {
    const top = groups.length > 0 ? 40 : 18;
    const wide = Math.min(plane.width / columns.length, 72);
    const most = Math.max(1, ...columns.map(({ count }) => count ?? 0));
    const hatch = columns.some(({ count }) => count === null) ? plane.hatch() : "";
    const longest = Math.max(...columns.map(({ label }) => label.length));
    const every = Math.ceil((longest * 7.5 + 8) / wide);
    const base = top + high;
    columns.forEach(({ label, count, look = "" }, place) => {
      const tall = count === null ? 14 : Math.max(count / most * high, count > 0 ? 2 : 0);
      const [x, middle] = [place * wide + wide * 0.1, (place + 0.5) * wide];
      plane.rect(
        x,
        base - tall,
        wide * 0.8,
        tall,
        count === null ? "chart-withheld" : `chart-bar ${look}`,
        count === null ? hatch : "",
      );
      if (place % every === 0) plane.text(middle, base + 16, label, "", "middle");
      if (count !== null && wide >= 24) plane.text(middle, base - tall - 5, number(count), "", "middle");
    });
    plane.line([0, base], [columns.length * wide, base], "chart-base");
    for (const { from, to, label, short } of groups) {
      const [begin, end] = [from * wide + wide * 0.1, (to + 1) * wide - wide * 0.1];
      plane.text((begin + end) / 2, 12, end - begin > 76 ? label : short, "is-strong", "middle");
      plane.line([begin, 20], [end, 20], "chart-base");
    }
    return base + 24;
  };
  return figure({ key, name, caption, draw, table });
}

/** @typedef {{day: string, started: number | null, submitted: number | null}} Day */

/**
 * Answers per day, in UTC. Days without answers are gaps. From ninety days on, each column is a week; the current one
 * is hatched.
 * @param {{key: string, name: string, caption: string, days: Day[], now: number, heads: string[]}} options
 *   `heads` names the table's columns: what began, and what was submitted; a single name is for both
 */
export function days({ key, name, caption, days: list, now, heads }) {
  const spans = grouped(list, now);
  const table = {
    head: [t("chart.day"), ...heads],
    rows: list.map(({ day, started, submitted }) => [day, ...[started, submitted].slice(0, heads.length).map(shown)]),
  };
  const draw = (/** @type {Plane} */ plane) => {
    const [top, inset] = [18, 4];
    const base = top + high;
    const wide = Math.min((plane.width - 2 * inset) / spans.length, 40);
    const most = Math.max(1, ...spans.map(({ started }) => started));
    const hatch = plane.hatch();
    const every = Math.ceil(spans.length / Math.max(2, Math.min(7, Math.floor(plane.width / 64))));
    spans.forEach(({ at, started, submitted, isRunning }, place) => {
      const tall = (/** @type {number} */ count) => Math.max(count / most * high, count > 0 ? 2 : 0);
      const x = inset + place * wide;
      const gap = wide > 4 ? wide * 0.15 : 0;
      plane.rect(x + gap, base - tall(started), wide - 2 * gap, tall(started), "chart-soft");
      plane.rect(x + gap, base - tall(submitted), wide - 2 * gap, tall(submitted), "chart-bar", "");
      if (isRunning) plane.rect(x + gap, base - tall(started), wide - 2 * gap, tall(started), "chart-running", hatch);
      const middle = x + wide / 2;
      if (place % every === 0) {
        const anchor = middle < labelHalf ? "start" : middle > plane.width - labelHalf ? "end" : "middle";
        plane.text(middle < labelHalf ? 0 : middle, base + 16, dayText(new Date(at)), "", anchor);
      }
    });
    plane.line([0, base], [plane.width, base], "chart-base");
    plane.text(0, 10, t("chart.most", { count: most }));
    return base + 24;
  };
  return figure({ key, name, caption, draw, table });
}

/** @param {number | null} count */
const shown = (count) => count === null ? "–" : number(count);

/** @param {Day[]} list @param {number} now */
export function grouped(list, now) {
  const times = list.map(({ day }) => Date.parse(day)).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return [];
  const today = Math.floor(now / day) * day;
  const first = Math.min(...times);
  const last = Math.max(...times, Math.min(today, first + 6 * day));
  const step = (last - first) / day + 1 > longSpan ? 7 * day : day;
  const spans = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, place) => {
    const at = first + place * step;
    return { at, started: 0, submitted: 0, isRunning: today >= at && today < at + step };
  });
  for (const { day: text, started, submitted } of list) {
    const span = spans[Math.floor((Date.parse(text) - first) / step)];
    if (!span) continue;
    span.started += started ?? 0;
    span.submitted += submitted ?? 0;
  }
  return spans;
}

/** The maximum number of distinguishable columns. */
const mostColumns = 24;

/**
 * At most as many columns as can be distinguished; close numbers share a column.
 * @param {{value: any, count: number | null}[]} buckets
 * @param {string} kind
 * @returns {{label: string, count: number | null}[]}
 */
export function binned(buckets, kind) {
  const plain = buckets.map(({ value, count }) => ({ label: String(value), count }));
  if (buckets.length <= mostColumns) return plain;
  if (kind !== "number") return plain.slice(-mostColumns);
  const values = buckets.map(({ value }) => Number(value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const isWhole = values.every(Number.isInteger);
  const wide = isWhole ? Math.ceil((high - low + 1) / mostColumns) : (high - low) / mostColumns;
  const count = Math.min(mostColumns, Math.floor((high - low) / wide) + 1);
  const bins = Array.from({ length: count }, (_, place) => ({ label: plainNumber(low + place * wide), count: 0 }));
  for (const { value, count: own } of buckets) {
    bins[Math.min(Math.floor((Number(value) - low) / wide), count - 1)].count += own ?? 0;
  }
  return bins;
}

/** A number without separators of thousands, because it may be a year. @param {number} value */
export const plainNumber = (value) => number(value, { maximumFractionDigits: 1, useGrouping: false });
