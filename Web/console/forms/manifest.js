// The fields of an app's manifest.

import { field } from "./field.js";
import { messaging } from "./message.js";
import { theme } from "./theme.js";

/** @type {import("./message.js").Section[]} */
export const manifest = [
  {
    label: "manifest",
    icon: "app",
    fields: [
      field("text", "/app_name", "app_name", { hint: "app_name" }),
      field("text", "/short_name", "short_name", { isOptional: true, hint: "short_name" }),
      field("text", "/default_locale", "default_locale", { hint: "default_locale" }),
      field("text", "/channel", "channel", { isOptional: true }),
      field("text", "/app_id", "app_id", { isOptional: true }),
      field("text", "/deep_link_scheme", "deep_link_scheme", { isOptional: true }),
      field("choice", "/dialect", "dialect", { options: ["ios", "android"], isOptional: true, default: "ios" }),
      field("names", "/surfaces", "surfaces", { hint: "surfaces" }),
      field("names", "/web/origins", "origins", { hint: "origins" }),
    ],
  },
  theme,
  {
    label: "attributes",
    icon: "person",
    pointer: "/attributes",
    fields: [
      field("map", "", "section.attributes", {
        key: "attribute",
        hint: "section.attributes",
        blank: "string",
        of: [field("choice", "", "type", { options: ["string", "number", "boolean", "object", "array"] })],
      }),
    ],
  },
  {
    label: "features",
    icon: "feature",
    pointer: "/features",
    items: "map",
    key: "feature",
    title: [],
    blank: { variables: {} },
    each: [
      field("long", "/description", "description", { isOptional: true }),
      field("choice", "/exposure", "exposure", {
        options: ["reported", "on-evaluation"],
        isOptional: true,
        default: "reported",
        hint: "exposure",
      }),
      field("map", "/variables", "variables", {
        key: "variable",
        blank: { type: "string" },
        of: [
          field("choice", "/type", "type", { options: ["string", "boolean", "int", "number", "json"] }),
          field("value", "/default", "default"),
        ],
      }),
    ],
  },
  ...messaging.map((section) => ({ ...section, pointer: `/messaging${section.pointer ?? ""}` })),
  {
    label: "pacing",
    icon: "clock",
    pointer: "/pacing",
    fields: [
      field("number", "/cooldown_seconds", "pacing.any", { isOptional: true }),
      field("text", "/quiet_hours/from", "quiet.from", { isOptional: true }),
      field("text", "/quiet_hours/to", "quiet.to", { isOptional: true }),
      field("json", "/caps", "caps", { isOptional: true, hint: "json" }),
    ],
  },
  {
    label: "personas",
    icon: "person",
    pointer: "/personas",
    items: "map",
    key: "persona",
    title: [],
    blank: { context: {} },
    each: [
      field("map", "/context", "persona.context", {
        key: "attribute",
        hint: "persona.context",
        blank: "",
        of: [field("value", "", "value")],
      }),
      field("text", "/locale", "persona.locale", { isOptional: true, isHalf: true }),
      field("text", "/now", "persona.now", { hint: "persona.now", isOptional: true, isHalf: true }),
    ],
  },
];
