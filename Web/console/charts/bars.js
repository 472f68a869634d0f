// Bars from one base line: options with their intervals, a funnel, the steps of a flow.

import { figure, wide } from "./plane.js";

/** @typedef {import("./plane.js").Plane} Plane */

/**
 * @typedef {{label: string, size: number | null, end: string, interval?: [number, number] | null, lost?: number,
 *   isMarked?: boolean}} Bar
 *   `size` is null if it is withheld; `lost` is the number of those that did not continue
 * @typedef {{key: string, name: string, caption: string, bars: Bar[], table: import("./plane.js").Table,
 *   largest?: number}} Bars
 */

const [row, tall, stacked, thick] = [28, 46, 62, 16];
/** The widths of the layouts: below the first, labels are above bars; below the second, numbers are below. */
const [narrow, tight] = [520, 400];

/** @param {Bars} options @returns {HTMLElement} */
export function bars({ key, name, caption, bars: list, table, largest = 0 }) {
  const most = Math.max(largest, ...list.map(({ size, interval }) => Math.max(size ?? 0, interval?.[1] ?? 0))) || 1;
  const draw = (/** @type {Plane} */ plane) => {
    const isNarrow = plane.width < narrow;
    const label = Math.max(...list.map(({ label }) => wide(label))) + 8;
    const room = isNarrow ? plane.width : Math.min(label, 240, plane.width * 0.34);
    const begin = isNarrow ? 0 : room + 12;
    const isTight = plane.width < tight;
    const longest = Math.max(...list.map(({ end }) => wide(end)));
    const behind = isTight ? plane.width : Math.min(longest, plane.width * 0.55);
    const space = isTight ? plane.width - 8 : Math.max(plane.width - begin - behind - 8, 24);
    const high = isTight ? stacked : isNarrow ? tall : row;
    const hatch = list.some(({ size }) => size === null) ? plane.hatch() : "";
    list.forEach((bar, place) => {
      const top = place * high + (isNarrow ? 18 : 6);
      plane.text(
        0,
        isNarrow ? place * high + 13 : top + 12,
        bar.label,
        bar.isMarked ? "is-strong" : "is-label",
        "start",
        room,
      );
      drawBar(plane, bar, { top, begin, space, most, hatch });
      const [x, y] = isTight ? [0, top + 31] : [plane.width, top + 12];
      plane.text(x, y, bar.end, bar.isMarked ? "is-lost" : "", isTight ? "start" : "end", behind);
    });
    return list.length * high + 4;
  };
  return figure({ key, name, caption, table, draw });
}

/** @param {Plane} plane @param {Bar} bar @param {{top: number, begin: number, space: number, most: number, hatch: string}} at */
function drawBar(plane, { size, interval, lost = 0 }, { top, begin, space, most, hatch }) {
  const scaled = (/** @type {number} */ value) => value / most * space;
  if (size === null) return plane.rect(begin, top, 28, thick, "chart-withheld", hatch);
  plane.rect(begin, top, Math.max(scaled(size), size > 0 ? 2 : 0), thick, "chart-bar");
  if (lost > 0) plane.rect(begin + scaled(size - lost), top, scaled(lost), thick, "chart-lost");
  plane.line([begin, top - 3], [begin, top + thick + 3], "chart-base");
  if (!interval) return;
  const [low, high] = interval.map((value) => begin + scaled(value));
  const middle = top + thick / 2;
  plane.line([low, middle], [high, middle], "chart-error");
  plane.line([low, middle - 4], [low, middle + 4], "chart-error");
  plane.line([high, middle - 4], [high, middle + 4], "chart-error");
}
