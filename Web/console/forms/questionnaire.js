// The fields of questionnaires.

import { field } from "./field.js";
import { around, hidden, hosted, interfaceTexts } from "./around.js";

const choices = { pointer: "/type", in: ["single_choice", "multi_choice"] };

/** @type {import("./message.js").Section[]} */
export const questionnaire = [
  {
    label: "name",
    icon: "pencil",
    fields: [field("text", "/name", "name"), ...hosted, hidden("drop")],
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
      field("long", "/title", "question", { isTranslatable: true }),
      field("type", "/type", "type", {
        options: ["text", "single_choice", "multi_choice", "rating", "nps"],
        isHalf: true,
      }),
      field("text", "/id", "id", { hint: "id", isHalf: true }),
      field("rows", "/options", "options", {
        blank: { id: "", label: "" },
        when: choices,
        of: [field("text", "/id", "id", { isNarrow: true }), field("text", "/label", "answer")],
      }),
      field("number", "/scale", "scale", {
        isOptional: true,
        default: 5,
        hint: "scale",
        when: { pointer: "/type", is: "rating" },
        isHalf: true,
      }),
      field("choice", "/display", "rating.display", {
        options: ["stars", "numbers"],
        isOptional: true,
        default: "stars",
        when: { pointer: "/type", is: "rating" },
        isHalf: true,
      }),
      field("switch", "/multiline", "multiline", { default: false, when: { pointer: "/type", is: "text" } }),
      field("switch", "/required", "required", { default: false }),
      field("conditions", "/show_if", "show_if", { dialect: "show_if" }),
      field("text", "/subtitle", "subtitle", { isOptional: true, isTranslatable: true, isRare: true }),
      field("text", "/placeholder", "placeholder", {
        isOptional: true,
        isTranslatable: true,
        when: { pointer: "/type", is: "text" },
        isRare: true,
      }),
      field("switch", "/sensitive", "sensitive", { default: false, hint: "sensitive", isRare: true }),
    ],
  },
  ...around,
  interfaceTexts,
];
