// A table in its frame, which scrolls sideways by itself.

import { h } from "../../shared/dom.js";

/** @typedef {{text: string, isEnd?: boolean, isHidden?: boolean}} Head a hidden one is read out only */

/** @param {Head[]} heads @param {import("../../shared/dom.js").Child[][]} rows cells of each row @returns {HTMLElement} */
export const table = (heads, rows) =>
  h(
    "div",
    { class: "table-frame" },
    h(
      "table",
      { class: "table" },
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
