// A share with its interval: a line from 0 to 100 %, a bar for the interval, a dot for the estimate.

import { svg } from "../../shared/dom.js";

const [width, height, inset] = [160, 12, 6];

/** @param {number} share @param {[number, number]} interval @param {string} name the accessible name */
export function intervalChart(share, [low, high], name) {
  const at = (/** @type {number} */ value) => inset + value * (width - 2 * inset);
  const middle = height / 2;
  return svg(
    "svg",
    { class: "chart interval", role: "img", "aria-label": name, viewBox: `0 0 ${width} ${height}`, width, height },
    svg("line", { class: "chart-axis", x1: at(0), x2: at(1), y1: middle, y2: middle }),
    svg("line", { class: "chart-whisker", x1: at(low), x2: at(high), y1: middle, y2: middle }),
    svg("circle", { class: "chart-dot", cx: at(share), cy: middle, r: 3.5 }),
  );
}

/**
 * A difference of two shares with its interval, on a line with zero in the middle.
 * @param {number} value
 * @param {[number, number]} interval
 * @param {string} name the accessible name
 */
export function differenceChart(value, [low, high], name) {
  const reach = Math.max(0.1, Math.abs(low), Math.abs(high));
  const at = (/** @type {number} */ point) => inset + (point / reach + 1) / 2 * (width - 2 * inset);
  const middle = height / 2;
  const line = (/** @type {string} */ look, /** @type {number} */ from, /** @type {number} */ to) =>
    svg("line", { class: look, x1: at(from), x2: at(to), y1: middle, y2: middle });
  return svg(
    "svg",
    { class: "chart interval", role: "img", "aria-label": name, viewBox: `0 0 ${width} ${height}`, width, height },
    line("chart-axis", -reach, reach),
    svg("line", { class: "chart-zero", x1: at(0), x2: at(0), y1: 0, y2: height }),
    line("chart-whisker", low, high),
    svg("circle", { class: "chart-dot", cx: at(value), cy: middle, r: 3.5 }),
  );
}
