// The form of messages: their content and conditions, and what they name.

import { changed } from "./layout.js";

/**
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** The paths of what a message and an offer say, and of their conditions. */
export const content = "surface title text button-label style trigger-if-all except-if-any";

/**
 * How often something is displayed, and the quotas of its responses.
 * @param {Format} format @param {string} name of the definition that has `pacing` @param {string} [others] further paths
 * @returns {Field[]}
 */
export function pacing(format, name, others = "") {
  const paths = `start end display limit cooldown_seconds ${others} response_limit quotas`.split(" ")
    .filter((path) => path !== "").map((path) => path.startsWith("pacing/") ? path : `pacing/${path}`);
  return changed(format.pick(name, paths.join(" ")), {
    "pacing/display": { unset: "choice.unlimited" },
    "pacing/sample/count": { isOptional: true },
    "pacing/sample/total": { isOptional: true },
    "pacing/limit": { when: { pointer: "/pacing/display", is: "some" } },
  });
}

/** @param {Format} format @param {unknown} value @returns {Field[]} */
function messageFields(format, value) {
  const survey = { when: { pointer: "/microsurveyConfig", isNot: undefined } };
  const own = format.pick(
    "message",
    `${content} action action-params presents microsurveyConfig/options microsurveyConfig/icon experiment is-control`,
    value,
  );
  return [
    ...changed(own, {
      text: { isOptional: false },
      "action-params": { key: "parameter", when: { pointer: "/action", isNot: undefined } },
      "microsurveyConfig/options": survey,
      "microsurveyConfig/icon": survey,
    }),
    ...pacing(format, "message"),
  ];
}

/**
 * A section with an object of values by name.
 * @param {string} label @param {string} icon @param {string} key the text of a name @param {Field} of the field of a value
 * @param {string} [blank] @returns {Section}
 */
export const named = (label, icon, key, of, blank) => ({
  label,
  icon,
  pointer: `/${label}`,
  fields: [{
    pointer: "",
    field: "map",
    label: `section.${label}`,
    hint: `section.${label}`,
    key,
    of: [of],
    blank,
  }],
});

/** The sections of the feature `messaging`, for any position of its value. @param {Format} format @returns {Section[]} */
export const messaging = (format) => [
  {
    label: "messages",
    icon: "message",
    pointer: "/messages",
    items: "map",
    key: "message.key",
    title: [],
    blank: { surface: "", "trigger-if-all": ["ALWAYS"], text: "" },
    each: (value) => messageFields(format, value),
  },
  named("triggers", "filter", "trigger", { pointer: "", field: "audience", label: "expression" }),
  {
    label: "styles",
    icon: "sort",
    pointer: "/styles",
    items: "map",
    key: "style.key",
    title: [],
    blank: { priority: 50, "max-display-count": 5 },
    each: [...format.pick("style", "priority max-display-count"), ...pacing(format, "style")],
  },
  named("actions", "link", "action.key", { pointer: "", field: "text", label: "address" }),
  { label: "controls", icon: "flask", fields: format.pick(format.has("messaging") ? "messaging" : "", "on-control") },
];

/** @param {Format} format @returns {Section[]} */
export const messages = (format) => [
  ...messaging(format),
  { label: "name", icon: "pencil", fields: format.pick("", "userFacingName") },
];
