// The form of flows: steps with their questions, targets and calls.

import { around, hosted } from "./around.js";
import { arranged, changed, typeMenu } from "./layout.js";
import { wordOf } from "./schema.js";

/**
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** @param {...string} types */
const of = (...types) => ({ pointer: "/type", in: types });

/** The rules of a step, which need a condition and a target. @type {Partial<Field>} */
const rules = {
  field: "rows",
  item: "rules",
  isCards: true,
  blank: { target_step_id: "" },
  make: undefined,
  of: [
    { pointer: "", field: "conditions", label: "rule.when", dialect: "rules" },
    { pointer: "/target_step_id", field: "target", label: "rule.target" },
  ],
};

/** @param {Format} format @param {string} key @param {string} policy the default @returns {Section} */
const hook = (format, key, policy) => ({
  label: key,
  icon: "external",
  pointer: `/${key}`,
  when: { pointer: `/${key}`, isNot: undefined },
  fields: changed(format.fields("hook", {}), { on_failure: { default: policy } }),
});

/** The fields of an object with a choice of its type; another type keeps what both have. @param {Format} format @param {string} name @param {unknown} value @returns {Field[]} */
const ofType = (format, name, value) =>
  changed(format.fields(name, value), {
    type: { ...typeMenu(format, name), field: "choice", isOptional: false, wordOf },
  });

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

/** The order of a step's fields. */
const order =
  "config/title type id config/subtitle config/options config/selection_mode config/display config/columns " +
  "config/items config/cta_text config/image_url config/skip_enabled next_step_rules config/next_step_rules hide_progress " +
  "hide_back name config/default_locale config/localizations hook/webhook_url";

/** @param {Format} format @param {API.Part} value @returns {Field[]} */
function stepFields(format, value) {
  const all = [
    ...format.fields("step", value),
    ...format.fields("config_of_a_step", value?.config, "/config"),
    ...format.fields(`step.${value?.type}`, value?.config, "/config"),
    ...format.pick("step", "hook/webhook_url").map((field) => ({ ...field, group: "more" })),
  ];
  return changed(arranged(all, order), {
    type: typeMenu(format, "step"),
    id: { isHalf: true },
    "config/display": { options: ["list", "grid"] },
    "config/localizations": { field: "json" },
    next_step_rules: rules,
    "config/next_step_rules": { ...rules, when: { pointer: "/config/next_step_rules", isNot: undefined } },
  });
}

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
  typeName: (type) => format.typeTexts(type).title,
  blank: { id: "step", type: "welcome", config: { title: "" } },
  each: (value) => stepFields(format, /** @type {API.Part} */ (value)),
  sections: [
    fields(format, "/config/fields", of("form")),
    blocks(format),
    {
      label: "chat",
      icon: "message",
      pointer: "/config/chat_config",
      when: of("interactive_chat"),
      fields: (value) => format.fields("chat_config", value),
    },
    hook(format, "hook", "block"),
    hook(format, "render_hook", "proceed"),
  ],
});

/** @param {Format} format @returns {Section} */
const nodes = (format) => ({
  label: "nodes",
  icon: "stop",
  pointer: "/graph_nodes",
  items: "map",
  key: "node",
  title: [],
  blank: { type: "analytics_event", event_name: "reached" },
  each: changed(format.pick("graph_nodes", "type event_name next_target"), {
    event_name: { when: of("analytics_event") },
    next_target: { field: "target", when: of("analytics_event") },
  }),
});

/** @param {Format} format @returns {Section[]} */
export const flow = (format) => [
  {
    label: "name",
    icon: "pencil",
    fields: [
      ...format.pick("", "name"),
      ...hosted(format),
      ...format.pick(
        "",
        "settings/allow_back settings/dismiss_allowed settings/show_progress settings/progress_style",
      ),
    ],
  },
  steps(format),
  nodes(format),
  {
    label: "audience",
    icon: "person",
    fields: changed(format.pick("", "active audience_rules audience_rules/priority"), {
      "audience_rules/priority": { when: { pointer: "/audience_rules/conditions", isNot: undefined } },
    }),
  },
  ...around(format),
];
