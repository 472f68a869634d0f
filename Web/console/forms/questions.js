// The forms of questionnaires and surveys.

import { converted } from "../ask/retype.js";
import { around, hosted, interfaceTexts } from "./around.js";
import { arranged, changed, typeMenu } from "./layout.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** The keys of the objects that are fields of their question. @type {Record<string, string>} */
const inner = {
  date_diff: "date_diff/year date_diff/month date_diff/day",
  options_metadata: "options_metadata/id options_metadata/types",
};

/** @param {Format} format @param {unknown} value @returns {import("./fields.js").Field[]} */
const fieldsOf = (format, value) =>
  format.fields("question", value).flatMap((field) =>
    field.label in inner
      ? format.pick("question", inner[field.label], value).map((one) => ({ ...one, isOptional: true, group: "more" }))
      : [field]
  );

/**
 * @param {Format} format @param {string} pointer of the questions @param {unknown} blank a new question
 * @param {string} title the key of a question's text @returns {Section}
 */
function questions(format, pointer, blank, title) {
  const key = format.typeKey("question");
  const menu = typeMenu(format, "question");
  const retyped = (/** @type {unknown} */ value, /** @type {string} */ type) =>
    format.retyped("question", converted(value, type), type);
  return {
    label: "questions",
    icon: "question",
    pointer,
    items: "list",
    title: [`/${title}`, "/id"],
    key: "/id",
    type: `/${key}`,
    typeName: (type) => format.typeTexts(type).title,
    blank,
    each: (value) =>
      changed(arranged(fieldsOf(format, value), `${title} ${key} id * required show_if validations`), {
        [key]: { ...menu, retyped },
        id: { isHalf: true },
        fields: { isCards: false },
      }),
  };
}

/** @param {Format} format @param {Section[]} sections @returns {Section[]} */
const recipe = (format, sections) => [
  {
    label: "name",
    icon: "pencil",
    fields: [
      ...changed(format.pick("", "name"), { name: { isTranslatable: false } }),
      ...hosted(format),
      ...format.pick("", "hidden_answers"),
    ],
  },
  ...sections,
  ...around(format),
  interfaceTexts(format),
];

/** @param {Format} format */
export const questionnaire = (format) =>
  recipe(format, [questions(format, "/schema/questions", { id: "question", type: "text", title: "" }, "title")]);

/** @param {Format} format */
export function survey(format) {
  const blank = { id: "question", question: "", question_type: "single_text_area" };
  const all = questions(format, "/questions", blank, "question");
  return recipe(format, [
    { ...all, sections: [{ ...all, label: "below", pointer: "/sub_questions" }] },
    { label: "submit", icon: "check", pointer: "/submit", fields: format.pick("submit", "button_title url") },
    {
      label: "predicates",
      icon: "filter",
      pointer: "/predicates",
      fields: [{
        pointer: "",
        field: "map",
        label: "section.predicates",
        hint: "section.predicates",
        key: "predicate",
        of: [{ pointer: "", field: "long", label: "expression", isCode: true }],
      }],
    },
  ]);
}
