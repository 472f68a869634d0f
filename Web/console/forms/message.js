// The fields of messages, as data. A field's pointer is relative to its section's, and a section's to its item's.

import { field } from "./field.js";
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

/** @type {Field[]} How often a message or an offer is displayed. */
export const displays = [
  field("choice", "/pacing/display", "pacing.display", {
    options: ["once", "until-answered", "some"],
    isOptional: true,
    unset: "choice.unlimited",
    hint: "pacing.display",
  }),
  field("number", "/pacing/limit", "pacing.limit", { when: { pointer: "/pacing/display", is: "some" } }),
  field("number", "/pacing/cooldown_seconds", "pacing.cooldown", { isOptional: true }),
];

/** @type {Field[]} */
const pacing = [
  field("date", "/pacing/start", "pacing.start", { isOptional: true }),
  field("date", "/pacing/end", "pacing.end", { isOptional: true }),
  ...displays,
  ...quotas,
];

/** @type {Field[]} The fields of a message's content and conditions; an offer has the same fields. */
export const messageFields = [
  field("text", "/surface", "surface", { suggest: "surfaces", isOptional: true, hint: "surface" }),
  field("text", "/title", "title", { isOptional: true }),
  field("long", "/text", "text", { hint: "text" }),
  field("text", "/button-label", "button", { isOptional: true }),
  field("text", "/style", "style", { suggest: "styles", isOptional: true, default: "DEFAULT", hint: "style" }),
  field("names", "/trigger-if-all", "triggers", { suggest: "triggers", hint: "triggers" }),
  field("names", "/except-if-any", "exceptions", { suggest: "triggers", hint: "exceptions" }),
];

/** @type {Field[]} */
const each = [
  ...messageFields,
  field("text", "/action", "action", { suggest: "actions", isOptional: true, hint: "action" }),
  field("map", "/action-params", "parameters", {
    key: "parameter",
    of: [field("text", "", "value")],
    when: { pointer: "/action", isNot: undefined },
  }),
  field("text", "/presents", "presents", { suggest: "presentable", isOptional: true, hint: "presents" }),
  field("names", "/microsurveyConfig/options", "options", {
    when: { pointer: "/microsurveyConfig", isNot: undefined },
  }),
  field("text", "/microsurveyConfig/icon", "icon", {
    isOptional: true,
    when: { pointer: "/microsurveyConfig", isNot: undefined },
  }),
  field("text", "/experiment", "experiment", { isOptional: true, hint: "experiment" }),
  field("switch", "/is-control", "control", { default: false, hint: "control" }),
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
    fields: [
      field("map", "", "section.triggers", {
        key: "trigger",
        hint: "section.triggers",
        of: [field("expression", "", "expression")],
      }),
    ],
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
      field("number", "/priority", "priority", { default: 50, isOptional: true, hint: "priority" }),
      field("number", "/max-display-count", "cap", { default: 5, isOptional: true, hint: "cap" }),
      ...pacing,
    ],
  },
  {
    label: "actions",
    icon: "link",
    pointer: "/actions",
    fields: [
      field("map", "", "section.actions", {
        key: "action.key",
        hint: "section.actions",
        of: [field("text", "", "address")],
      }),
    ],
  },
  {
    label: "controls",
    icon: "flask",
    fields: [
      field("choice", "/on-control", "on-control", {
        options: ["show-next-message", "show-none"],
        isOptional: true,
        default: "show-next-message",
        hint: "on-control",
      }),
    ],
  },
];
