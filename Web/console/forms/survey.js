// The fields of surveys: all types of questions, their sub-questions, and the rules of their answers.

import { field } from "./field.js";
import { around, hidden, hosted, interfaceTexts } from "./around.js";

/** @typedef {import("./message.js").Field} Field */

const surveyTypes = [
  "single_select",
  "multi_select",
  "segment_select",
  "table_select",
  "single_text_field",
  "single_text_area",
  "multi_text_field",
  "dynamic_label_text_field",
  "add_text_field",
  "year_picker",
  "date_picker",
];
const inputs = ["text", "number", "email", "phone"];
const texts = ["single_text_field", "single_text_area"];

/** @param {...string} types */
const of = (...types) => ({ pointer: "/question_type", in: types });

/** @type {Field} */
const validations = field("rows", "/validations", "validations", {
  hint: "validations",
  isCards: true,
  title: "/on_fail_message",
  blank: { operation: "less than", value: 100, on_fail_message: "" },
  of: [
    field("choice", "/operation", "validation.operation", {
      options: [
        "equals",
        "not equals",
        "greater than",
        "greater than or equal to",
        "less than",
        "less than or equal to",
      ],
      isHalf: true,
    }),
    field("text", "/value", "value", { isHalf: true, isOptional: true }),
    field("text", "/on_fail_message", "validation.message", { isTranslatable: true }),
    field("text", "/answer_to_question_id", "validation.question", {
      suggest: "questions",
      isOptional: true,
      isHalf: true,
    }),
    field("text", "/for_label", "validation.label", { isOptional: true, isHalf: true }),
  ],
});

/** @type {Field[]} The fields of single types. */
const ofTypes = [
  field("choices", "/options", "options", { when: of("single_select", "multi_select"), of: [validations] }),
  field("names", "/options", "table.options", { item: "options", when: of("table_select") }),
  field("rows", "/table_questions", "table.rows", {
    blank: { id: "row", title: "" },
    when: of("table_select"),
    of: [field("text", "/id", "id", { isNarrow: true }), field("text", "/title", "row")],
  }),
  field("names", "/values", "segments", { when: of("segment_select") }),
  field("text", "/low_tag", "low", {
    isOptional: true,
    isTranslatable: true,
    when: of("segment_select"),
    isHalf: true,
  }),
  field("text", "/high_tag", "high", {
    isOptional: true,
    isTranslatable: true,
    when: of("segment_select"),
    isHalf: true,
  }),
  field("rows", "/fields", "textfields", {
    blank: { label: "" },
    when: of("multi_text_field"),
    of: [
      field("text", "/label", "label"),
      field("choice", "/input_type", "input", { options: inputs, isOptional: true, default: "text", isNarrow: true }),
      field("text", "/max_chars", "max_chars", { isOptional: true, isNarrow: true }),
    ],
  }),
  field("labels", "/label_options", "labels", { hint: "labels", when: of("dynamic_label_text_field") }),
  field("text", "/label", "label", { isOptional: true, when: of(...texts, "add_text_field"), isHalf: true }),
  field("choice", "/input_type", "input", {
    options: inputs,
    isOptional: true,
    default: "text",
    when: of(...texts, "add_text_field", "dynamic_label_text_field", "multi_text_field"),
    isHalf: true,
  }),
  ...["min_year", "max_year", "num_years", "initial_year"].map((key) =>
    field("text", `/${key}`, key, {
      isOptional: true,
      hint: key === "max_year" ? "max_year" : undefined,
      when: of("year_picker"),
      isHalf: true,
    })
  ),
  field("choice", "/sort_order", "sort_order", {
    options: ["ASC", "DESC"],
    isOptional: true,
    default: "ASC",
    when: of("year_picker"),
    isHalf: true,
  }),
  ...["min_date", "max_date", "date"].map((key) =>
    field("text", `/${key}`, key, {
      isOptional: true,
      hint: key === "max_date" ? "max_date" : undefined,
      when: of("date_picker"),
      isHalf: true,
    })
  ),
  ...["year", "month", "day"].map((key) =>
    field("number", `/date_diff/${key}`, `date_diff.${key}`, {
      isOptional: true,
      when: of("date_picker"),
      isHalf: true,
      isRare: true,
    })
  ),
  field("text", "/options_metadata/id", "metadata.id", {
    isOptional: true,
    hint: "metadata.id",
    when: of("dynamic_label_text_field"),
    isRare: true,
  }),
  field("names", "/options_metadata/types", "metadata.types", { when: of("dynamic_label_text_field"), isRare: true }),
];

/** @type {Field[]} */
const each = [
  field("long", "/question", "question", { isTranslatable: true }),
  field("type", "/question_type", "type", { options: surveyTypes, isHalf: true }),
  field("text", "/id", "id", { hint: "id", isHalf: true }),
  ...ofTypes,
  field("switch", "/required", "required", { default: true }),
  field("conditions", "/show_if", "show_if", { dialect: "show_if" }),
  { ...validations, when: of(...texts, "dynamic_label_text_field") },
  field("text", "/header", "header", { isOptional: true, isTranslatable: true, isRare: true }),
  field("text", "/subtitle", "subtitle", { isOptional: true, isTranslatable: true, isRare: true }),
  field("text", "/max_chars", "max_chars", {
    isOptional: true,
    when: of(...texts, "add_text_field", "dynamic_label_text_field", "multi_text_field"),
    isRare: true,
  }),
  field("switch", "/sensitive", "sensitive", { default: false, hint: "sensitive", isRare: true }),
];

const questions = {
  icon: "question",
  items: /** @type {const} */ ("list"),
  title: ["/question", "/id"],
  key: "/id",
  type: "/question_type",
  blank: { id: "question", question: "", question_type: "single_text_area" },
  each,
};

/** @type {import("./message.js").Section[]} */
export const survey = [
  {
    label: "name",
    icon: "pencil",
    fields: [field("text", "/name", "name"), ...hosted, hidden("keep")],
  },
  {
    ...questions,
    label: "questions",
    pointer: "/questions",
    sections: [{ ...questions, label: "below", pointer: "/sub_questions" }],
  },
  {
    label: "submit",
    icon: "check",
    pointer: "/submit",
    fields: [
      field("text", "/button_title", "button", { isOptional: true, isTranslatable: true }),
      field("text", "/url", "submit.url", { isOptional: true, hint: "submit.url" }),
    ],
  },
  {
    label: "predicates",
    icon: "filter",
    pointer: "/predicates",
    fields: [
      field("map", "", "section.predicates", {
        key: "predicate",
        hint: "section.predicates",
        of: [field("long", "", "expression", { isCode: true })],
      }),
    ],
  },
  ...around,
  interfaceTexts,
];
