// Lines of a score or a mean with their intervals as bands, one point a group.

import { runsOf } from "../series.js";
import { number } from "../texts.js";
import { figure, wide } from "./plane.js";

/**
 * @typedef {import("./plane.js").Plane} Plane
 * @typedef {import("../series.js").Series} Series
 */

const [high, legend] = [140, 18];
/** The dashes of lines: each has its own, so that no colour is needed to tell them apart. */
const dashes = ["", "7 4", "2 4", "12 4 2 4", "7 3 2 3 2 3", "1 6"];

/** The greatest number of lines in a chart. */
export const most = dashes.length;

/**
 * @param {Series} series
 * @param {{key: string, name: string, table: import("./plane.js").Table}} options
 */
export function lineChart(series, { key, name, table }) {
  const draw = (/** @type {Plane} */ plane) => {
    const isOne = series.lines.length === 1;
    const top = isOne ? 8 : series.lines.length * legend + 8;
    const { lowest, highest, values } = series;
    const marks = [lowest, (lowest + highest) / 2, highest];
    const inset = Math.max(36, ...marks.map((value) => wide(number(value)) + 10));
    const step = (plane.width - inset) / values.length;
    const x = (/** @type {number} */ place) => inset + (place + 0.5) * step;
    const y = (/** @type {number} */ value) => top + (highest - value) / (highest - lowest) * high;
    for (const value of marks) {
      plane.line([inset, y(value)], [plane.width, y(value)], "chart-base");
      plane.text(inset - 6, y(value) + 4, number(value), "", "end");
    }
    series.lines.forEach((line, place) => {
      const dash = dashes[place % most];
      for (const run of runsOf(values, line.points)) {
        const band = run.filter(({ point }) => point.low !== null && point.high !== null);
        const edge = (/** @type {"low" | "high"} */ name) =>
          band.map(({ place, point }) => /** @type {[number, number]} */ ([x(place), y(point[name] ?? 0)]));
        plane.area([...edge("high"), ...edge("low").reverse()], band.length === 1, isOne ? 1 : 0.35);
        plane.path(run.map(({ place, point }) => [x(place), y(point.at ?? 0)]), dash);
        for (const { place, point } of run) plane.dot(x(place), y(point.at ?? 0), "chart-dot");
      }
      if (isOne) return;
      const at = place * legend + 8;
      plane.path([[0, at], [inset - 8, at]], dash);
      plane.text(inset, at + 4, line.name, "is-label", "start", plane.width - inset);
    });
    const widest = Math.max(...values.map((value) => value.length)) * 7.5 + 12;
    const every = Math.max(1, Math.ceil(widest / step));
    values.forEach((value, place) => {
      // The last one has room at the edge, too.
      const at = Math.min(x(place), plane.width - widest / 2);
      if (place % every === 0) plane.text(at, top + high + 18, value, "", "middle");
    });
    return top + high + 26;
  };
  return figure({ key, name, caption: series.title, draw, table });
}
