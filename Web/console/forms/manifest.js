// The form of an app's manifest.

import { theme } from "./around.js";
import { changed } from "./layout.js";
import { messaging, named } from "./message.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** @param {Format} format @returns {Section} */
const features = (format) => ({
  label: "features",
  icon: "feature",
  pointer: "/features",
  items: "map",
  key: "feature",
  title: [],
  blank: { variables: {} },
  each: changed(format.pick("feature_of_an_app", "description exposure variables"), {
    description: { isTranslatable: false },
    variables: {
      key: "variable",
      blank: { type: "string" },
      of: [...format.pick("variable", "type"), { pointer: "/default", field: "value", label: "default" }],
    },
  }),
});

/** @param {Format} format @returns {Section} */
const events = (format) => ({
  label: "events",
  icon: "history",
  pointer: "/events",
  items: "map",
  key: "event",
  title: [],
  blank: {},
  each: changed(format.pick("event_of_an_app", "description properties of where sum"), {
    properties: {
      key: "property",
      blank: "string",
      of: [{ ...format.pick("event_of_an_app", "properties")[0].of?.[0], pointer: "", field: "choice", label: "type" }],
    },
  }),
});

/** @param {Format} format @returns {Section} */
const personas = (format) => ({
  label: "personas",
  icon: "person",
  pointer: "/personas",
  items: "map",
  key: "persona",
  title: [],
  blank: { context: {} },
  each: changed(format.pick("persona", "context locale now"), {
    context: { key: "attribute", blank: "", of: [{ pointer: "", field: "value", label: "value" }] },
  }),
});

/** @param {Format} format @returns {Section[]} */
export const manifest = (format) => [
  {
    label: "manifest",
    icon: "app",
    fields: format.pick(
      "",
      "app_name short_name default_locale channel app_id deep_link_scheme dialect surfaces web/origins",
    ),
  },
  theme(format),
  named(
    "attributes",
    "person",
    "attribute",
    { ...format.pick("", "attributes")[0].of?.[0], pointer: "", field: "choice", label: "type" },
    "string",
  ),
  events(format),
  features(format),
  ...messaging(format).map((section) => ({ ...section, pointer: `/messaging${section.pointer ?? ""}` })),
  {
    label: "pacing",
    icon: "clock",
    pointer: "/pacing",
    fields: format.pick("pacing_of_an_app", "cooldown_seconds quiet_hours/from quiet_hours/to caps")
      .map((field) => ({ ...field, isOptional: true })),
  },
  personas(format),
  {
    label: "notices",
    icon: "external",
    pointer: "/notices",
    items: "list",
    title: ["/url"],
    blank: { url: "" },
    each: format.pick("notice", "url on format secret_name"),
  },
];
