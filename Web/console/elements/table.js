// A table in its frame, which scrolls horizontally by itself.

import { h, setAttribute } from "../../shared/dom.js";

/** @typedef {{text: string, isEnd?: boolean, isHidden?: boolean}} Head a hidden head is for screen readers only */

/** @param {string} label @param {Head[]} heads @param {import("../../shared/dom.js").Child[][]} rows cells of each row @returns {HTMLElement} */
export function table(label, heads, rows) {
  const frame = h(
    "div",
    { class: "table-frame" },
    h(
      "table",
      { class: "table", "aria-label": label },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map(({ text, isEnd, isHidden }) =>
            h(
              "th",
              { scope: "col", class: isEnd ? "end" : null },
              isHidden ? h("span", { class: "hidden-text" }, text) : text,
            )
          ),
        ),
      ),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells))),
    ),
  );
  // A scrollable part must be focusable by keys, too.
  new ResizeObserver(() => {
    const isWide = frame.scrollWidth > frame.clientWidth;
    setAttribute(frame, "tabindex", isWide ? "0" : null);
    setAttribute(frame, "role", isWide ? "group" : null);
    setAttribute(frame, "aria-label", isWide ? label : null);
  }).observe(frame);
  return frame;
}
