// Bars from one base line: options with their intervals, a funnel, the steps of a flow.

import { figure, lines, wide } from "./plane.js";

/** @typedef {import("./plane.js").Plane} Plane */

/**
 * @typedef {{label: string, size: number | null, end: string, interval?: [number, number] | null, lost?: number,
 *   isMarked?: boolean}} Bar
 *   `size` is null if it is withheld; `lost` is the number of those that did not continue
 * @typedef {{key: string, name: string, caption: string, bars: Bar[], table: import("./plane.js").Table,
 *   largest?: number}} Bars
 */

/** The height of a line of text, of a bar, and of the space around a bar. */
const [line, thick, around] = [16, 16, 12];
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
    const longest = Math.max(...list.map(({ end }) => wide(end)));
    // Numbers that have no room beside the bars stand below them.
    const isBelow = plane.width < tight || longest > plane.width * 0.55;
    const space = isBelow ? plane.width - begin - 8 : Math.max(plane.width - begin - longest - 8, 24);
    const hatch = list.some(({ size }) => size === null) ? plane.hatch() : "";
    let top = 0;
    for (const bar of list) {
      const labels = lines(bar.label, room);
      const start = top + 6 + (isNarrow ? labels.length * line - 4 : 0);
      const look = bar.isMarked ? "is-strong" : "is-label";
      labels.forEach((words, place) => plane.text(0, (isNarrow ? top + 1 : top + 6) + 12 + place * line, words, look));
      drawBar(plane, bar, { top: start, begin, space, most, hatch });
      const ends = isBelow ? lines(bar.end, plane.width - begin) : [bar.end];
      ends.forEach((words, place) => {
        const [x, y] = isBelow ? [begin, start + 31 + place * line] : [plane.width, start + 12];
        plane.text(x, y, words, bar.isMarked ? "is-lost" : "", isBelow ? "start" : "end");
      });
      const drawn = start + thick + (isBelow ? ends.length * line : 0) - 6;
      top = Math.max(drawn, isNarrow ? 0 : top + labels.length * line) + around;
    }
    return top + 4;
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
