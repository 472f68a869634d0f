// The parts of a document as a list of links, with the findings of each.

import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";
import { address } from "./items.js";
import { pathTo, placeOf } from "./sections.js";

/** @typedef {import("./sections.js").Place} Place */

/** The number of parts from which only the items of the chosen part are shown. */
const manyPlaces = 40;

export class Outline {
  /** @param {(place: Place) => void} add called to add an item to a list */
  constructor(add) {
    this.add = add;
    this.list = h("ul", {});
    this.element = h("nav", { class: "outline", "aria-label": t("edit.outline") }, this.list);
    this.shown = "";
  }

  /** @param {Place[]} places @param {Place} current @param {import("./findings.js").Finding[]} findings */
  update(places, current, findings) {
    const path = [...pathTo(places, current), current];
    const seen = places.filter((place) => {
      if (place.depth === 0) return true;
      const [above] = pathTo(places, place).slice(-1);
      return path.includes(above) || (place.depth === 1 && places.length <= manyPlaces);
    });
    /** @type {Map<Place, boolean>} The places with findings, and whether a place has warnings only. */
    const wrong = new Map();
    for (const finding of findings) {
      const owner = placeOf(places, finding.pointer);
      if (!owner) continue;
      for (const place of [owner, ...pathTo(places, owner)]) {
        wrong.set(place, finding.isWarning && wrong.get(place) !== false);
      }
    }
    const shape = JSON.stringify([seen.map((place) => [place.at, place.title, wrong.get(place)]), current.at]);
    if (shape === this.shown) return;
    this.shown = shape;
    const focused = document.activeElement?.closest(".outline li")?.getAttribute("data-at");
    this.list.replaceChildren(...seen.map((place) => this.row(place, place === current, wrong.get(place))));
    if (focused) this.list.querySelector(`[data-at="${CSS.escape(focused)}"] a`)?.focus();
  }

  /** @private @param {Place} place @param {boolean} isCurrent @param {boolean | undefined} isWarning */
  row(place, isCurrent, isWarning) {
    const noun = t(`item.${place.section.label}`);
    const add = place.kind === "items" && h("button", {
      type: "button",
      class: "button quiet icon-only",
      "aria-label": t("list.add", { name: noun }),
      title: t("list.add", { name: noun }),
      onclick: () => this.add(place),
    });
    if (add) add.append(icon("plus"));
    const mark = isWarning === undefined ? null : [
      icon(isWarning ? "warning" : "fault"),
      h("span", { class: "hidden-text" }, t(isWarning ? "edit.haswarning" : "edit.hasfault")),
    ];
    const row = h(
      "li",
      { "data-at": place.at },
      h(
        "a",
        { href: address(place.at), "aria-current": isCurrent ? "true" : null },
        place.depth === 0 && icon(place.icon),
        h("span", { class: "ellipsis" }, place.title),
        mark,
      ),
      add,
    );
    row.style.setProperty("--indent", `${place.depth === 0 ? 0 : 12 + place.depth * 12}px`);
    return row;
  }
}
