// Rows of names, each with a type where there is one.

import { h, uniqueId } from "../../shared/dom.js";
import { button } from "../elements/parts.js";
import { attributeTypes } from "../platforms.js";
import { t } from "../texts.js";

/** @typedef {{name: HTMLInputElement, type: HTMLSelectElement | undefined, element: HTMLElement}} Row */

export class NameRows {
  /** @param {"attributes" | "events"} of the first part of the names of its texts @param {HTMLElement} finding */
  constructor(of, finding) {
    this.of = of;
    /** @type {Row[]} */
    this.rows = [];
    this.list = h("div", { class: "ask" });
    this.more = button(t(`begin.${of}.add`), "plus", () => this.add("", "string").name.focus(), "quiet");
    const hint = h("p", { class: "hint", id: uniqueId("hint") }, t(`begin.${of}.hint`));
    this.element = h(
      "fieldset",
      { class: "form-field", "aria-describedby": `${hint.id} ${finding.id}` },
      h("legend", {}, t(`begin.${of}`)),
      hint,
      this.list,
      h("div", {}, this.more),
      finding,
    );
  }

  /** @param {[string, string][]} rows a name and a type each */
  set(rows) {
    this.rows = [];
    this.list.replaceChildren();
    for (const [name, type] of rows) this.add(name, type);
  }

  /** The name and the type of each row. @returns {[string, string][]} */
  get values() {
    return this.rows.map(({ name, type }) => [name.value, type?.value ?? ""]);
  }

  /** @private @param {string} value @param {string} kind @returns {Row} */
  add(value, kind) {
    const name = h("input", { class: "field code", autocomplete: "off", spellcheck: "false", maxlength: 128 });
    name.value = value;
    const type = this.of === "attributes"
      ? h(
        "select",
        { class: "field" },
        attributeTypes.map((one) => h("option", { value: one }, t(`begin.type.${one}`))),
      )
      : undefined;
    if (type) type.value = kind;
    const remove = button(t(`begin.${this.of}.remove`), "close", () => this.drop(row), "quiet icon-only");
    /** @type {Row} */
    const row = { name, type, element: h("div", { class: type ? "role-row" : "json-field" }, name, type, remove) };
    this.rows.push(row);
    this.list.append(row.element);
    this.count();
    return row;
  }

  /** @private @param {Row} row */
  drop(row) {
    this.rows.splice(this.rows.indexOf(row), 1);
    row.element.remove();
    this.count();
    this.more.focus();
  }

  /** Names the fields of each row by its number. @private */
  count() {
    for (const [place, { name, type, element }] of this.rows.entries()) {
      const number = place + 1;
      name.setAttribute("aria-label", t(`begin.${this.of}.name`, { number }));
      type?.setAttribute("aria-label", t("begin.attributes.type", { number }));
      element.querySelector("button")?.setAttribute("aria-label", t(`begin.${this.of}.remove`, { number }));
    }
  }
}
