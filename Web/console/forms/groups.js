// Fields that are folded: those of one group, under a summary that lists the fields with values.

import { h } from "../../shared/dom.js";
import { t } from "../texts.js";
import { labelled, labelOf } from "./fields.js";
import { grouped } from "./schema.js";
import { holds } from "./sections.js";

/**
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("./fields.js").Control} Control
 * @typedef {{update: () => void, tell: () => void}} Folded
 * @typedef {{elements: HTMLElement[], controls: Control[], conditional: [Field, HTMLElement][], folded: Folded[]}} Made
 */

/**
 * The controls of an object: first those without a group, then each group folded.
 * @param {Field[]} fields @param {string} base the pointer of the object @param {import("./fields.js").FormContext} context
 * @returns {Made}
 */
export function makeFields(fields, base, context) {
  /** @type {Made} */
  const made = { elements: [], controls: [], conditional: [], folded: [] };
  const make = (/** @type {Field} */ field) => {
    const control = labelled(field, base + field.pointer, context);
    made.controls.push(control);
    if (field.when) made.conditional.push([field, control.element]);
    return control.element;
  };
  const all = grouped(fields);
  made.elements = (all.get("") ?? []).map(make);
  all.delete("");
  for (const [group, members] of all) {
    const { element, ...folded } = fold(group, members, members.map(make), base, context);
    made.elements.push(element);
    made.folded.push(folded);
  }
  return made;
}

/** @param {string} group @param {Field[]} fields @param {HTMLElement[]} elements @param {string} base @param {import("./fields.js").FormContext} context */
function fold(group, fields, elements, base, { document }) {
  const summary = h("summary", {}, h("span", {}, t(group === "more" ? "form.more" : `group.${group}`)));
  const names = h("span", { class: "muted" });
  summary.append(names);
  const element = h(
    "details",
    { class: "more-fields", "data-group": group },
    summary,
    h("div", { class: "form-fields" }, elements),
  );
  return {
    element,
    update() {
      const shown = fields.filter(({ when }) => holds(when, document, base));
      const set = shown.filter(({ pointer }) => document.get(base + pointer) !== undefined);
      element.hidden = shown.length === 0;
      const list = (set.length > 0 ? set : shown).map(labelOf).join(", ");
      names.textContent = set.length > 0 ? t("form.more.set", { names: list }) : list;
      names.classList.toggle("is-set", set.length > 0);
    },
    tell() {
      if (element.querySelector(".finding:not([hidden])")) element.open = true;
    },
  };
}
