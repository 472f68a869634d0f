// States and revisions of a recipe on a line of days, in UTC.

import { h, svg } from "../../shared/dom.js";
import { day as dayText, t } from "../texts.js";

/**
 * @typedef {{at: number, label: string, kind: "revision" | "state" | "start" | "end"}} Mark
 * @typedef {{marks: Mark[], state: string, since: number | null, end: number | null, now: number, name: string}} TimeLine
 *   times are milliseconds; `since` is the start of the state
 */

const day = 86_400_000;
const [height, lineAt, inset] = [72, 30, 12];
/** The minimum distance between labels; closer labels are left out. */
const labelSpace = 40;

/** A figure that is drawn again when its width changes. @param {TimeLine} line */
export function timeLine(line) {
  const figure = h("figure", { class: "time-line" });
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0) figure.replaceChildren(draw(line, width));
  }).observe(figure);
  return figure;
}

/** @param {TimeLine} line @returns {[number, number]} */
function span({ marks, end, now }) {
  const times = [...marks.map(({ at }) => at), now, ...(end ? [end] : [])];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // A recipe that is younger than a day has a line of one day.
  const begin = Math.min(first, last - day);
  const room = (last - begin) * 0.04;
  return [begin - room, last + room];
}

/** @param {TimeLine} line @param {number} width */
function draw(line, width) {
  const [first, last] = span(line);
  const at = (/** @type {number} */ time) => inset + (time - first) / (last - first) * (width - 2 * inset);
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ words, look = "") =>
    svg("text", {
      x: Math.min(Math.max(x, inset), width - inset),
      y,
      class: `chart-text ${look}`,
      "text-anchor": anchor(x, width),
    }, words);
  const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ look) =>
    svg("line", { class: look, x1: at(from), x2: Math.max(at(to), at(from)), y1: lineAt, y2: lineAt });
  const begin = line.marks[0]?.at ?? line.now;
  const parts = [
    bar(first, last, "chart-axis"),
    bar(begin, line.now, "time-past"),
    line.since !== null && bar(Math.max(line.since, begin), line.now, `time-state status-${line.state}`),
    line.end !== null && line.end > line.now && bar(line.now, line.end, "time-ahead"),
    svg("line", { class: "time-now", x1: at(line.now), x2: at(line.now), y1: lineAt - 12, y2: lineAt + 12 }),
    text(at(line.now), lineAt + 26, t("time.line.now"), "is-strong"),
  ];
  let free = -Infinity;
  for (const { at: time, label, kind } of line.marks) {
    const x = at(time);
    parts.push(svg("circle", { class: `time-mark is-${kind}`, cx: x, cy: lineAt, r: kind === "revision" ? 4 : 5 }));
    if (x < free) continue;
    parts.push(text(x, lineAt - 12, label));
    free = x + labelSpace;
  }
  const days = axisDays(first, last).filter((time) => Math.abs(at(time) - at(line.now)) > 56);
  parts.push(...days.map((time) => text(at(time), lineAt + 26, dayText(new Date(time)))));
  return svg(
    "svg",
    { class: "chart", role: "img", "aria-label": line.name, viewBox: `0 0 ${width} ${height}`, width, height },
    parts,
  );
}

/** @param {number} x @param {number} width */
const anchor = (x, width) => x < 40 ? "start" : x > width - 40 ? "end" : "middle";

/** The starts of days, at most seven. @param {number} first @param {number} last */
function axisDays(first, last) {
  const step = Math.max(1, Math.ceil((last - first) / day / 6)) * day;
  const start = Math.ceil(first / day) * day;
  return Array.from({ length: 7 }, (_, place) => start + place * step).filter((time) => time < last);
}
