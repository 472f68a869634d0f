// The fields of flows: steps with their questions, targets and calls.

import { field } from "./field.js";
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
const rules = field("rows", "/next_step_rules", "rules", {
  hint: "rules",
  isCards: true,
  blank: { target_step_id: "" },
  of: [field("conditions", "", "rule.when", { dialect: "rules" }), field("target", "/target_step_id", "rule.target")],
});

/** @param {string} key @param {string} policy the default @returns {Section} */
const hook = (key, policy) => ({
  label: key,
  icon: "external",
  pointer: `/${key}`,
  when: { pointer: `/${key}`, isNot: undefined },
  fields: [
    field("switch", "/enabled", "hook.enabled", { default: true }),
    field("text", "/webhook_url", "hook.url", { hint: key }),
    field("choice", "/on_failure", "hook.failure", {
      options: ["block", "proceed"],
      isOptional: true,
      default: policy,
    }),
    field("text", "/error_text", "hook.error", { isOptional: true }),
    field("number", "/timeout_ms", "hook.timeout", { isOptional: true, default: 10_000, isHalf: true }),
    field("number", "/retry_count", "hook.retries", { isOptional: true, default: 0, isHalf: true }),
    field("map", "/headers", "hook.headers", { key: "hook.header", of: [field("text", "", "value")], isRare: true }),
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
  field("choice", "/config/selection_mode", "selection", {
    options: ["single", "multi"],
    isOptional: true,
    default: "single",
    when: of("question"),
    isHalf: true,
  }),
  field("choice", "/config/display", "display", {
    options: ["list", "grid"],
    isOptional: true,
    default: "list",
    when: of("question"),
    isHalf: true,
  }),
  ...format.fields("config_of_a_step", {}, "/config").filter(({ label }) => label === "columns")
    .map((field) => ({ ...field, when: of("question") })),
];

/** The fields of a step with a value proposition. */
const promises = [
  field("rows", "/config/items", "items", {
    isCards: true,
    blank: { title: "" },
    title: "/title",
    when: of("value_prop"),
    of: [
      field("text", "/title", "title", { isHalf: true }),
      field("text", "/subtitle", "subtitle", { isOptional: true, isHalf: true }),
      field("text", "/icon", "icon", { isOptional: true }),
    ],
  }),
];

/** The fields of any step that are seldom used. */
const rareFields = [
  field("switch", "/hide_progress", "hide.progress", { default: false, isRare: true }),
  field("switch", "/hide_back", "hide.back", { default: false, isRare: true }),
  field("text", "/name", "step.name", { isOptional: true, isRare: true }),
  field("text", "/config/default_locale", "default_locale", { isOptional: true, isRare: true }),
  field("json", "/config/localizations", "localizations", { hint: "localizations", isRare: true }),
  field("text", "/hook/webhook_url", "hook.url", { isOptional: true, hint: "hook", isRare: true }),
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
    field("long", "/config/title", "title"),
    field("type", "/type", "type", { options: stepTypes, isHalf: true }),
    field("text", "/id", "id", { hint: "id", isHalf: true }),
    field("long", "/config/subtitle", "subtitle", { isOptional: true }),
    ...questionFields(format),
    ...promises,
    field("text", "/config/cta_text", "button", { isOptional: true, isHalf: true }),
    field("text", "/config/image_url", "image", { isOptional: true, isHalf: true }),
    field("switch", "/config/skip_enabled", "skip", { default: false }),
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
    field("text", "/name", "name"),
    ...hosted.filter(({ pointer }) => pointer !== "/is_active"),
    field("switch", "/settings/allow_back", "back", { default: true }),
    field("switch", "/settings/dismiss_allowed", "dismiss", { default: true }),
    field("switch", "/settings/show_progress", "progress", { default: true }),
    field("choice", "/settings/progress_style", "progress.style", {
      options: ["dots", "segmented_bar", "continuous_bar", "fraction", "none"],
      isOptional: true,
      default: "continuous_bar",
    }),
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
    field("choice", "/type", "node.type", {
      options: ["analytics_event", "end", "paywall_trigger", "permission", "screen", "flow"],
    }),
    field("text", "/event_name", "node.event", { isOptional: true, when: of("analytics_event") }),
    field("target", "/next_target", "node.next", { when: of("analytics_event") }),
  ],
};

/** @type {Section} */
const audience = {
  label: "audience",
  icon: "person",
  fields: [
    field("switch", "/active", "flow.active", { default: false, hint: "flow.active" }),
    field("conditions", "/audience_rules", "audience", { dialect: "audience", hint: "audience" }),
    field("number", "/audience_rules/priority", "audience.priority", {
      isOptional: true,
      hint: "audience.priority",
      when: { pointer: "/audience_rules/conditions", isNot: undefined },
    }),
  ],
};

/** @param {Format} format @returns {Section[]} */
export const flow = (format) => [name, steps(format), nodes, audience, ...around];
