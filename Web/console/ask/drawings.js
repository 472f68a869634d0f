// A small drawing of a question or step of a type, on a grid of 40 by 24.

import { svg } from "../../shared/dom.js";

const dot = (/** @type {number} */ x, /** @type {number} */ y) =>
  `M${x - 2.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0`;
const box = (/** @type {number} */ x, /** @type {number} */ y, w = 5, height = 5) => `M${x} ${y}h${w}v${height}h-${w}z`;
const line = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w) => `M${x} ${y}h${w}`;
const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => at);
const star = (/** @type {number} */ x) => `M${x} 8l1.2 2.6 2.8.3-2.1 1.9.6 2.8-2.5-1.5-2.5 1.5.6-2.8-2.1-1.9 2.8-.3z`;

const oneOf = dot(7, 6) + line(13, 6, 20) + dot(7, 12) + line(13, 12, 14) + dot(7, 18) + line(13, 18, 18);
const someOf = box(4, 3.5) + line(13, 6, 20) + box(4, 9.5) + line(13, 12, 14) + box(4, 15.5) + line(13, 18, 18);
const field = box(3, 7, 34, 10) + "M7 10v4";

/** The path of the lines, and the path of the filled areas. @type {Record<string, [string, string?]>} */
const paths = {
  text: [field + line(10, 12, 10)],
  single_text_field: [field + line(10, 12, 10)],
  single_text_area: [box(3, 3, 34, 18) + line(7, 8, 24) + line(7, 12, 18) + "M7 15v3"],
  single_choice: [oneOf, "M6 6a1 1 0 1 0 2 0a1 1 0 1 0-2 0"],
  single_select: [oneOf, "M6 6a1 1 0 1 0 2 0a1 1 0 1 0-2 0"],
  multi_choice: [someOf, box(4, 3.5) + box(4, 15.5)],
  multi_select: [someOf, box(4, 3.5) + box(4, 15.5)],
  rating: [range(5).map((at) => star(6 + at * 7)).join(""), range(3).map((at) => star(6 + at * 7)).join("")],
  nps: [range(6).map((at) => box(2 + at * 6, 9, 6, 6)).join(""), box(26, 9, 6, 6)],
  segment_select: [range(4).map((at) => box(3 + at * 8.5, 8, 8.5, 8)).join(""), box(20, 8, 8.5, 8)],
  table_select: [
    line(3, 9, 34) + line(3, 15, 34) + [16, 24, 32].map((x) => dot(x, 12) + dot(x, 19)).join("") + line(3, 12, 8) +
    line(3, 19, 8) + line(14, 5, 4) + line(22, 5, 4) + line(30, 5, 4),
  ],
  year_picker: [
    box(11, 3, 18, 18) + line(11, 9, 18) + line(11, 15, 18) + line(16, 6, 8) + line(16, 12, 8) + line(16, 18, 8),
  ],
  date_picker: [
    box(9, 4, 22, 17) + line(9, 9, 22) + "M14 2v4M26 2v4" +
    range(8).map((at) => line(13 + (at % 4) * 4.5, at < 4 ? 13 : 17, 1)).join(""),
  ],
  multi_text_field: [
    line(3, 5, 8) + box(14, 2, 23, 6) + line(3, 12, 8) + box(14, 9, 23, 6) + line(3, 19, 8) + box(14, 16, 23, 6),
  ],
  dynamic_label_text_field: [
    box(3, 3, 17, 6) + box(20, 3, 17, 6) + box(3, 13, 34, 8) + line(7, 17, 12),
    box(3, 3, 17, 6),
  ],
  add_text_field: [box(3, 3, 34, 7) + line(7, 6.5, 12) + "M6 17h6M9 14v6" + line(16, 17, 14)],
  welcome: [box(11, 2, 18, 9) + line(9, 14.5, 22) + box(14, 18, 12, 4), box(14, 18, 12, 4)],
  question: [line(9, 3.5, 22) + box(5, 7, 30, 4) + box(5, 12.5, 30, 4) + box(5, 18, 30, 4), box(5, 7, 30, 4)],
  value_prop: [line(9, 3.5, 22) + dot(9, 10) + line(15, 10, 18) + dot(9, 18) + line(15, 18, 14)],
  form: [line(5, 4, 10) + box(5, 6.5, 30, 5) + line(5, 15, 10) + box(5, 17.5, 30, 5)],
  custom: [box(4, 3, 15, 8) + box(22, 3, 14, 18) + box(4, 14, 15, 7)],
  interactive_chat: ["M4 4h20v7H10l-4 3v-3H4zM36 12H20v7h11l3 3v-3h2z"],
};

/** @param {string} type @returns {SVGElement} empty for an unknown type */
export function drawing(type) {
  const [lines, filled] = paths[type] ?? [""];
  return svg(
    "svg",
    { viewBox: "0 0 40 24", class: "drawing", "aria-hidden": "true" },
    filled && svg("path", { d: filled, class: "drawing-filled" }),
    svg("path", { d: lines }),
  );
}
