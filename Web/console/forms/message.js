// The fields of messages, as data. A field's pointer is relative to its section's, and a section's to its item's.

import { quotas } from "./quotas.js";

/**
 * @typedef {"text" | "long" | "number" | "choice" | "switch" | "date" | "names" | "map" | "rows" | "expression" | "value"
 *   | "json" | "conditions" | "type" | "choices" | "labels" | "target" | "color" | "share" | "scalar" | "object"} FieldType
 * @typedef {{pointer: string, field: FieldType, label: string, hint?: string, when?: When, default?: unknown,
 *   options?: string[], suggest?: string, isOptional?: boolean, of?: Field[], literal?: string, key?: string,
 *   blank?: unknown, dialect?: string, title?: string, item?: string, isRare?: boolean, isHalf?: boolean, isNarrow?: boolean,
 *   isCards?: boolean, isCode?: boolean, unset?: string, isTranslatable?: boolean, help?: string, group?: string,
 *   unit?: string, low?: number, high?: number, wordOf?: (word: string) => string, make?: (value: unknown) => Field[],
 *   retyped?: (value: unknown, type: string) => {value: unknown, lost: string[]}}} Field
 * `label` and `hint` are keys of texts; `literal` is a label that is no text of the console. `suggest` names a list of
 * the app's values. `of` are the fields of each row; in a map, `key` is the label of its keys. Rows are cards
 * (`isCards`) if each field has its label; `title` is the pointer of a row's name in the row, `item` the text for the
 * term of a row. Rare fields are under "More". `unset` is the text of a choice without a value. A translatable text may
 * be an id of the app's string tables. `help` is a hint, and `wordOf` the text of an option, in the reader's language.
 * Fields of a `group` are folded. A number has a `unit` and bounds. `make` returns the fields of an object, or of a row,
 * for its value. `retyped` is an object of another type.
 * @typedef {{pointer: string, is?: unknown, isNot?: unknown, in?: unknown[]}} When on a value next to the field
 * @typedef {{label: string, icon: string, pointer?: string | ((value: unknown) => string),
 *   fields?: Field[] | ((value: unknown) => Field[]), items?: "list" | "map", title?: string[],
 *   key?: string, blank?: unknown, each?: Field[] | ((value: unknown) => Field[]), sections?: Section[], when?: When,
 *   type?: string, view?: "flow"}} Section
 * `title` are the pointers of an item's name, and `type` is the pointer of its type. A `view` shows the items
 * in another form than a list. Pointers and fields may depend on the value that they are of.
 */

/** @type {Field[]} */
const pacing = [
  { pointer: "/pacing/start", field: "date", label: "pacing.start", isOptional: true },
  { pointer: "/pacing/end", field: "date", label: "pacing.end", isOptional: true },
  {
    pointer: "/pacing/display",
    field: "choice",
    label: "pacing.display",
    options: ["once", "until-answered", "some"],
    isOptional: true,
    unset: "choice.unlimited",
    hint: "pacing.display",
  },
  {
    pointer: "/pacing/limit",
    field: "number",
    label: "pacing.limit",
    when: { pointer: "/pacing/display", is: "some" },
  },
  { pointer: "/pacing/cooldown_seconds", field: "number", label: "pacing.cooldown", isOptional: true },
  ...quotas,
];

/** @type {Field[]} The fields of a message's content and conditions; an offer has the same fields. */
export const messageFields = [
  { pointer: "/surface", field: "text", label: "surface", suggest: "surfaces", isOptional: true, hint: "surface" },
  { pointer: "/title", field: "text", label: "title", isOptional: true },
  { pointer: "/text", field: "long", label: "text", hint: "text" },
  { pointer: "/button-label", field: "text", label: "button", isOptional: true },
  {
    pointer: "/style",
    field: "text",
    label: "style",
    suggest: "styles",
    isOptional: true,
    default: "DEFAULT",
    hint: "style",
  },
  { pointer: "/trigger-if-all", field: "names", label: "triggers", suggest: "triggers", hint: "triggers" },
  { pointer: "/except-if-any", field: "names", label: "exceptions", suggest: "triggers", hint: "exceptions" },
];

/** @type {Field[]} */
const each = [
  ...messageFields,
  { pointer: "/action", field: "text", label: "action", suggest: "actions", isOptional: true, hint: "action" },
  {
    pointer: "/action-params",
    field: "map",
    label: "parameters",
    key: "parameter",
    of: [{ pointer: "", field: "text", label: "value" }],
    when: { pointer: "/action", isNot: undefined },
  },
  {
    pointer: "/presents",
    field: "text",
    label: "presents",
    suggest: "presentable",
    isOptional: true,
    hint: "presents",
  },
  {
    pointer: "/microsurveyConfig/options",
    field: "names",
    label: "options",
    when: { pointer: "/microsurveyConfig", isNot: undefined },
  },
  {
    pointer: "/microsurveyConfig/icon",
    field: "text",
    label: "icon",
    isOptional: true,
    when: { pointer: "/microsurveyConfig", isNot: undefined },
  },
  { pointer: "/experiment", field: "text", label: "experiment", isOptional: true, hint: "experiment" },
  { pointer: "/is-control", field: "switch", label: "control", default: false, hint: "control" },
  ...pacing,
];

/** @type {Section[]} The sections of the feature `messaging`, for any position of its value. */
export const messaging = [
  {
    label: "messages",
    icon: "message",
    pointer: "/messages",
    items: "map",
    key: "message.key",
    title: [],
    blank: { surface: "", "trigger-if-all": ["ALWAYS"], text: "" },
    each,
  },
  {
    label: "triggers",
    icon: "filter",
    pointer: "/triggers",
    fields: [{
      pointer: "",
      field: "map",
      label: "section.triggers",
      key: "trigger",
      hint: "section.triggers",
      of: [{ pointer: "", field: "expression", label: "expression" }],
    }],
  },
  {
    label: "styles",
    icon: "sort",
    pointer: "/styles",
    items: "map",
    key: "style.key",
    title: [],
    blank: { priority: 50, "max-display-count": 5 },
    each: [
      { pointer: "/priority", field: "number", label: "priority", default: 50, isOptional: true, hint: "priority" },
      { pointer: "/max-display-count", field: "number", label: "cap", default: 5, isOptional: true, hint: "cap" },
      ...pacing,
    ],
  },
  {
    label: "actions",
    icon: "link",
    pointer: "/actions",
    fields: [{
      pointer: "",
      field: "map",
      label: "section.actions",
      key: "action.key",
      hint: "section.actions",
      of: [{ pointer: "", field: "text", label: "address" }],
    }],
  },
  {
    label: "controls",
    icon: "flask",
    fields: [{
      pointer: "/on-control",
      field: "choice",
      label: "on-control",
      options: ["show-next-message", "show-none"],
      isOptional: true,
      default: "show-next-message",
      hint: "on-control",
    }],
  },
];
