// The form that computes how many clients the goal of an experiment takes, and how long.

import { consult, path, Problem } from "../api.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { addTexts, number, t } from "../texts.js";
import goalTexts from "../texts/en_goals.js";
import { h, setAttribute } from "../../shared/dom.js";
import { firstValues, numbers, ofEvent, sizeRequest } from "./size-values.js";

addTexts(goalTexts);

/**
 * @typedef {{mean: number, sd?: number, correlation: number, exposed_per_day?: number}} Rates
 * @typedef {{fixed_clients: number, plan_clients: number, all_clients: number, power_by_plan: number, days: number | null,
 *   rates?: Rates}} Size
 */

/** @param {string} app @param {Partial<API.Document>} document the recipe @param {AbortSignal} signal @returns {HTMLElement} */
export function sizeForm(app, document, signal) {
  const first = firstValues(document);
  const answer = h("div", { role: "status" });
  const fields = fieldsOf(first);
  const sd = fields.get("sd");
  const tell = () => sd && (sd.element.hidden = fields.get("counts")?.input.value !== "sum");
  tell();
  let asked = 0;
  const ask = async () => {
    const own = asked += 1;
    const values = Object.fromEntries([...fields].map(([name, { input }]) => [name, input.value]));
    for (const { input } of fields.values()) setAttribute(input, "aria-invalid", null);
    const address = path("apps", app, "recipes", "size");
    try {
      const size = await consult(address, JSON.stringify(sizeRequest(values)), signal);
      if (own === asked) answer.replaceChildren(sizeList(size));
    } catch (error) {
      if (own === asked && !signal.aborted) answer.replaceChildren(...faults(error, fields));
    }
  };
  return h(
    "details",
    { class: "folded" },
    h("summary", {}, t("size.title")),
    h(
      "form",
      {
        class: "prose stack",
        onchange: tell,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void ask();
        },
      },
      h("p", { class: "muted" }, t("size.says")),
      h("div", { class: "filters" }, [...fields.values()].map(({ element }) => element)),
      h("div", {}, h("button", { type: "submit", class: "button" }, t("size.do"))),
      answer,
    ),
  );
}

/** @typedef {Map<string, {input: HTMLInputElement | HTMLSelectElement, element: HTMLElement}>} Fields */

/** @param {import("./size-values.js").SizeValues} first @returns {Fields} */
function fieldsOf(first) {
  const choice = (/** @type {string} */ name, /** @type {string[]} */ values) => {
    const input = h("select", { class: "field" });
    input.append(...values.map((value) => h("option", { value }, t(`size.${name}.${value}`))));
    return input;
  };
  const inputs = [
    ["counts", choice("counts", ["converted", "sum"])],
    ["direction", choice("direction", ["up", "down"])],
    ...ofEvent.map((name) => [
      name,
      name === "event" ? h("input", { class: "field", spellcheck: "false" }) : numberField(false),
    ]),
    ...numbers.map((name) => [name, numberField(name === "mde")]),
  ];
  return new Map(inputs.map(([name, input]) => {
    input.value = first[name];
    return [name, { input, element: h("label", {}, t(`size.${name}`), input) }];
  }));
}

/** @param {boolean} required */
const numberField = (required) => h("input", { class: "field", type: "number", step: "any", min: 0, required });

/** @param {Size} size */
function sizeList(size) {
  const rows = [
    ["all_clients", number(size.all_clients)],
    ["plan_clients", number(size.plan_clients)],
    ["fixed_clients", number(size.fixed_clients)],
    ["power_by_plan", number(size.power_by_plan, { style: "percent", maximumFractionDigits: 1 })],
    ...(size.days === null ? [] : [["days", number(size.days)]]),
    ...Object.entries(size.rates ?? {}).map(([name, value]) => [`rates.${name}`, number(value)]),
  ];
  return h("dl", { class: "facts" }, rows.map(([name, value]) => [h("dt", {}, t(`size.${name}`)), h("dd", {}, value)]));
}

/** What the daemon finds wrong, each with the label of its field. @param {unknown} error @param {Fields} fields */
function faults(error, fields) {
  const found = error instanceof Problem && Array.isArray(error.body.errors) ? error.body.errors : [];
  const line = (/** @type {string} */ text) => h("p", { class: "finding" }, icon("fault"), h("span", {}, text));
  if (found.length === 0) return [line(recipes.sentence(error))];
  return found.map((/** @type {{pointer: string, message: string}} */ { pointer, message }) => {
    const name = pointer.split("/").at(-1) ?? "";
    const field = fields.get(name);
    if (field) setAttribute(field.input, "aria-invalid", "true");
    return line(field ? `${t(`size.${name}`)}: ${message}` : message);
  });
}
