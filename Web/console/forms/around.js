// The parts that the forms of questionnaires, surveys and flows share.

import { changed } from "./layout.js";
import { content, pacing } from "./message.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("./schema.js").Format} Format
 */

/** @param {Format} format @returns {Field[]} */
export const hosted = (format) => [
  ...changed(format.pick("", "description hosted"), { description: { isTranslatable: true } }),
  { pointer: "/hosted", field: "share", label: "share", when: { pointer: "/hosted", is: true } },
  ...format.pick("", "is_active").filter(({ literal }) => literal),
];

/** @param {Format} format @returns {Section} */
const offer = (format) => ({
  label: "offer",
  icon: "message",
  pointer: "/offer",
  fields: (value) =>
    format.pick(
      "offer",
      `${content} showsConsent trigger/launches trigger/days_since_first_launch trigger/foregrounds ` +
        "trigger/hours_since_first_launch",
      value,
    ),
});

/** @param {Format} format @returns {Section} */
const limits = (format) => ({
  label: "limits",
  icon: "clock",
  pointer: "/offer",
  fields: pacing(format, "offer", "pacing/sample/count pacing/sample/total pacing/tags"),
});

/** How often the same person may answer. @param {Format} format @returns {Section} */
const repeat = (format) => ({
  label: "repeat",
  icon: "undo",
  pointer: "/repeat",
  fields: [
    ...changed(format.pick("repeat", "days unanswered_days rounds"), { days: { isOptional: true } }),
    { pointer: "", field: "rounds", label: "rounds" },
  ],
});

/** @param {Format} format @returns {Section} */
export const theme = (format) => ({
  label: "theme",
  icon: "sun",
  pointer: "/theme",
  fields: format.pick(
    "theme",
    "light/accent light/ground light/text dark/accent dark/ground dark/text radius font",
  ),
});

/** @param {Format} format @returns {Section[]} */
export const around = (format) => [
  offer(format),
  limits(format),
  repeat(format),
  {
    label: "notify",
    icon: "external",
    pointer: "/notify",
    fields: changed(format.pick("notify", "url format when secret_name"), { url: { isOptional: true } }),
  },
  { label: "keep", icon: "lock", fields: format.pick("", "keep facts retention_days") },
  theme(format),
];

/** Texts of buttons and pages, which replace the app's texts. @param {Format} format @returns {Section} */
export const interfaceTexts = (format) => ({
  label: "strings",
  icon: "pencil",
  pointer: "/strings",
  fields: format.fields("strings", {}),
});
