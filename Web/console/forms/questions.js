// The fields of questionnaires, surveys and flows that most authors need. The rest is edited as JSON.

import { messageFields } from "./message.js";

/** @typedef {import("./message.js").Section} Section */

/** @type {import("./message.js").Field[]} */
const hosted = [
  { pointer: "/description", field: "long", label: "description", isOptional: true, hint: "questions.description" },
  { pointer: "/hosted", field: "switch", label: "hosted", default: false, hint: "hosted" },
  { pointer: "/is_active", field: "switch", label: "active", default: true, hint: "active" },
];

/** @type {Section[]} */
const around = [
  {
    label: "offer",
    icon: "message",
    pointer: "/offer",
    fields: [
      ...messageFields,
      { pointer: "/trigger/launches", field: "number", label: "offer.launches", isOptional: true },
      { pointer: "/trigger/days_since_first_launch", field: "number", label: "offer.days", isOptional: true },
      {
        pointer: "/pacing/display",
        field: "choice",
        label: "pacing.display",
        options: ["once", "until-answered", "some"],
        isOptional: true,
        hint: "pacing.display",
      },
      { pointer: "/pacing/start", field: "date", label: "pacing.start", isOptional: true },
      { pointer: "/pacing/end", field: "date", label: "pacing.end", isOptional: true },
    ],
  },
  {
    label: "notify",
    icon: "external",
    pointer: "/notify",
    fields: [
      { pointer: "/url", field: "text", label: "notify.url", isOptional: true, hint: "notify.url" },
      {
        pointer: "/format",
        field: "choice",
        label: "notify.format",
        options: ["json", "text"],
        isOptional: true,
        default: "json",
      },
    ],
  },
];

/** @type {import("./message.js").Field} */
const options = {
  pointer: "/options",
  field: "rows",
  label: "options",
  blank: { id: "", label: "" },
  when: { pointer: "/type", in: ["single_choice", "multi_choice"] },
  of: [
    { pointer: "/id", field: "text", label: "id" },
    { pointer: "/label", field: "text", label: "answer" },
  ],
};

/** @type {Section[]} */
export const questionnaire = [
  { label: "name", icon: "pencil", fields: [{ pointer: "/name", field: "text", label: "name" }, ...hosted] },
  {
    label: "questions",
    icon: "question",
    pointer: "/schema/questions",
    items: "list",
    title: ["/title", "/id"],
    key: "/id",
    blank: { id: "question", type: "text", title: "" },
    each: [
      { pointer: "/title", field: "long", label: "question" },
      { pointer: "/id", field: "text", label: "id", hint: "id" },
      {
        pointer: "/type",
        field: "choice",
        label: "type",
        options: ["text", "single_choice", "multi_choice", "rating", "nps"],
      },
      { pointer: "/subtitle", field: "text", label: "subtitle", isOptional: true },
      { pointer: "/required", field: "switch", label: "required", default: false },
      options,
      {
        pointer: "/scale",
        field: "number",
        label: "scale",
        isOptional: true,
        default: 5,
        when: { pointer: "/type", is: "rating" },
      },
      {
        pointer: "/placeholder",
        field: "text",
        label: "placeholder",
        isOptional: true,
        when: { pointer: "/type", is: "text" },
      },
      {
        pointer: "/multiline",
        field: "switch",
        label: "multiline",
        default: false,
        when: { pointer: "/type", is: "text" },
      },
      { pointer: "/show_if", field: "json", label: "show_if", isOptional: true, hint: "json" },
    ],
  },
  ...around,
];

/** @type {Section[]} */
export const survey = [
  { label: "name", icon: "pencil", fields: [{ pointer: "/name", field: "text", label: "name" }, ...hosted] },
  {
    label: "questions",
    icon: "question",
    pointer: "/questions",
    items: "list",
    title: ["/question", "/id"],
    key: "/id",
    blank: { id: "question", question: "", question_type: "single_text_area" },
    each: [
      { pointer: "/question", field: "long", label: "question" },
      { pointer: "/header", field: "text", label: "header", isOptional: true },
      { pointer: "/id", field: "text", label: "id", hint: "id" },
      {
        pointer: "/question_type",
        field: "choice",
        label: "type",
        options: [
          "single_select",
          "multi_select",
          "single_text_field",
          "single_text_area",
          "multi_text_field",
          "dynamic_label_text_field",
          "add_text_field",
          "segment_select",
          "table_select",
          "year_picker",
          "date_picker",
        ],
      },
      { pointer: "/required", field: "switch", label: "required", default: true },
      { pointer: "/options", field: "json", label: "options", isOptional: true, hint: "json" },
      { pointer: "/show_if", field: "json", label: "show_if", isOptional: true, hint: "json" },
    ],
  },
  {
    label: "submit",
    icon: "check",
    pointer: "/submit",
    fields: [
      { pointer: "/button_title", field: "text", label: "button", isOptional: true },
      { pointer: "/url", field: "text", label: "submit.url", isOptional: true },
    ],
  },
  ...around,
];

/** @type {Section[]} */
export const flow = [
  {
    label: "name",
    icon: "pencil",
    fields: [
      { pointer: "/name", field: "text", label: "name" },
      ...hosted.filter(({ pointer }) => pointer !== "/is_active"),
      { pointer: "/settings/allow_back", field: "switch", label: "back", default: true },
      { pointer: "/settings/show_progress", field: "switch", label: "progress", default: true },
    ],
  },
  {
    label: "steps",
    icon: "flow",
    pointer: "/steps",
    items: "list",
    title: ["/config/title", "/name", "/id"],
    key: "/id",
    blank: { id: "step", type: "welcome", config: { title: "" } },
    each: [
      { pointer: "/config/title", field: "long", label: "title" },
      { pointer: "/config/subtitle", field: "long", label: "subtitle", isOptional: true },
      { pointer: "/config/cta_text", field: "text", label: "button", isOptional: true },
      { pointer: "/id", field: "text", label: "id", hint: "id" },
      {
        pointer: "/type",
        field: "choice",
        label: "type",
        options: ["welcome", "question", "value_prop", "form", "custom", "interactive_chat"],
      },
      {
        pointer: "/config/options",
        field: "json",
        label: "options",
        isOptional: true,
        when: { pointer: "/type", is: "question" },
      },
      {
        pointer: "/config/fields",
        field: "json",
        label: "fields",
        isOptional: true,
        when: { pointer: "/type", is: "form" },
      },
      { pointer: "/next_step_rules", field: "json", label: "rules", isOptional: true, hint: "json" },
    ],
  },
  ...around,
];
