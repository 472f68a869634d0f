// How a recipe asks again, in words, and on a line of two years: the times at which one person is asked.

import { h } from "../../shared/dom.js";
import { figure } from "../charts/plane.js";
import { isSame } from "../document/document.js";
import { button } from "../elements/parts.js";
import { day, month, t } from "../texts.js";
import { askings, wordsOf } from "./askings.js";

/**
 * @typedef {NonNullable<ReturnType<typeof askings>>} Askings
 * @typedef {{name: string, times: number[], isAlways: boolean}} Row
 */

const rowHeight = 48;

/** @param {Askings} askings @returns {Row[]} */
const rowsOf = ({ answering, dismissing, isAlways }) => [
  { name: t("rounds.who.answers"), times: answering, isAlways },
  ...(dismissing ? [{ name: t("rounds.who.closes"), times: dismissing, isAlways: false }] : []),
];

/** @param {Askings} found */
function calendar(found) {
  const { from, until } = found;
  const rows = rowsOf(found);
  const often = (/** @type {Row} */ { times, isAlways }) =>
    isAlways ? t("rounds.any-time") : t("rounds.times", { count: times.length });
  const dated = (/** @type {number | undefined} */ time) =>
    time === undefined ? "" : `${day(new Date(time))} ${new Date(time).getUTCFullYear()}`;
  const draw = (/** @type {import("../charts/plane.js").Plane} */ plane) => {
    const at = (/** @type {number} */ time) => 4 + (time - from) / Math.max(until - from, 1) * (plane.width - 8);
    rows.forEach((row, place) => {
      const y = place * rowHeight + 32;
      plane.text(0, y - 16, `${row.name}: ${often(row)}`, "", "start", plane.width);
      plane.line([4, y], [plane.width - 4, y], row.isAlways ? "chart-whisker" : "chart-axis");
      const places = new Set(row.isAlways ? [] : row.times.map((time) => Math.round(at(time))));
      for (const x of places) plane.dot(x, y, "chart-dot");
    });
    const base = rows.length * rowHeight + 16;
    for (const time of quarters(from, until)) {
      const x = at(time);
      if (x > 24 && x < plane.width - 24) plane.text(x, base, month(new Date(time)), "", "middle");
    }
    return base + 8;
  };
  const rowsOfTable = Array.from({ length: Math.max(...rows.map(({ times }) => times.length)) }, (_, place) => [
    place + 1,
    ...rows.map(({ times, isAlways }) => isAlways ? t("rounds.any-time") : dated(times[place])),
  ]);
  return figure({
    key: "rounds",
    name: rows.map((row) => `${row.name}: ${often(row)}`).join("; "),
    caption: t("field.rounds"),
    draw,
    table: { head: [t("rounds.round"), ...rows.map(({ name }) => name)], rows: rowsOfTable },
  });
}

/** The starts of every second quarter. @param {number} from @param {number} until */
function quarters(from, until) {
  const first = new Date(from).getUTCFullYear();
  const all = Array.from({ length: 6 }, (_, half) => Date.UTC(first, half * 6, 1));
  return all.filter((time) => time >= from && time <= until);
}

/**
 * @param {import("./fields.js").Field} _ @param {string} pointer of `repeat`
 * @param {import("./fields.js").FormContext} context
 * @returns {import("./fields.js").Raw}
 */
export function roundsField(_, pointer, { document }) {
  const words = h("p", { role: "status" });
  const place = h("div", {});
  const remove = button(t("rounds.remove"), "trash", () => document.remove(pointer), "quiet");
  /** @type {unknown} */
  let known;
  const update = () => {
    const repeat = document.get(pointer);
    const recipe = { repeat, offer: document.get("/offer") };
    if (isSame(known, recipe)) return;
    known = recipe;
    words.textContent = wordsOf(recipe);
    remove.hidden = repeat === undefined;
    const found = askings(recipe, Date.now());
    place.replaceChildren(...(found ? [calendar(found), h("p", { class: "hint" }, t("rounds.hint"))] : []));
  };
  const element = h("div", {}, words, place, remove);
  return { element, input: element, isGroup: true, update };
}
