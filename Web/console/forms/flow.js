// The fields of flows: steps with their questions, targets and calls.

import { around, hosted } from "./around.js";
import { wordOf } from "./schema.js";

/**
 * @typedef {import("./message.js").Field} Field
 * @typedef {import("./message.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

const stepTypes = ["welcome", "question", "value_prop", "form", "custom", "interactive_chat"];
/** @param {...string} types */
const of = (...types) => ({ pointer: "/type", in: types });

/** @type {Field} */
const rules = {
  pointer: "/next_step_rules",
  field: "rows",
  label: "rules",
  hint: "rules",
  isCards: true,
  blank: { target_step_id: "" },
  of: [
    { pointer: "", field: "conditions", label: "rule.when", dialect: "rules" },
    { pointer: "/target_step_id", field: "target", label: "rule.target" },
  ],
};

/** @param {string} key @param {string} policy the default @returns {Section} */
const hook = (key, policy) => ({
  label: key,
  icon: "external",
  pointer: `/${key}`,
  when: { pointer: `/${key}`, isNot: undefined },
  fields: [
    { pointer: "/enabled", field: "switch", label: "hook.enabled", default: true },
    { pointer: "/webhook_url", field: "text", label: "hook.url", hint: key },
    {
      pointer: "/on_failure",
      field: "choice",
      label: "hook.failure",
      options: ["block", "proceed"],
      isOptional: true,
      default: policy,
    },
    { pointer: "/error_text", field: "text", label: "hook.error", isOptional: true },
    { pointer: "/timeout_ms", field: "number", label: "hook.timeout", isOptional: true, default: 10_000, isHalf: true },
    { pointer: "/retry_count", field: "number", label: "hook.retries", isOptional: true, default: 0, isHalf: true },
    {
      pointer: "/headers",
      field: "map",
      label: "hook.headers",
      key: "hook.header",
      of: [{ pointer: "", field: "text", label: "value" }],
      isRare: true,
    },
  ],
});

/**
 * A choice among the types of a definition; another type keeps what both have.
 * @param {Format} format @param {string} name @param {Field} field @returns {Field}
 */
const typeOf = (format, name, field) => ({
  ...field,
  help: undefined,
  field: "choice",
  isOptional: false,
  isHalf: true,
  options: format.types(name),
  wordOf,
  retyped: (value, type) => format.retyped(name, value, type),
});

/** @param {Format} format @param {string} name @param {unknown} value @returns {Field[]} */
const ofType = (format, name, value) =>
  format.fields(name, value).map((field) => field.pointer === "/type" ? typeOf(format, name, field) : field);

/** @param {Format} format @param {string} pointer @param {Section["when"]} when @returns {Section} */
const fields = (format, pointer, when) => ({
  label: "fields",
  icon: "survey",
  pointer,
  items: "list",
  when,
  title: ["/label", "/id"],
  key: "/id",
  blank: { id: "field", type: "text", label: "" },
  each: (value) => ofType(format, "field", value),
});

/** The blocks of a step, and those in a block. @param {Format} format @returns {Section} */
function blocks(format) {
  const containers = format.typesWith("block", "children");
  /** @type {Section} */
  const section = {
    label: "blocks",
    icon: "feature",
    pointer: "/config/content_blocks",
    items: "list",
    title: ["/text", "/label", "/title", "/markdown", "/id", "/type"],
    key: "/id",
    blank: { id: "block", type: "text", text: "" },
    when: of("welcome", "value_prop", "custom"),
    each: (value) => ofType(format, "block", value),
  };
  const inner = (/** @type {any} */ value) => value?.children === undefined && value?.items ? "/items" : "/children";
  const children = { ...section, label: "children", pointer: inner, when: of(...containers) };
  children.sections = section.sections = [children, fields(format, "/fields", of("form"))];
  return section;
}

/** @param {Format} format @returns {Section} */
const chat = (format) => ({
  label: "chat",
  icon: "message",
  pointer: "/config/chat_config",
  when: of("interactive_chat"),
  fields: (value) => format.fields("chat_config", value),
});

/** The fields of a step that asks a question. @param {Format} format @returns {any[]} */
const questionFields = (format) => [
  {
    pointer: "/config/options",
    label: "options",
    ...format.rows("options"),
    when: of("question"),
  },
  {
    pointer: "/config/selection_mode",
    field: "choice",
    label: "selection",
    options: ["single", "multi"],
    isOptional: true,
    default: "single",
    when: of("question"),
    isHalf: true,
  },
  {
    pointer: "/config/display",
    field: "choice",
    label: "display",
    options: ["list", "grid"],
    isOptional: true,
    default: "list",
    when: of("question"),
    isHalf: true,
  },
  ...format.fields("config_of_a_step", {}, "/config").filter(({ label }) => label === "columns")
    .map((field) => ({ ...field, when: of("question") })),
];

