// The fields of flows: steps with their questions, targets and calls.

import { around, hosted } from "./around.js";

/**
 * @typedef {import("./message.js").Field} Field
 * @typedef {import("./message.js").Section} Section
 */

export const stepTypes = ["welcome", "question", "value_prop", "form", "custom", "interactive_chat"];
const fieldTypes = [
  "text",
  "textarea",
  "email",
  "phone",
  "url",
  "number",
  "date",
  "time",
  "datetime",
  "select",
  "segmented",
  "chips",
  "toggle",
  "slider",
  "range_slider",
  "stepper",
  "rating",
  "location",
  "image_picker",
  "signature",
  "color",
  "password",
];
const chosen = ["select", "segmented"];
const textual = ["text", "textarea", "email", "password"];
const numeric = ["number", "slider", "range_slider", "stepper"];

/** @param {...string} types */
const of = (...types) => ({ pointer: "/type", in: types });

/** @type {Field[]} */
const option = [
  { pointer: "/id", field: "text", label: "id", isNarrow: true },
  { pointer: "/label", field: "text", label: "answer" },
];

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

/** @type {Section} */
const fields = {
  label: "fields",
  icon: "survey",
  pointer: "/config/fields",
  items: "list",
  when: { pointer: "/type", is: "form" },
  title: ["/label", "/id"],
  key: "/id",
  blank: { id: "field", type: "text", label: "" },
  each: [
    { pointer: "/label", field: "text", label: "label" },
    { pointer: "/type", field: "choice", label: "type", options: fieldTypes, isHalf: true },
    { pointer: "/id", field: "text", label: "id", hint: "id", isHalf: true },
    {
      pointer: "/options",
      field: "rows",
      label: "options",
      blank: { id: "", label: "" },
      of: option,
      when: of(...chosen),
    },
    { pointer: "/required", field: "switch", label: "required", default: false },
    { pointer: "/depends_on", field: "conditions", label: "depends_on", dialect: "depends_on" },
    { pointer: "/visibility_condition", field: "conditions", label: "visibility", dialect: "visibility", isRare: true },
    { pointer: "/placeholder", field: "text", label: "placeholder", isOptional: true, isRare: true },
    { pointer: "/sensitive", field: "switch", label: "sensitive", default: false, hint: "sensitive", isRare: true },
    ...[["min_length", textual], ["max_length", textual], ["min_value", numeric], ["max_value", numeric], [
      "step",
      numeric,
    ]].map(([key, types]) => ({
      pointer: `/config/${key}`,
      field: /** @type {const} */ ("number"),
      label: String(key),
      isOptional: true,
      isHalf: true,
      isRare: true,
      when: of(.../** @type {string[]} */ (types)),
    })),
    {
      pointer: "/config/multi_select",
      field: "switch",
      label: "multi_select",
      default: false,
      isRare: true,
      when: of(...chosen),
    },
    {
      pointer: "/validation/pattern",
      field: "text",
      label: "pattern",
      isOptional: true,
      isCode: true,
      isRare: true,
      when: of("text", "textarea", "password"),
    },
    {
      pointer: "/validation/pattern_message",
      field: "text",
      label: "pattern_message",
      isOptional: true,
      isTranslatable: true,
      isRare: true,
      when: of("text", "textarea", "password"),
    },
  ],
};

/** @type {Section} */
const blocks = {
  label: "blocks",
  icon: "feature",
  pointer: "/config/content_blocks",
  items: "list",
  title: ["/text", "/label", "/title", "/markdown", "/id", "/type"],
  key: "/id",
  blank: { id: "block", type: "text", text: "" },
  when: { pointer: "/type", in: ["welcome", "value_prop", "custom"] },
  each: [
    { pointer: "/type", field: "text", label: "type", suggest: "blocks", isHalf: true },
    { pointer: "/id", field: "text", label: "id", isOptional: true, isHalf: true },
    { pointer: "/text", field: "long", label: "text", isOptional: true, when: { pointer: "/text", isNot: undefined } },
    {
      pointer: "/label",
      field: "text",
      label: "label",
      isOptional: true,
      when: { pointer: "/label", isNot: undefined },
    },
    {
      pointer: "/markdown",
      field: "long",
      label: "markdown",
      isOptional: true,
      when: { pointer: "/markdown", isNot: undefined },
    },
    {
      pointer: "/options",
      field: "rows",
      label: "options",
      blank: { id: "", label: "" },
      of: option,
      when: of("option_list"),
    },
    { pointer: "/visibility_condition", field: "conditions", label: "visibility", dialect: "visibility" },
  ],
};

/** @type {Section} */
const steps = {
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
    {
      pointer: "/config/options",
      field: "rows",
      label: "options",
      blank: { id: "", label: "" },
      of: option,
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
    { pointer: "/config/chat_config", field: "json", label: "chat", hint: "chat", when: of("interactive_chat") },
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
    { pointer: "/hide_progress", field: "switch", label: "hide.progress", default: false, isRare: true },
    { pointer: "/hide_back", field: "switch", label: "hide.back", default: false, isRare: true },
    { pointer: "/name", field: "text", label: "step.name", isOptional: true, isRare: true },
    { pointer: "/config/default_locale", field: "text", label: "default_locale", isOptional: true, isRare: true },
    { pointer: "/config/localizations", field: "json", label: "localizations", hint: "localizations", isRare: true },
    { pointer: "/hook/webhook_url", field: "text", label: "hook.url", isOptional: true, hint: "hook", isRare: true },
  ],
  sections: [fields, blocks, hook("hook", "block"), hook("render_hook", "proceed")],
};

/** @type {Section[]} */
export const flow = [
  {
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
  },
  steps,
  {
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
      {
        pointer: "/event_name",
        field: "text",
        label: "node.event",
        isOptional: true,
        when: { pointer: "/type", in: ["analytics_event"] },
      },
      {
        pointer: "/next_target",
        field: "target",
        label: "node.next",
        when: { pointer: "/type", in: ["analytics_event"] },
      },
    ],
  },
  {
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
  },
  ...around,
];
