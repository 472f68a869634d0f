// The controls that forms made from a schema have besides the others: colours, objects, and values of any type.

import { h } from "../../shared/dom.js";
import { isObject } from "../../shared/comparison.js";
import { button } from "../elements/parts.js";
import { t } from "../texts.js";
import { makeFields } from "./groups.js";
import { scalarOf } from "./scalars.js";

/**
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("./fields.js").FormContext} FormContext
 * @typedef {import("./fields.js").Raw} Raw
 */

/** A colour as a text, and a picker beside it. @param {Field} field @param {string} pointer @param {FormContext} context @returns {Raw} */
export function colorField(field, pointer, { document }) {
  const write = (/** @type {string} */ text) => document.set(pointer, text === "" ? undefined : text);
  const input = h("input", {
    class: "field code",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: typeof field.default === "string" ? field.default : "#RRGGBB",
    oninput: () => write(input.value.trim()),
  });
  const picker = h("input", {
    type: "color",
    "aria-label": t("edit.color", { name: field.literal ?? t(`field.${field.label}`) }),
    oninput: () => write(picker.value.toUpperCase()),
  });
  const update = () => {
    const value = document.get(pointer);
    const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
    if (input.value.trim() !== text) input.value = text;
    const shown = text || String(field.default ?? "");
    picker.value = /^#[\da-f]{6}$/i.test(shown) ? shown.toLowerCase() : "#000000";
  };
  const element = h("div", { class: "json-field" }, input, picker);
  element.style.setProperty("flex-wrap", "nowrap");
  return { element, input, update };
}

/** A text, number or switch in one field; an object or array is edited as JSON. @param {Field} field @param {string} pointer @param {FormContext} context @returns {Raw} */
export function scalarField(field, pointer, { document, openJSON }) {
  const input = h("input", {
    class: "field",
    autocomplete: "off",
    placeholder: field.default === undefined ? null : String(field.default),
    oninput: () => document.set(pointer, scalarOf(input.value)),
  });
  const excerpt = h("code", { class: "excerpt" });
  const edit = button(t("edit.asjson"), "pencil", () => openJSON(pointer), "quiet");
  const other = h("div", { class: "json-field" }, excerpt, edit);
  const update = () => {
    const value = document.get(pointer);
    const isLarge = isObject(value) || Array.isArray(value);
    [input.hidden, other.hidden] = [isLarge, !isLarge];
    if (isLarge) excerpt.textContent = JSON.stringify(value).slice(0, 120);
    else if (scalarOf(input.value) !== value) input.value = value === undefined ? "" : String(value);
  };
  return { element: h("div", {}, input, other), input, update };
}

/**
 * An object: its fields under a summary. They are made when it is opened.
 * @param {Field} field @param {string} pointer @param {FormContext} context @returns {Raw}
 */
export function objectField(field, pointer, context) {
  const { document } = context;
  const names = h("span", { class: "muted" });
  const summary = h("summary", {}, h("span", {}, field.literal ?? ""), names);
  const body = h("div", { class: "form-fields" });
  /** @type {import("./groups.js").Made | undefined} */
  let made;
  let shape = "";
  const update = () => {
    const value = document.get(pointer);
    const fields = field.make?.(value) ?? [];
    const set = isObject(value) ? fields.filter((one) => document.get(pointer + one.pointer) !== undefined) : [];
    names.textContent = set.length > 0 ? t("form.more.set", { names: set.map((one) => one.literal).join(", ") }) : "";
    names.classList.toggle("is-set", set.length > 0);
    if (!element.open) return;
    const now = fields.map((one) => one.field + one.pointer).join();
    if (now !== shape) {
      made?.controls.forEach((control) => control.leave());
      made = makeFields(fields, pointer, context);
      body.replaceChildren(...made.elements);
      shape = now;
    }
    made?.controls.forEach((control) => control.update());
    made?.folded.forEach((folded) => folded.update());
  };
  const element = h("details", { class: "more-fields", ontoggle: () => update() }, summary, body);
  return {
    element,
    input: summary,
    isGroup: true,
    isNested: true,
    update,
    cells: () => element.open ? made?.controls ?? [] : [],
    leave: () => made?.controls.forEach((control) => control.leave()),
  };
}
