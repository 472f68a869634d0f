// An expression for whom something is, as rows or as text. The share of clients and the faults stand below both.

import { h, uniqueId } from "../../shared/dom.js";
import { expressionField } from "../elements/expression.js";
import { audienceDialect, isReadable } from "../language/audience-rows.js";
import { emptyVocabulary } from "../language/types.js";
import { t } from "../texts.js";
import { audienceSubjects } from "./audience-subjects.js";
import { ConditionRows } from "./condition-rows.js";

/**
 * @typedef {import("../forms/fields.js").FormContext} FormContext
 * @typedef {import("../forms/fields.js").Raw} Raw
 * @typedef {"rows" | "text"} Shape
 */

/** The choice of this browser. */
const settingKey = "bellwether-expression";
/** @type {Shape[]} */
const shapes = ["rows", "text"];

/** @param {string} label @param {string} pointer @param {FormContext} context @returns {Raw} */
export function audienceField(label, pointer, context) {
  const field = new AudienceField(label, pointer, context);
  const { element, text } = field;
  return {
    element,
    input: text.input,
    update: () => field.update(),
    focus: () => field.focus(),
    leave: () => text.leave(),
  };
}

class AudienceField {
  /** @param {string} label @param {string} pointer @param {FormContext} context */
  constructor(label, pointer, { document, vocabulary, announce, names }) {
    this.document = document;
    this.pointer = pointer;
    this.dialect = audienceDialect(vocabulary ?? emptyVocabulary);
    this.text = expressionField({ document, pointer, vocabulary, reveal: () => this.choose("text") });
    this.rows = new ConditionRows({
      document,
      pointer,
      dialect: this.dialect,
      name: "expression",
      blank: "true",
      subjects: () => audienceSubjects(vocabulary, names()),
      lockedLabel: t("audience.edit"),
      openLocked: () => {
        this.choose("text");
        this.text.input.focus();
      },
      announce,
    });
    this.rows.element.setAttribute("role", "group");
    this.rows.element.setAttribute("aria-label", t("audience.in.rows", { name: label }));
    const name = uniqueId("shape");
    this.radios = shapes.map((shape) => h("input", { type: "radio", name, onchange: () => this.choose(shape) }));
    const labels = shapes.map((shape, place) =>
      h("label", { class: "when-box" }, this.radios[place], t(`audience.${shape}`))
    );
    const choice = h("div", { class: "when-boxes", role: "radiogroup", "aria-label": t("audience.shape") }, labels);
    this.element = h("div", { class: "when audience" }, choice, this.rows.element, this.text);
    /** @type {unknown} */
    this.asked = this.value;
    this.show(localStorage.getItem(settingKey) === "text" ? "text" : "rows");
  }

  /** @private */
  get value() {
    return this.document.get(this.pointer);
  }

  /** Shows a shape, and remembers it. @param {Shape} shape */
  choose(shape) {
    localStorage.setItem(settingKey, shape);
    this.show(shape);
  }

  /** Shows a shape. An expression of which rows can say nothing is shown as text. @param {Shape} shape */
  show(shape) {
    const isSaid = isReadable(this.dialect.read(this.value));
    this.shape = isSaid ? shape : "text";
    this.rows.element.hidden = this.shape === "text";
    this.text.fold(this.shape === "rows");
    this.radios.forEach((radio, place) => radio.checked = shapes[place] === this.shape);
    this.judge(isSaid);
  }

  /** @private @param {boolean} isSaid */
  judge(isSaid) {
    const [rows] = this.radios;
    rows.disabled = !isSaid;
    /** @type {HTMLElement} */ (rows.parentElement).title = isSaid ? "" : t("audience.unsaid");
  }

  update() {
    this.rows.update();
    this.text.update();
    const isSaid = isReadable(this.dialect.read(this.value));
    if (this.shape === "rows" && !isSaid) this.show("text");
    else this.judge(isSaid);
    if (this.asked !== this.value) this.text.ask();
    this.asked = this.value;
  }

  focus() {
    const first = this.shape === "text" ? this.text.input : this.rows.element.querySelector("select, input, button");
    if (first instanceof HTMLElement) first.focus();
  }
}
