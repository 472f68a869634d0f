// The findings, as a collapsible list at the top of the editor.

import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";
import { countOf, lineOf } from "./findings.js";
import { placeOf } from "./sections.js";

/** @typedef {import("./findings.js").Finding} Finding */

export class FindingsList {
  /** @param {import("../document/document.js").JSONDocument} document @param {(finding: Finding) => void} goTo */
  constructor(document, goTo) {
    this.document = document;
    this.goTo = goTo;
    this.summary = h("summary", {});
    this.list = h("ul", {});
    this.details = h("details", { class: "findings" }, this.summary, this.list);
    this.quiet = h("span", { class: "findings-none" });
    this.element = h("div", { class: "findings-place", role: "status" }, this.details, this.quiet);
    this.shown = "";
  }

  /** @param {Finding[]} findings @param {import("./sections.js").Place[]} places @param {import("../api.js").Problem} [problem] */
  update(findings, places, problem) {
    const lines = findings.map((finding) => lineOf(this.document, finding));
    const shape = JSON.stringify([findings, lines, problem?.status]);
    if (shape === this.shown) return;
    this.shown = shape;
    const hasFault = findings.some(({ isWarning }) => !isWarning);
    this.details.hidden = findings.length === 0;
    this.quiet.hidden = findings.length > 0;
    const isChecked = !problem;
    this.quiet.replaceChildren(
      icon(isChecked ? "check" : "warning"),
      t(isChecked ? "edit.sound" : "edit.unchecked"),
    );
    this.summary.className = hasFault ? "is-fault" : "is-warning";
    this.summary.replaceChildren(icon(hasFault ? "fault" : "warning"), countOf(findings), icon("chevron"));
    this.list.replaceChildren(...findings.map((finding, place) => this.row(finding, lines[place], places)));
  }

  /** @private @param {Finding} finding @param {number} line @param {import("./sections.js").Place[]} places */
  row(finding, line, places) {
    const where = t("edit.where", { place: placeOf(places, finding.pointer).title, line });
    const entry = h(
      "button",
      {
        type: "button",
        class: "button quiet",
        onclick: () => {
          this.details.open = false;
          this.goTo(finding);
        },
      },
      icon(finding.isWarning ? "warning" : "fault"),
      h("span", {}, finding.message, h("small", {}, where)),
    );
    return h("li", { class: finding.isWarning ? "is-warning" : "is-fault" }, entry);
  }
}
