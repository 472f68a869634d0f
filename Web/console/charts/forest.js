// Effects with their intervals, one row a branch, on a scale with zero; and how much of its plan a goal has.

import { number, t } from "../texts.js";
import { figure, wide } from "./plane.js";

/**
 * @typedef {import("./plane.js").Plane} Plane
 * @typedef {{label: string, at: number, low: number, high: number, end: string}} Effect
 */

/** The height of a row, and the free space at both ends of the scale. */
const [tall, inset] = [48, 28];

/**
 * The scale of effects: it contains zero and every interval, and ends at ticks of 1, 2 or 5 times a power of ten.
 * @param {{low: number, high: number}[]} effects
 * @returns {{low: number, high: number, ticks: number[]}}
 */
export function scaleOf(effects) {
  const low = Math.min(0, ...effects.map((effect) => effect.low));
  const high = Math.max(0, ...effects.map((effect) => effect.high));
  const rough = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((digit) => digit * power >= rough * (1 - 1e-9)) ?? 10);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const ticks = Array.from(
    { length: last - first + 1 },
    (_, place) => Number(((first + place) * step).toPrecision(12)),
  );
  return { low: ticks[0], high: ticks[ticks.length - 1], ticks };
}

/**
 * @param {Effect[]} effects
 * @param {{key: string, name: string, caption: string, word: (value: number) => string,
 *   table: import("./plane.js").Table}} options `word` is the text of a tick
 */
export function forest(effects, { key, name, caption, word, table }) {
  const { low, high, ticks } = scaleOf(effects);
  const draw = (/** @type {Plane} */ plane) => {
    const room = plane.width - 2 * inset;
    const x = (/** @type {number} */ value) => inset + (value - low) / (high - low) * room;
    let top = 0;
    for (const { label, at, low, high, end } of effects) {
      const isBelow = wide(label) + wide(end) + 16 > plane.width;
      plane.text(0, top + 12, label, "is-label", "start", plane.width);
      plane.text(isBelow ? 0 : plane.width, top + (isBelow ? 28 : 12), end, "", isBelow ? "start" : "end", plane.width);
      const middle = top + (isBelow ? 44 : 28);
      plane.line([inset, middle], [inset + room, middle], "chart-axis");
      plane.line([x(0), middle - 10], [x(0), middle + 10], "chart-zero");
      plane.line([x(low), middle], [x(high), middle], "chart-whisker");
      plane.dot(x(at), middle, "chart-dot");
      top = middle + tall - 28;
    }
    const widest = Math.max(...ticks.map((tick) => wide(word(tick)))) + 12;
    const every = Math.ceil(widest * (ticks.length - 1) / room);
    const zero = ticks.indexOf(0);
    ticks.forEach((tick, place) => {
      if ((place - zero) % every === 0) plane.text(x(tick), top + 8, word(tick), "", "middle");
    });
    return top + 14;
  };
  return figure({ key, name, caption, draw, table });
}

/**
 * The information of a goal as a bar, with a line at 1, where its plan is fulfilled.
 * @param {number} information
 * @param {{key: string, name: string, caption: string}} options
 */
export function planBar(information, { key, name, caption }) {
  const word = number(information, { maximumFractionDigits: 2 });
  const draw = (/** @type {Plane} */ plane) => {
    const x = (/** @type {number} */ value) => value / Math.max(1, information) * (plane.width - 2);
    plane.line([0, 24], [x(1), 24], "chart-axis");
    plane.rect(0, 16, x(information), 16, "chart-bar");
    plane.line([x(1), 12], [x(1), 36], "chart-error");
    plane.text(0, 9, word, "is-strong");
    plane.text(x(1), 9, t("goals.plan.at"), "is-label", "end");
    return 40;
  };
  const table = { head: [t("goals.plan.information"), t("goals.plan.at")], rows: [[word, number(1)]] };
  return figure({ key, name, caption, draw, table });
}
