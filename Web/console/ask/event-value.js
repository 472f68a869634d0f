// The controls for how often, and in which period, an event happened.

import { h } from "../../shared/dom.js";
import { longest, secondsOf } from "../language/audience-leaves.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./subjects.js").Subject} Subject
 * @typedef {import("../language/audience-leaves.js").Span} Span
 * @typedef {(value: unknown, isTyped?: boolean) => void} Change
 */

/** Whether a comparison counts. @param {string} comparison */
const isCount = (comparison) => comparison.startsWith("times");

/** The units of a comparison, each with the longest period. @param {string} comparison @returns {Record<string, number>} */
const unitsOf = (comparison) =>
  ["within", "withinNot", "ago"].includes(comparison)
    ? Object.fromEntries(Object.keys(secondsOf).map((unit) => [unit, Infinity]).toReversed())
    : longest;

/**
 * The value of a comparison of an event; what fits of the value before stays.
 * @param {unknown} before @param {Subject} subject @param {string} comparison
 * @returns {unknown}
 */
export function eventValue(before, { options = [] }, comparison) {
  if (comparison === "after" || comparison === "afterNot") {
    return typeof before === "string" ? before : options[0]?.value ?? "";
  }
  const { count = 1, length = 7, unit = "Days" } = /** @type {Partial<Span>} */ (
    typeof before === "object" ? before ?? {} : {}
  );
  const span = unit in unitsOf(comparison) ? { length, unit } : { length: 7, unit: "Days" };
  return isCount(comparison) ? { count, ...span } : span;
}

/** @param {{comparison: string, value?: any}} row @param {Subject} subject @param {Change} change @returns {HTMLElement} */
export function eventControl({ comparison, value }, { options = [] }, change) {
  if (comparison === "after" || comparison === "afterNot") return otherControl(value, options, change);
  const units = unitsOf(comparison);
  const count = isCount(comparison) ? countInput("when.count", value.count) : undefined;
  const length = countInput("when.length", value.length);
  const select = h(
    "select",
    { class: "field", "aria-label": t("when.unit") },
    Object.keys(units).map((unit) => h("option", { value: unit }, t(`jexl.${unit}`, { count: 2 }))),
  );
  select.value = value.unit;
  const read = () => {
    const least = comparison === "timesIs" ? 1 : 0;
    const isCounted = !count || isBetween(count.value, least, 1e9);
    const isLength = isBetween(length.value, 1, units[select.value]);
    count?.setAttribute("aria-invalid", String(!isCounted));
    length.setAttribute("aria-invalid", String(!isLength));
    length.title = isLength || units[select.value] === Infinity
      ? ""
      : t("when.longest", { count: units[select.value] });
    const span = { length: Number(length.value), unit: select.value };
    if (isCounted && isLength) change(count ? { count: Number(count.value), ...span } : span, true);
  };
  return h(
    "div",
    { class: "when-range is-wide", role: "group", "aria-label": t("when.value"), oninput: read },
    count && [count, h("span", { class: "muted" }, t("when.times"))],
    length,
    select,
  );
}

/** @param {string} text @param {number} low @param {number} high */
const isBetween = (text, low, high) => /^\d+$/.test(text.trim()) && Number(text) >= low && Number(text) <= high;

/** @param {string} label @param {number} value */
const countInput = (label, value) =>
  h("input", {
    class: "field number",
    value: String(value),
    inputmode: "numeric",
    autocomplete: "off",
    "aria-label": t(label),
  });

/** The other event of an order. @param {string} value @param {import("./subjects.js").Option[]} options @param {Change} change */
function otherControl(value, options, change) {
  const all = options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  const select = h(
    "select",
    { class: "field", "aria-label": t("when.value"), onchange: () => change(select.value, true) },
    all.map((option) => h("option", { value: option.value }, option.label)),
  );
  select.value = value;
  return select;
}
