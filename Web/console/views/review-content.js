// What goes live, as people see it: sentences, the questions with their answers, and a preview in all its states: the
// invitation, the start, each question, a fault and the thanks.

import { valueAt } from "../document/pointers.js";
import { formatOf, loadFormat } from "../forms/formats.js";
import { kindOf } from "../forms/kinds.js";
import { previewPane } from "../elements/preview.js";
import { sectionHead } from "../elements/parts.js";
import { kindNamed } from "../kinds.js";
import { sentences } from "../language/sentences.js";
import { t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { wordsOfApp } from "./recipe-summary.js";

/** The maximum number of options that are listed under a question; more are only counted. */
const maximumOptions = 12;

/**
 * @param {{app: string, slug: string, document: import("../document/document.js").JSONDocument, signal: AbortSignal}} of
 */
export function reviewContent({ app, slug, document, signal }) {
  const words = h("section", {});
  const questions = h("section", { hidden: true });
  const preview = h("section", {});
  /** @type {import("../elements/preview.js").PreviewPane | undefined} */
  let pane;
  signal.addEventListener("abort", () => pane?.leave());
  const known = wordsOfApp(app, signal).catch(() => ({ text: (/** @type {unknown} */ id) => String(id) }));
  const update = async () => {
    pane?.update();
    const facts = await known;
    if (signal.aborted) return;
    const value = document.get("");
    const all = questionsOf(value);
    // Nobody sees a segment.
    if (!pane && !kindNamed(value.kind).isNamed) {
      pane = previewPane({ app, slug, document, questions: statesOf(all, facts.text) });
      preview.replaceChildren(sectionHead(t("preview.title")), pane);
    }
    const lines = sentences(value, facts).map((sentence) => h("li", {}, `${sentence}.`));
    words.replaceChildren(
      sectionHead(t("recipe.summary")),
      h("div", { class: "panel prose" }, h("ul", { class: "sentences" }, lines)),
    );
    await loadFormat(kindOf(value), signal).catch(() => undefined);
    const format = formatOf(kindOf(value));
    const asked = all.map((question, place) => questionItem(question, place, facts.text, format));
    questions.hidden = asked.length === 0;
    questions.replaceChildren(
      sectionHead(t("review.questions"), asked.length),
      h("div", { class: "panel prose" }, h("ol", { class: "review-questions sentences" }, asked)),
    );
  };
  void update();
  return { words, questions, preview, update };
}

/**
 * The questions, steps or options of a document.
 * @param {API.Document} document
 * @returns {{pointer?: string, title: unknown, type: string | undefined, options: any[], isRequired: boolean}[]} a
 *   message has no `pointer`: all messages are drawn at once
 */
function questionsOf(document) {
  const one = (
    /** @type {Partial<API.Question>} */ {
      title,
      question,
      type,
      question_type,
      options,
      required,
      sub_questions,
      config,
    },
  ) => ({
    title: title ?? question ?? config?.title,
    type: type ?? question_type,
    options: [options, sub_questions, config?.options, config?.fields].find(Array.isArray) ?? [],
    isRequired: required === true,
  });
  const place = kindNamed(document.kind).questions ?? (document.steps ? "/steps" : undefined);
  const list = place && valueAt(document, place);
  if (Array.isArray(list)) {
    return list.map((item, index) => ({ ...one(item ?? {}), pointer: `${place}/${index}` }));
  }
  return messagesOf(document).filter(({ microsurveyConfig }) => Array.isArray(microsurveyConfig?.options)).map((
    { title, text, microsurveyConfig },
  ) => ({
    title: text ?? title,
    type: undefined,
    options: microsurveyConfig.options,
    isRequired: false,
  }));
}

/**
 * The questions as states of the preview.
 * @param {ReturnType<typeof questionsOf>} questions @param {(id: string) => string} text
 */
const statesOf = (questions, text) =>
  questions.flatMap(({ pointer, title }, place) =>
    pointer === undefined ? [] : [{ pointer, title: `${place + 1}. ${text(String(title ?? "—"))}` }]
  );

/** The messages of a messaging document, or of all branches. @param {API.Document} document @returns {any[]} */
function messagesOf(document) {
  const features = (/** @type {Partial<API.Document>} */ { features = [], feature }) =>
    feature ? [feature, ...features] : features;
  const values = Array.isArray(document.branches)
    ? document.branches.flatMap(features).map(({ value }) => value)
    : [document];
  return values.flatMap((value) => Object.values(value?.messages ?? {})).filter((
    message,
  ) => message && typeof message === "object");
}

/**
 * @param {ReturnType<typeof questionsOf>[number]} question
 * @param {number} place
 * @param {(id: string) => string} text
 * @param {import("../forms/schema.js").Format | undefined} format
 */
function questionItem({ title, type, options, isRequired }, place, text, format) {
  const shown = options.slice(0, maximumOptions).map((option) => h("li", {}, h("bdi", {}, text(labelOf(option)))));
  const rest = options.length - shown.length;
  const facts = [type && format?.typeTexts(type).title, isRequired && t("review.required")].filter(Boolean).join(" · ");
  return h(
    "li",
    {},
    `${place + 1}. `,
    h("bdi", {}, text(String(title ?? "—"))),
    facts && h("small", { class: "muted" }, " ", facts),
    shown.length > 0 &&
      h("ul", {}, shown, rest > 0 && h("li", { class: "muted" }, t("review.options", { count: rest }))),
  );
}

/** @param {any} option @returns {string} */
function labelOf(option) {
  if (option === null || typeof option !== "object") return String(option);
  return String(option.label ?? option.title ?? option.text ?? option.question ?? option.value ?? option.id ?? "—");
}
