// The options of a preview: language, branch, persona, state, width, theme, direction, motion, and the stand-in for the
// owner's server.

import { h } from "../../shared/dom.js";
import { t } from "../texts.js";
import { button } from "./parts.js";

/**
 * @typedef {import("./preview.js").PreviewLook} PreviewLook
 * @typedef {{pointer: string, title: string}} Question
 */

/** Each choice and its values; the first value is the default. @type {Record<string, string[]>} */
const choices = {
  state: ["", "offer", "question", "error", "thanks"],
  width: ["", "320", "360", "768"],
  theme: ["", "light", "dark"],
  dir: ["", "ltr", "rtl"],
  motion: ["", "no-preference", "reduce"],
  hook: ["", "block", "fail"],
};

/** The look of a chosen state. A question stays chosen for its fault. @param {string} state or the pointer of a question @returns {PreviewLook} */
function lookOfState(state) {
  if (state.startsWith("/")) return { state: "question", pointer: state };
  return state === "error" ? { state } : { state: state || undefined, pointer: undefined };
}

/**
 * @param {(look: PreviewLook) => void} change
 * @param {() => void} restart
 * @param {Question[]} [questions] that can be chosen as states
 */
export function previewBar(change, restart, questions) {
  const selects = Object.fromEntries(["locale", "branch", "persona", ...Object.keys(choices)].map((name) => {
    const isPlace = name === "state" && questions !== undefined;
    const select = h("select", {
      class: "field",
      "aria-label": t(`preview.${name}`),
      onchange: () => change(isPlace ? lookOfState(select.value) : { [name]: select.value || undefined }),
    });
    return [name, select];
  }));
  const labels = Object.fromEntries(
    Object.entries(selects).map((
      [name, select],
    ) => [name, h("label", {}, h("small", {}, t(`preview.label.${name}`)), select)]),
  );
  for (const [name, values] of Object.entries(choices)) {
    selects[name].append(...values.map((value) => h("option", { value }, t(`preview.${name}.${value || "own"}`))));
  }
  for (const name of ["branch", "persona", "hook"]) labels[name].hidden = true;
  const [, , question] = selects.state.options;
  question.before(...(questions ?? []).map(({ pointer, title }) => h("option", { value: pointer }, title)));
  const hasQuestions = questions !== undefined && questions.length > 0;
  question.hidden = hasQuestions;
  /** @type {string[]} */
  let locales = [];
  const fillLocales = (/** @type {string} */ chosen) => {
    const all = [...new Set([...locales, ...(chosen ? [chosen] : [])])];
    selects.locale.replaceChildren(...all.map((value) => h("option", { value }, nameOfLocale(value))));
    selects.locale.value = chosen;
  };
  const again = button(t("preview.again"), "undo", restart, "quiet icon-only");
  return {
    element: h("div", { class: "preview-bar" }, h("div", { class: "preview-choices" }, Object.values(labels)), again),
    /** @param {string[]} all */
    setLocales(all) {
      locales = all;
      fillLocales(selects.locale.value || (all[0] ?? ""));
    },
    /** @param {PreviewLook} look @param {import("./preview.js").Picture} [picture] */
    update(look, picture) {
      const { branches = [], personas = [], hooks = false } = picture ?? {};
      fillLocales(look.locale ?? picture?.locale ?? locales[0] ?? "");
      labels.branch.hidden = branches.length < 2;
      selects.branch.replaceChildren(...branches.map((value) => h("option", { value }, value)));
      selects.branch.value = look.branch ?? branches[0] ?? "";
      labels.persona.hidden = personas.length === 0;
      selects.persona.replaceChildren(
        h("option", { value: "" }, t("preview.persona.none")),
        ...personas.map((value) => h("option", { value }, value)),
      );
      selects.persona.value = look.persona ?? "";
      labels.hook.hidden = !hooks;
      for (const option of selects.state.options) {
        if (option.value === "offer") option.hidden = !picture?.offer;
      }
      for (const name of Object.keys(choices)) selects[name].value = Reflect.get(look, name) ?? "";
      if (hasQuestions && look.state === "question") selects.state.value = look.pointer ?? "";
    },
  };
}

/** @param {string} tag */
function nameOfLocale(tag) {
  try {
    return new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
