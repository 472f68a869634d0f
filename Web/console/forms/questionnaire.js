// The fields of questionnaires.

import { around, hidden, hosted, interfaceTexts } from "./around.js";

const choices = { pointer: "/type", in: ["single_choice", "multi_choice"] };

/** @type {import("./message.js").Section[]} */
export const questionnaire = [
  {
    label: "name",
    icon: "pencil",
    fields: [{ pointer: "/name", field: "text", label: "name" }, ...hosted, hidden("drop")],
  },
  {
    label: "questions",
    icon: "question",
    pointer: "/schema/questions",
    items: "list",
    title: ["/title", "/id"],
    key: "/id",
    type: "/type",
    blank: { id: "question", type: "text", title: "" },
    each: [
      { pointer: "/title", field: "long", label: "question", isTranslatable: true },
      {
        pointer: "/type",
        field: "type",
        label: "type",
        options: ["text", "single_choice", "multi_choice", "rating", "nps"],
        isHalf: true,
      },
      { pointer: "/id", field: "text", label: "id", hint: "id", isHalf: true },
      {
        pointer: "/options",
        field: "rows",
        label: "options",
        blank: { id: "", label: "" },
        when: choices,
        of: [
          { pointer: "/id", field: "text", label: "id", isNarrow: true },
          { pointer: "/label", field: "text", label: "answer" },
        ],
      },
      {
        pointer: "/scale",
        field: "number",
        label: "scale",
        isOptional: true,
        default: 5,
        hint: "scale",
        when: { pointer: "/type", is: "rating" },
        isHalf: true,
      },
      {
        pointer: "/display",
        field: "choice",
        label: "rating.display",
        options: ["stars", "numbers"],
        isOptional: true,
        default: "stars",
        when: { pointer: "/type", is: "rating" },
        isHalf: true,
      },
      {
        pointer: "/multiline",
        field: "switch",
        label: "multiline",
        default: false,
        when: { pointer: "/type", is: "text" },
      },
      { pointer: "/required", field: "switch", label: "required", default: false },
      { pointer: "/show_if", field: "conditions", label: "show_if", dialect: "show_if" },
      {
        pointer: "/subtitle",
        field: "text",
        label: "subtitle",
        isOptional: true,
        isTranslatable: true,
        isRare: true,
      },
      {
        pointer: "/placeholder",
        field: "text",
        label: "placeholder",
        isOptional: true,
        isTranslatable: true,
        when: { pointer: "/type", is: "text" },
        isRare: true,
      },
      { pointer: "/sensitive", field: "switch", label: "sensitive", default: false, hint: "sensitive", isRare: true },
    ],
  },
  ...around,
  interfaceTexts,
];