/** The fields of a step with a value proposition. */
const promises = [
  {
    pointer: "/config/items",
    field: "rows",
    label: "items",
    isCards: true,
    blank: { title: "" },
    title: "/title",
    when: of("value_prop"),
    of: [
      { pointer: "/title", field: "text", label: "title", isHalf: true },
      { pointer: "/subtitle", field: "text", label: "subtitle", isOptional: true, isHalf: true },
      { pointer: "/icon", field: "text", label: "icon", isOptional: true },
    ],
  },
];

/** The fields of any step that are seldom used. */
const rareFields = [
  { pointer: "/hide_progress", field: "switch", label: "hide.progress", default: false, isRare: true },
  { pointer: "/hide_back", field: "switch", label: "hide.back", default: false, isRare: true },
  { pointer: "/name", field: "text", label: "step.name", isOptional: true, isRare: true },
  { pointer: "/config/default_locale", field: "text", label: "default_locale", isOptional: true, isRare: true },
  { pointer: "/config/localizations", field: "json", label: "localizations", hint: "localizations", isRare: true },
  { pointer: "/hook/webhook_url", field: "text", label: "hook.url", isOptional: true, hint: "hook", isRare: true },
];

/** @param {Format} format @returns {Section} */
const steps = (format) => ({
  label: "steps",
  icon: "flow",
  pointer: "/steps",
  items: "list",
  view: "flow",
  title: ["/config/title", "/name", "/id"],
  key: "/id",
  type: "/type",
  blank: { id: "step", type: "welcome", config: { title: "" } },
  each: [
    { pointer: "/config/title", field: "long", label: "title" },
    { pointer: "/type", field: "type", label: "type", options: stepTypes, isHalf: true },
    { pointer: "/id", field: "text", label: "id", hint: "id", isHalf: true },
    { pointer: "/config/subtitle", field: "long", label: "subtitle", isOptional: true },
    ...questionFields(format),
    ...promises,
    { pointer: "/config/cta_text", field: "text", label: "button", isOptional: true, isHalf: true },
    { pointer: "/config/image_url", field: "text", label: "image", isOptional: true, isHalf: true },
    { pointer: "/config/skip_enabled", field: "switch", label: "skip", default: false },
    rules,
    {
      ...rules,
      pointer: "/config/next_step_rules",
      hint: "rules.config",
      when: { pointer: "/config/next_step_rules", isNot: undefined },
    },
    ...rareFields,
  ],
  sections: [
    fields(format, "/config/fields", of("form")),
    blocks(format),
    chat(format),
    hook("hook", "block"),
    hook("render_hook", "proceed"),
  ],
});

/** @type {Section} */
const name = {
  label: "name",
  icon: "pencil",
  fields: [
    { pointer: "/name", field: "text", label: "name" },
    ...hosted.filter(({ pointer }) => pointer !== "/is_active"),
    { pointer: "/settings/allow_back", field: "switch", label: "back", default: true },
    { pointer: "/settings/dismiss_allowed", field: "switch", label: "dismiss", default: true },
    { pointer: "/settings/show_progress", field: "switch", label: "progress", default: true },
    {
      pointer: "/settings/progress_style",
      field: "choice",
      label: "progress.style",
      options: ["dots", "segmented_bar", "continuous_bar", "fraction", "none"],
      isOptional: true,
      default: "continuous_bar",
    },
  ],
};

/** @type {Section} */
const nodes = {
  label: "nodes",
  icon: "stop",
  pointer: "/graph_nodes",
  items: "map",
  key: "node",
  title: [],
  blank: { type: "analytics_event", event_name: "reached" },
  each: [
    {
      pointer: "/type",
      field: "choice",
      label: "node.type",
      options: ["analytics_event", "end", "paywall_trigger", "permission", "screen", "flow"],
    },
    { pointer: "/event_name", field: "text", label: "node.event", isOptional: true, when: of("analytics_event") },
    { pointer: "/next_target", field: "target", label: "node.next", when: of("analytics_event") },
  ],
};

/** @type {Section} */
const audience = {
  label: "audience",
  icon: "person",
  fields: [
    { pointer: "/active", field: "switch", label: "flow.active", default: false, hint: "flow.active" },
    { pointer: "/audience_rules", field: "conditions", label: "audience", dialect: "audience", hint: "audience" },
    {
      pointer: "/audience_rules/priority",
      field: "number",
      label: "audience.priority",
      isOptional: true,
      hint: "audience.priority",
      when: { pointer: "/audience_rules/conditions", isNot: undefined },
    },
  ],
};

/** @param {Format} format @returns {Section[]} */
export const flow = (format) => [name, steps(format), nodes, audience, ...around];
