// The fields of surveys: all types of questions, their sub-questions, and the rules of their answers.

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
const validations = {
  pointer: "/validations",
  field: "rows",
  label: "validations",
  hint: "validations",
  isCards: true,
  title: "/on_fail_message",
  blank: { operation: "less than", value: 100, on_fail_message: "" },
  of: [
    {
      pointer: "/operation",
      field: "choice",
      label: "validation.operation",
      options: [
        "equals",
        "not equals",
        "greater than",
        "greater than or equal to",
        "less than",
        "less than or equal to",
      ],
      isHalf: true,
    },
    { pointer: "/value", field: "text", label: "value", isHalf: true, isOptional: true },
    { pointer: "/on_fail_message", field: "text", label: "validation.message", isTranslatable: true },
    {
      pointer: "/answer_to_question_id",
      field: "text",
      label: "validation.question",
      suggest: "questions",
      isOptional: true,
      isHalf: true,
    },
    { pointer: "/for_label", field: "text", label: "validation.label", isOptional: true, isHalf: true },
  ],
};

/** @type {Field[]} The fields of single types. */
const ofTypes = [
  {
    pointer: "/options",
    field: "choices",
    label: "options",
    when: of("single_select", "multi_select"),
    of: [validations],
  },
  { pointer: "/options", field: "names", label: "table.options", item: "options", when: of("table_select") },
  {
    pointer: "/table_questions",
    field: "rows",
    label: "table.rows",
    blank: { id: "row", title: "" },
    when: of("table_select"),
    of: [
      { pointer: "/id", field: "text", label: "id", isNarrow: true },
      { pointer: "/title", field: "text", label: "row" },
    ],
  },
  { pointer: "/values", field: "names", label: "segments", when: of("segment_select") },
  {
    pointer: "/low_tag",
    field: "text",
    label: "low",
    isOptional: true,
    isTranslatable: true,
    when: of("segment_select"),
    isHalf: true,
  },
  {
    pointer: "/high_tag",
    field: "text",
    label: "high",
    isOptional: true,
    isTranslatable: true,
    when: of("segment_select"),
    isHalf: true,
  },
  {
    pointer: "/fields",
    field: "rows",
    label: "textfields",
    blank: { label: "" },
    when: of("multi_text_field"),
    of: [
      { pointer: "/label", field: "text", label: "label" },
      {
        pointer: "/input_type",
        field: "choice",
        label: "input",
        options: inputs,
        isOptional: true,
        default: "text",
        isNarrow: true,
      },
      { pointer: "/max_chars", field: "text", label: "max_chars", isOptional: true, isNarrow: true },
    ],
  },
  { pointer: "/label_options", field: "labels", label: "labels", hint: "labels", when: of("dynamic_label_text_field") },
  {
    pointer: "/label",
    field: "text",
    label: "label",
    isOptional: true,
    when: of(...texts, "add_text_field"),
    isHalf: true,
  },
  {
    pointer: "/input_type",
    field: "choice",
    label: "input",
    options: inputs,
    isOptional: true,
    default: "text",
    when: of(...texts, "add_text_field", "dynamic_label_text_field", "multi_text_field"),
    isHalf: true,
  },
  ...["min_year", "max_year", "num_years", "initial_year"].map((key) => ({
    pointer: `/${key}`,
    field: /** @type {const} */ ("text"),
    label: key,
    isOptional: true,
    hint: key === "max_year" ? "max_year" : undefined,
    when: of("year_picker"),
    isHalf: true,
  })),
  {
    pointer: "/sort_order",
    field: "choice",
    label: "sort_order",
    options: ["ASC", "DESC"],
    isOptional: true,
    default: "ASC",
    when: of("year_picker"),
    isHalf: true,
  },
  ...["min_date", "max_date", "date"].map((key) => ({
    pointer: `/${key}`,
    field: /** @type {const} */ ("text"),
    label: key,
    isOptional: true,
    hint: key === "max_date" ? "max_date" : undefined,
    when: of("date_picker"),
    isHalf: true,
  })),
  ...["year", "month", "day"].map((key) => ({
    pointer: `/date_diff/${key}`,
    field: /** @type {const} */ ("number"),
    label: `date_diff.${key}`,
    isOptional: true,
    when: of("date_picker"),
    isHalf: true,
    isRare: true,
  })),
  {
    pointer: "/options_metadata/id",
    field: "text",
    label: "metadata.id",
    isOptional: true,
    hint: "metadata.id",
    when: of("dynamic_label_text_field"),
    isRare: true,
  },
  {
    pointer: "/options_metadata/types",
    field: "names",
    label: "metadata.types",
    when: of("dynamic_label_text_field"),
    isRare: true,
  },
];

/** @type {Field[]} */
const each = [
  { pointer: "/question", field: "long", label: "question", isTranslatable: true },
  { pointer: "/question_type", field: "type", label: "type", options: surveyTypes, isHalf: true },
  { pointer: "/id", field: "text", label: "id", hint: "id", isHalf: true },
  ...ofTypes,
  { pointer: "/required", field: "switch", label: "required", default: true },
  { pointer: "/show_if", field: "conditions", label: "show_if", dialect: "show_if" },
  { ...validations, when: of(...texts, "dynamic_label_text_field") },
  { pointer: "/header", field: "text", label: "header", isOptional: true, isTranslatable: true, isRare: true },
  { pointer: "/subtitle", field: "text", label: "subtitle", isOptional: true, isTranslatable: true, isRare: true },
  {
    pointer: "/max_chars",
    field: "text",
    label: "max_chars",
    isOptional: true,
    when: of(...texts, "add_text_field", "dynamic_label_text_field", "multi_text_field"),
    isRare: true,
  },
  { pointer: "/sensitive", field: "switch", label: "sensitive", default: false, hint: "sensitive", isRare: true },
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
    fields: [{ pointer: "/name", field: "text", label: "name" }, ...hosted, hidden("keep")],
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
      { pointer: "/button_title", field: "text", label: "button", isOptional: true, isTranslatable: true },
      { pointer: "/url", field: "text", label: "submit.url", isOptional: true, hint: "submit.url" },
    ],
  },
  {
    label: "predicates",
    icon: "filter",
    pointer: "/predicates",
    fields: [{
      pointer: "",
      field: "map",
      label: "section.predicates",
      key: "predicate",
      hint: "section.predicates",
      of: [{ pointer: "", field: "long", label: "expression", isCode: true }],
    }],
  },
  ...around,
  interfaceTexts,
];
