// The fields of an app's manifest.

import { messaging } from "./message.js";
import { theme } from "./theme.js";

/** @type {import("./message.js").Section[]} */
export const manifest = [
  {
    label: "manifest",
    icon: "app",
    fields: [
      { pointer: "/app_name", field: "text", label: "app_name", hint: "app_name" },
      { pointer: "/short_name", field: "text", label: "short_name", isOptional: true, hint: "short_name" },
      { pointer: "/default_locale", field: "text", label: "default_locale", hint: "default_locale" },
      { pointer: "/channel", field: "text", label: "channel", isOptional: true },
      { pointer: "/app_id", field: "text", label: "app_id", isOptional: true },
      { pointer: "/deep_link_scheme", field: "text", label: "deep_link_scheme", isOptional: true },
      {
        pointer: "/dialect",
        field: "choice",
        label: "dialect",
        options: ["ios", "android"],
        isOptional: true,
        default: "ios",
      },
      { pointer: "/surfaces", field: "names", label: "surfaces", hint: "surfaces" },
      { pointer: "/web/origins", field: "names", label: "origins", hint: "origins" },
    ],
  },
  theme,
  {
    label: "attributes",
    icon: "person",
    pointer: "/attributes",
    fields: [{
      pointer: "",
      field: "map",
      label: "section.attributes",
      key: "attribute",
      hint: "section.attributes",
      blank: "string",
      of: [{
        pointer: "",
        field: "choice",
        label: "type",
        options: ["string", "number", "boolean", "object", "array"],
      }],
    }],
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
      { pointer: "/description", field: "long", label: "description", isOptional: true },
      {
        pointer: "/exposure",
        field: "choice",
        label: "exposure",
        options: ["reported", "on-evaluation"],
        isOptional: true,
        default: "reported",
        hint: "exposure",
      },
      {
        pointer: "/variables",
        field: "map",
        label: "variables",
        key: "variable",
        blank: { type: "string" },
        of: [
          {
            pointer: "/type",
            field: "choice",
            label: "type",
            options: ["string", "boolean", "int", "number", "json"],
          },
          { pointer: "/default", field: "value", label: "default" },
        ],
      },
    ],
  },
  ...messaging.map((section) => ({ ...section, pointer: `/messaging${section.pointer ?? ""}` })),
  {
    label: "pacing",
    icon: "clock",
    pointer: "/pacing",
    fields: [
      { pointer: "/cooldown_seconds", field: "number", label: "pacing.any", isOptional: true },
      { pointer: "/quiet_hours/from", field: "text", label: "quiet.from", isOptional: true },
      { pointer: "/quiet_hours/to", field: "text", label: "quiet.to", isOptional: true },
      { pointer: "/caps", field: "json", label: "caps", isOptional: true, hint: "json" },
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
      {
        pointer: "/context",
        field: "map",
        label: "persona.context",
        key: "attribute",
        hint: "persona.context",
        blank: "",
        of: [{ pointer: "", field: "value", label: "value" }],
      },
      { pointer: "/locale", field: "text", label: "persona.locale", isOptional: true, isHalf: true },
      { pointer: "/now", field: "text", label: "persona.now", hint: "persona.now", isOptional: true, isHalf: true },
    ],
  },
];
