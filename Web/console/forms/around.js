// The parts that the forms of questionnaires, surveys and flows share.

import { messageFields } from "./message.js";
import { quotas } from "./quotas.js";
import { theme } from "./theme.js";

/**
 * @typedef {import("./message.js").Section} Section
 * @typedef {import("./message.js").Field} Field
 */

/** @type {Field[]} */
export const hosted = [
  {
    pointer: "/description",
    field: "long",
    label: "description",
    isOptional: true,
    hint: "questions.description",
    isTranslatable: true,
  },
  { pointer: "/hosted", field: "switch", label: "hosted", default: false, hint: "hosted" },
  { pointer: "/hosted", field: "share", label: "share", when: { pointer: "/hosted", is: true } },
  { pointer: "/is_active", field: "switch", label: "active", default: true, hint: "active" },
];

/** @param {string} policy the default @returns {Field} */
export const hidden = (policy) => ({
  pointer: "/hidden_answers",
  field: "choice",
  label: "hidden",
  options: ["keep", "drop"],
  isOptional: true,
  default: policy,
  hint: "hidden",
  isRare: true,
});

/** @type {Section} */
const offer = {
  label: "offer",
  icon: "message",
  pointer: "/offer",
  fields: [
    ...messageFields.map((field) =>
      field.pointer === "/text" ? { ...field, isOptional: true, hint: "offer.text" } : field
    ),
    { pointer: "/showsConsent", field: "switch", label: "offer.consent", default: true },
    { pointer: "/trigger/launches", field: "number", label: "offer.launches", isOptional: true, isHalf: true },
    {
      pointer: "/trigger/days_since_first_launch",
      field: "number",
      label: "offer.days",
      isOptional: true,
      isHalf: true,
    },
    {
      pointer: "/trigger/foregrounds",
      field: "number",
      label: "offer.foregrounds",
      isOptional: true,
      isHalf: true,
      isRare: true,
    },
    {
      pointer: "/trigger/hours_since_first_launch",
      field: "number",
      label: "offer.hours",
      isOptional: true,
      isHalf: true,
      isRare: true,
    },
  ],
};

/** @type {Section} */
const pacing = {
  label: "limits",
  icon: "clock",
  pointer: "/offer",
  fields: [
    { pointer: "/pacing/start", field: "date", label: "pacing.start", isOptional: true, isHalf: true },
    { pointer: "/pacing/end", field: "date", label: "pacing.end", isOptional: true, isHalf: true },
    {
      pointer: "/pacing/display",
      field: "choice",
      label: "pacing.display",
      options: ["once", "until-answered", "some"],
      isOptional: true,
      unset: "choice.unlimited",
      hint: "pacing.display",
    },
    {
      pointer: "/pacing/limit",
      field: "number",
      label: "pacing.limit",
      when: { pointer: "/pacing/display", is: "some" },
    },
    { pointer: "/pacing/cooldown_seconds", field: "number", label: "pacing.cooldown", isOptional: true },
    { pointer: "/pacing/sample/count", field: "number", label: "sample.count", isOptional: true, isHalf: true },
    { pointer: "/pacing/sample/total", field: "number", label: "sample.total", isOptional: true, isHalf: true },
    { pointer: "/pacing/tags", field: "names", label: "tags", hint: "tags", isRare: true },
    ...quotas,
  ],
};

/** @type {Section[]} */
export const around = [
  offer,
  pacing,
  {
    label: "notify",
    icon: "external",
    pointer: "/notify",
    fields: [
      { pointer: "/url", field: "text", label: "notify.url", isOptional: true, hint: "notify.url" },
      {
        pointer: "/format",
        field: "choice",
        label: "notify.format",
        options: ["json", "text"],
        isOptional: true,
        default: "json",
        hint: "notify.format",
      },
      { pointer: "/when", field: "conditions", label: "notify.when", dialect: "core", isOptional: true },
      {
        pointer: "/secret_name",
        field: "text",
        label: "notify.secret",
        isOptional: true,
        hint: "notify.secret",
        isRare: true,
      },
    ],
  },
  {
    label: "keep",
    icon: "lock",
    fields: [
      { pointer: "/keep", field: "names", label: "keep", suggest: "attributes", hint: "keep" },
      { pointer: "/retention_days", field: "number", label: "retention", isOptional: true, hint: "retention" },
    ],
  },
  theme,
];

/** @type {Section} Texts of buttons and pages, which replace the app's texts. */
export const interfaceTexts = {
  label: "strings",
  icon: "pencil",
  pointer: "/strings",
  fields: [
    ...["title", "submitButton", "nextButton", "backButton", "skipButton", "successTitle", "successBody"].map((
      key,
    ) => ({
      pointer: `/${key}`,
      field: /** @type {const} */ ("text"),
      label: `strings.${key}`,
      isOptional: true,
      isTranslatable: true,
    })),
    ...[
      "doneButton",
      "cancelButton",
      "consentTitle",
      "consentBody",
      "consentAccept",
      "consentLater",
      "consentNever",
      "doNotShowAgain",
      "errorTitle",
      "errorRequiredMissing",
      "errorGeneric",
      "npsLowLabel",
      "npsHighLabel",
    ].map((key) => ({
      pointer: `/${key}`,
      field: /** @type {const} */ ("text"),
      label: `strings.${key}`,
      isOptional: true,
      isTranslatable: true,
      isRare: true,
    })),
  ],
};
