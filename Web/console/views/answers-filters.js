// The bar that narrows down results and responses, stored in the address.

import { firstDay, periodOf, periods } from "../answers-query.js";
import { icon } from "../icons.js";
import { addTexts, t } from "../texts.js";
import answerTexts from "../texts/en_answers.js";
import { h } from "../../shared/dom.js";

addTexts(answerTexts);

/**
 * @typedef {{name: string, values: [string, string][]}} Choice values with their words; "" is the default
 * @typedef {(values: Record<string, string | undefined>) => void} Replace
 */

/** @param {Choice} choice @param {Replace} replace */
export function choiceField({ name, values }, replace) {
  const select = h("select", { class: "field", onchange: () => replace({ [name]: select.value }) });
  const element = h("label", {}, t(`answers.${name}`), select);
  return {
    element,
    name,
    /** @param {URLSearchParams} query @param {[string, string][]} [newer] other values */
    update(query, newer = values) {
      const chosen = query.get(name) ?? "";
      const known = newer.some(([value]) => value === chosen) ? newer : [...newer, [chosen, chosen]];
      const key = JSON.stringify(known);
      if (select.dataset.known !== key) {
        select.dataset.known = key;
        select.replaceChildren(...known.map(([value, words]) => h("option", { value }, words)));
      }
      element.hidden = newer.length < 2 && !chosen;
      select.value = chosen;
    },
  };
}

/** The field for the period. @param {Replace} replace */
export function periodField(replace) {
  const select = h("select", {
    class: "field",
    onchange: () => {
      const { value } = select;
      isOwn = value === "own";
      if (isOwn) return show(last);
      replace({ from: value ? firstDay(Number(value), Date.now()) : undefined, to: undefined });
    },
  });
  const options = ["", ...periods.map(String), "own"];
  select.append(...options.map((value) => h("option", { value }, t(`answers.period.${value}`))));
  const date = (/** @type {"from" | "to"} */ name) => {
    const input = h("input", {
      type: "date",
      class: "field",
      onchange: () => replace({ [name]: input.value || undefined }),
    });
    return { input, element: h("label", {}, t(`answers.${name}`), input) };
  };
  const [from, to] = [date("from"), date("to")];
  let isOwn = false;
  let last = new URLSearchParams();
  /** @param {URLSearchParams} query */
  function show(query) {
    last = query;
    const period = periodOf(query, Date.now());
    if (period === "own") isOwn = true;
    select.value = isOwn ? "own" : period;
    [from.input.value, to.input.value] = [query.get("from") ?? "", query.get("to") ?? ""];
    from.element.hidden = to.element.hidden = !isOwn;
  }
  return {
    element: [h("label", {}, t("answers.period"), select), from.element, to.element],
    update: show,
  };
}

/**
 * Removable chips for the filters without their own field.
 * @param {URLSearchParams} query
 * @param {Replace} replace
 * @param {string[]} [names]
 */
export function chips(query, replace, names = []) {
  const shown = [...query].filter(([name, value]) => value && (name.startsWith("attr.") || names.includes(name)));
  return shown.map(([name, value]) => {
    const word = name.replace(/^attr\./, "");
    const remove = h("button", {
      type: "button",
      class: "button quiet icon-only chip-remove",
      "aria-label": t("answers.only.remove", { name: word }),
      onclick: () => replace({ [name]: undefined }),
    });
    remove.append(icon("close"));
    return h("span", { class: "chip" }, h("bdi", {}, t("answers.only", { name: word, value })), remove);
  });
}

/** @returns {[string, string][]} */
export const draftValues = () => [["", t("answers.drafts.yes")], ["no", t("answers.drafts.no")]];

/** @returns {[string, string][]} */
export const dataValues = () => [
  ["", t("answers.data.production")],
  ["development", t("answers.data.development")],
  ["all", t("answers.data.all")],
];
