// Controls for the questions of a step in a run.

import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";
import { asksOf } from "./subjects.js";

/** @typedef {import("./subjects.js").Asked} Asked */

/**
 * @param {API.Document} step a step of a run in the daemon's format
 * @param {any} given the earlier answers
 * @returns {{element: HTMLElement, read: () => any}}
 */
export function answerFields(step, given) {
  const hidden = new Set(
    (step.fields ?? []).filter((field) => field.visible === false).map(({ id }) => id),
  );
  const known = asksOf({ ...step, config: step });
  // A field without a specific control is typed, as a text or as JSON.
  const others = (Array.isArray(step.fields) ? step.fields : [])
    .filter((field) => !known.some(({ id }) => id === field.id))
    .map((field) => ({
      id: field.id,
      label: field.label ?? field.id,
      kind: /** @type {const} */ ("other"),
    }));
  const controls = [...known, ...others].filter(({ id }) => !hidden.has(id))
    .map((asked) => ({ id: asked.id, ...control(asked, given[asked.id]) }));
  return {
    element: h("div", { class: "walk-answers" }, controls.map(({ element }) => element)),
    read: () =>
      Object.fromEntries(controls.map(({ id, read }) => [id, read()]).filter(([, value]) => value !== undefined)),
  };
}

/** @param {Asked} asked @param {any} given @returns {{element: HTMLElement, read: () => any}} */
function control(asked, given) {
  if (asked.id === "selected" || asked.kind === "choices" && asked.options) return boxes(asked, given);
  if (asked.kind === "boolean") {
    const box = h("input", { type: "checkbox", checked: given === true });
    return { element: h("label", { class: "when-box" }, box, asked.label), read: () => box.checked };
  }
  const id = uniqueId("answer");
  const input = asked.options
    ? h(
      "select",
      { class: "field", id },
      [{ value: "", label: "" }, ...asked.options].map(({ value, label }) => h("option", { value }, label)),
    )
    : h("input", {
      class: "field",
      id,
      autocomplete: "off",
      inputmode: asked.kind === "number" ? "decimal" : null,
      placeholder: asked.kind === "other" ? t("walk.json") : null,
    });
  input.value = given === undefined || given === null
    ? ""
    : typeof given === "object"
    ? JSON.stringify(given)
    : String(given);
  return {
    element: h("div", { class: "form-field" }, h("label", { for: id }, asked.label), input),
    read: () => readText(input.value, asked.kind),
  };
}

/** @param {string} text @param {string} kind @returns {any} */
function readText(text, kind) {
  if (text.trim() === "") return undefined;
  if (kind === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === "choices") return text.split(",").map((part) => part.trim()).filter(Boolean);
  if (kind !== "other") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {Asked} asked @param {any} given */
function boxes({ id, label, kind, options = [] }, given) {
  const name = uniqueId("choice");
  const inputs = options.map((option) => ({
    option,
    input: h("input", {
      type: kind === "choices" ? "checkbox" : "radio",
      name,
      checked: Array.isArray(given) && given.includes(option.value),
    }),
  }));
  const element = h(
    "fieldset",
    { class: "walk-choice" },
    h("legend", { class: "hidden-text" }, label || id),
    inputs.map(({ option, input }) => h("label", { class: "when-box" }, input, option.label)),
  );
  return { element, read: () => inputs.filter(({ input }) => input.checked).map(({ option }) => option.value) };
}
