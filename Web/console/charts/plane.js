// The parts of all charts: a drawing with the width of its container and a name that states its finding, and the
// table of its data. Right-to-left languages mirror the drawing.

import { h, svg, uniqueId } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";

/**
 * @typedef {{head: string[], rows: (string | number)[][]}} Table
 * @typedef {{key: string, name: string, caption: string, draw: (plane: Plane) => number, table: Table}} Chart
 *   `draw` returns the height of the drawing; `key` identifies the table, which stays open
 */

/** The approximate width of a letter of 13 px. */
const letter = 6.8;
/** The keys of open tables, which stay open when their numbers change. @type {Set<string>} */
const open = new Set();
/** The width of the next chart until it is measured, which avoids a shift of the layout. */
let lastWidth = 640;

/** A drawing surface whose x axis begins at the start of a line. */
export class Plane {
  /** @param {number} width */
  constructor(width) {
    this.width = width;
    this.isMirrored = document.documentElement.dir === "rtl";
    /** @type {any[]} */
    this.parts = [];
  }

  /** @param {number} x */
  at(x) {
    return this.isMirrored ? this.width - x : x;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} look */
  rect(x, y, width, height, look, fill = "") {
    const left = this.isMirrored ? this.width - x - width : x;
    this.parts.push(svg("rect", {
      class: look,
      x: round(left),
      y,
      width: round(Math.max(width, 0)),
      height: round(height),
      rx: 2,
      fill: fill || undefined,
    }));
  }

  /** @param {[number, number]} from @param {[number, number]} to @param {string} look */
  line([x1, y1], [x2, y2], look) {
    this.parts.push(svg("line", { class: look, x1: round(this.at(x1)), x2: round(this.at(x2)), y1, y2 }));
  }

  /** A line through points. @param {[number, number][]} points @param {string} dash */
  path(points, dash) {
    const text = points.map(([x, y]) => `${round(this.at(x))},${round(y)}`).join(" ");
    this.parts.push(
      svg("polyline", { class: "chart-error", points: text, fill: "none", "stroke-dasharray": dash || null }),
    );
  }

  /** The band around a line. @param {[number, number][]} points its outline @param {boolean} isBar whether it is of one point only @param {number} opacity */
  area(points, isBar, opacity) {
    const wide = isBar
      ? points.flatMap(([x, y], place) => [[x + (place ? 4 : -4), y], [x + (place ? -4 : 4), y]])
      : points;
    const text = wide.map(([x, y]) => `${round(this.at(x))},${round(y)}`).join(" ");
    this.parts.push(svg("polygon", { class: "chart-bar chart-running", points: text, "fill-opacity": opacity }));
  }

  /** @param {number} x @param {number} y @param {string} look */
  dot(x, y, look) {
    this.parts.push(svg("circle", { class: look, cx: round(this.at(x)), cy: y, r: 3.5 }));
  }

  /** @param {number} x @param {number} y @param {string} words @param {string} [look] @param {string} [anchor] @param {number} [room] */
  text(x, y, words, look = "", anchor = "start", room = Infinity) {
    const shown = fit(words, room);
    const own = svg("text", { class: `chart-text ${look}`, x: round(this.at(x)), y, "text-anchor": anchor }, shown);
    if (shown !== words) own.append(svg("title", {}, words));
    this.parts.push(own);
  }

  /** A fill of diagonal lines, for withheld or incomplete values. @returns {string} the fill */
  hatch() {
    const id = uniqueId("hatch");
    this.parts.push(svg(
      "pattern",
      { id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("line", { class: "chart-hatch", x1: 0, x2: 0, y1: 0, y2: 5 }),
    ));
    return `url(#${id})`;
  }
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {string} one a letter */
const widthOf = (one) => (one.codePointAt(0) ?? 0) > 0x2e80 ? 2 * letter : letter;

/** The approximate width of a text. @param {string} words */
export const wide = (words) => [...words].reduce((sum, one) => sum + widthOf(one), 0);

/** A text, shortened to the available width. @param {string} words @param {number} room */
function fit(words, room) {
  let used = 0;
  const letters = [...words];
  for (const [place, one] of letters.entries()) {
    used += widthOf(one);
    if (used > room) return letters.slice(0, Math.max(place - 1, 1)).join("").trimEnd() + "…";
  }
  return words;
}

/** The lines of a text at the available width; a longer word is shortened. @param {string} words @param {number} room */
export function lines(words, room) {
  /** @type {string[]} */
  const all = [];
  for (const word of words.split(" ")) {
    const longer = `${all.at(-1)} ${word}`;
    if (all.length > 0 && wide(longer) <= room) all[all.length - 1] = longer;
    else all.push(word);
  }
  return all.map((one) => fit(one, room));
}

/** @param {Chart} chart @returns {HTMLElement} */
export function figure({ key, name, caption, draw, table }) {
  const place = h("div", { class: "chart-place" });
  let shown = 0;
  const show = (/** @type {number} */ width) => {
    shown = width;
    const plane = new Plane(width);
    const height = draw(plane);
    place.replaceChildren(svg(
      "svg",
      { class: "chart", role: "img", "aria-label": name, viewBox: `0 0 ${width} ${height}`, width, height },
      plane.parts,
    ));
  };
  show(lastWidth);
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === 0 || width === shown) return;
    lastWidth = width;
    show(width);
  }).observe(place);
  return h("figure", { class: "chart-figure" }, place, tableParts(key, caption, table));
}

/** The button, and the table that it opens. @param {string} key @param {string} caption @param {Table} table */
function tableParts(key, caption, table) {
  const rows = h("div", { id: uniqueId("table"), class: "chart-rows", tabindex: "0", role: "region" });
  rows.setAttribute("aria-label", caption);
  const button = h("button", {
    type: "button",
    class: "button quiet chart-button",
    "data-key": key,
    "aria-controls": rows.id,
    "aria-label": t("chart.table.of", { caption }),
    onclick: () => {
      if (!open.delete(key)) open.add(key);
      tell();
    },
  });
  button.append(icon("list"), t("chart.table"));
  const tell = () => {
    rows.hidden = !open.has(key);
    button.setAttribute("aria-expanded", String(open.has(key)));
    rows.replaceChildren(...(open.has(key) ? [tableOf(table, caption)] : []));
  };
  tell();
  return [button, rows];
}

/** @param {Table} table @param {string} caption */
function tableOf({ head, rows }, caption) {
  return h(
    "table",
    { class: "table" },
    h("caption", { class: "hidden-text" }, caption),
    h("thead", {}, h("tr", {}, head.map((text, place) => h("th", { scope: "col", class: place ? "end" : "" }, text)))),
    h(
      "tbody",
      {},
      rows.map(([first, ...others]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("bdi", {}, first)),
          others.map((value) => h("td", { class: "end" }, value)),
        )
      ),
    ),
  );
}
