// Fields that only questions and steps have: a survey's answers, sets of labels, and the target of a rule.

import { isObject } from "../../shared/comparison.js";
import { h } from "../../shared/dom.js";
import { change } from "../document/patch.js";
import { ListEditor } from "../elements/list.js";
import { t } from "../texts.js";
import { listField } from "../forms/lists.js";
import { ConditionRows } from "./condition-rows.js";
import { dialects } from "./dialects.js";
import { stepOptions, subjectsFor } from "./subjects.js";

/**
 * @typedef {import("../forms/fields.js").Field} Field
 * @typedef {import("../forms/fields.js").FormContext} FormContext
 * @typedef {import("../forms/fields.js").Raw} Raw
 */

/** @param {Field} field @param {string} pointer @param {FormContext} context @returns {Raw} */
export function conditionsField(
  { dialect = "core", blank },
  pointer,
  { document, vocabulary, openJSON, announce, nameOf },
) {
  const rows = new ConditionRows({
    document,
    pointer,
    dialect: dialects[dialect],
    name: dialect,
    openLocked: () => openJSON(pointer),
    announce,
    blank,
    subjects: () =>
      subjectsFor(dialect, document.get(""), pointer, vocabulary).map((subject) => ({
        ...subject,
        label: nameOf(subject.label),
        options: subject.options?.map(({ value, label }) => ({ value, label: nameOf(label) })),
      })),
  });
  return { element: rows.element, input: rows.element, isGroup: true, update: () => rows.update() };
}

/**
 * A survey's answers: texts, and answers with a free text.
 * @param {Field} field
 * @param {string} pointer
 * @param {FormContext} context
 * @returns {Raw}
 */
export function choicesField({ of = [] }, pointer, context) {
  const { document, announce } = context;
  const list = new ListEditor({
    document,
    pointer,
    name: t("item.options"),
    cells: (
      row,
    ) => [answerCell(row, document), openCell(row, document), ...of.map((field) => rulesCell(field, row, context))],
    nameOf: (row) =>
      titleOf(document.get(row)) || t("list.nth", { place: Number(row.slice(row.lastIndexOf("/") + 1)) + 1 }),
    blank: () => "",
    fromLine: (line) => line,
    announce,
  });
  return {
    element: list.element,
    input: list.element,
    isGroup: true,
    update: () => list.update(),
    cells: () => /** @type {any} */ (list.cells),
  };
}

/** @param {any} option @returns {string} */
const titleOf = (option) => typeof option === "string" ? option : isObject(option) ? String(option.title ?? "") : "";

/** @param {string} row @param {import("../document/document.js").JSONDocument} document */
function answerCell(row, document) {
  const at = () => typeof document.get(row) === "string" ? row : `${row}/title`;
  const input = h("input", {
    class: "field",
    autocomplete: "off",
    "aria-label": t("field.answer"),
    oninput: () => document.set(at(), input.value),
  });
  const update = () => {
    const text = titleOf(document.get(row));
    if (input.value !== text) input.value = text;
  };
  return { element: h("div", { class: "cell" }, input), update };
}

/**
 * The cell with the switch for a free text.
 * @param {string} row
 * @param {import("../document/document.js").JSONDocument} document
 */
function openCell(row, document) {
  const isOpen = () => isObject(document.get(row)) && document.get(row).type === "freeform";
  const box = h("input", {
    type: "checkbox",
    onchange: () => {
      const option = JSON.parse(JSON.stringify(document.get(row)));
      const title = titleOf(option);
      const { type: _, validations: __, ...rest } = isObject(option) ? option : {};
      const closed = Object.keys(rest).every((key) => key === "title") ? title : { ...rest, title };
      change(document, row, box.checked ? { ...rest, title, type: "freeform" } : closed);
    },
  });
  const element = h("div", { class: "cell is-narrow" }, h("label", { class: "when-box" }, box, t("field.freeform")));
  return { element, update: () => box.checked = isOpen() };
}

/**
 * The cell with the rules of an answer's free text.
 * @param {Field} field
 * @param {string} row
 * @param {FormContext} context
 */
function rulesCell(field, row, context) {
  const raw = listField(field, row + field.pointer, context);
  const summary = h("summary", {});
  const element = h("details", { class: "cell is-wide" }, summary, raw.element);
  const update = () => {
    const option = context.document.get(row);
    element.hidden = !isObject(option) || option.type !== "freeform";
    if (element.hidden) return;
    raw.update();
    summary.textContent = t("field.validations.of", { count: context.document.keys(row + field.pointer).length });
  };
  return { element, update, cells: () => raw.cells?.() ?? [] };
}

const plus = " + ";

/**
 * Sets of labels; each set is one text or several.
 * @param {Field} field
 * @param {string} pointer
 * @param {FormContext} context
 * @returns {Raw}
 */
export function labelsField(field, pointer, { document, announce }) {
  const textOf = (/** @type {unknown} */ set) =>
    Array.isArray(set) ? set.join(plus) : typeof set === "string" ? set : "";
  const valueOf = (/** @type {string} */ text) => {
    const parts = text.split("+").map((part) => part.trim());
    return parts.length === 1 ? text : parts;
  };
  const list = new ListEditor({
    document,
    pointer,
    name: t("item.labels"),
    cells: (row) => {
      const input = h("input", {
        class: "field",
        autocomplete: "off",
        "aria-label": t("field.label"),
        oninput: () => change(document, row, valueOf(input.value), `${row} labels`),
      });
      const update = () => {
        const text = textOf(document.get(row));
        if (input !== globalThis.document.activeElement || textOf(valueOf(input.value)) !== text) {
          if (input.value !== text) input.value = text;
        }
      };
      return [{ element: h("div", { class: "cell" }, input), update }];
    },
    nameOf: (row) => textOf(document.get(row)) || t("item.labels"),
    blank: () => "",
    fromLine: valueOf,
    announce,
  });
  return { element: list.element, input: list.element, isGroup: true, update: () => list.update() };
}

/**
 * The target of a rule: a step, a node, or the end.
 * @param {Field} _
 * @param {string} pointer
 * @param {FormContext} context
 * @returns {Raw}
 */
export function targetField(_, pointer, { document }) {
  const select = h("select", { class: "field", onchange: () => document.set(pointer, select.value) });
  let shown = "";
  const update = () => {
    const value = String(document.get(pointer) ?? "");
    const nodes = document.keys("/graph_nodes").map((id) => ({ value: id, label: `◇ ${id}` }));
    const steps = /** @type {any[]} */ (document.get("/steps") ?? []);
    const known = [
      ...stepOptions(Array.isArray(steps) ? steps : []),
      ...nodes,
      ...(nodes.some(({ value }) => value.startsWith("end_")) ? [] : [{ value: "end_here", label: t("flow.end") }]),
    ];
    const isKnown = known.some((option) => option.value === value);
    const all = isKnown
      ? known
      : [{ value, label: value === "" ? t("flow.nowhere") : t("when.unknown", { name: value }) }, ...known];
    const shape = JSON.stringify(all);
    if (shape !== shown) {
      select.replaceChildren(...all.map((option) => h("option", { value: option.value }, option.label)));
    }
    shown = shape;
    select.value = value;
  };
  return { element: select, input: select, update };
}
