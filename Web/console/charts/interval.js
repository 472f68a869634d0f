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
