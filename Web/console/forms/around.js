// The parts that the forms of questionnaires, surveys and flows share.

import { field } from "./field.js";
import { displays, messageFields } from "./message.js";
import { quotas } from "./quotas.js";
import { theme } from "./theme.js";

/**
 * @typedef {import("./message.js").Section} Section
 * @typedef {import("./message.js").Field} Field
 */

/** @type {Field[]} */
export const hosted = [
  field("long", "/description", "description", {
    isOptional: true,
    hint: "questions.description",
    isTranslatable: true,
  }),
  field("switch", "/hosted", "hosted", { default: false, hint: "hosted" }),
  field("share", "/hosted", "share", { when: { pointer: "/hosted", is: true } }),
  field("switch", "/is_active", "active", { default: true, hint: "active" }),
];

/** @param {string} policy the default @returns {Field} */
export const hidden = (policy) =>
  field("choice", "/hidden_answers", "hidden", {
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
    field("switch", "/showsConsent", "offer.consent", { default: true }),
    field("number", "/trigger/launches", "offer.launches", { isOptional: true, isHalf: true }),
    field("number", "/trigger/days_since_first_launch", "offer.days", { isOptional: true, isHalf: true }),
    field("number", "/trigger/foregrounds", "offer.foregrounds", { isOptional: true, isHalf: true, isRare: true }),
    field("number", "/trigger/hours_since_first_launch", "offer.hours", {
      isOptional: true,
      isHalf: true,
      isRare: true,
    }),
  ],
};

/** @type {Section} */
const pacing = {
  label: "limits",
  icon: "clock",
  pointer: "/offer",
  fields: [
    field("date", "/pacing/start", "pacing.start", { isOptional: true, isHalf: true }),
    field("date", "/pacing/end", "pacing.end", { isOptional: true, isHalf: true }),
    ...displays,
    field("number", "/pacing/sample/count", "sample.count", { isOptional: true, isHalf: true }),
    field("number", "/pacing/sample/total", "sample.total", { isOptional: true, isHalf: true }),
    field("names", "/pacing/tags", "tags", { hint: "tags", isRare: true }),
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
      field("text", "/url", "notify.url", { isOptional: true, hint: "notify.url" }),
      field("choice", "/format", "notify.format", {
        options: ["json", "text"],
        isOptional: true,
        default: "json",
        hint: "notify.format",
      }),
      field("conditions", "/when", "notify.when", { dialect: "core", isOptional: true }),
      field("text", "/secret_name", "notify.secret", { isOptional: true, hint: "notify.secret", isRare: true }),
    ],
  },
  {
    label: "keep",
    icon: "lock",
    fields: [
      field("names", "/keep", "keep", { suggest: "attributes", hint: "keep" }),
      field("number", "/retention_days", "retention", { isOptional: true, hint: "retention" }),
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
    ) => field("text", `/${key}`, `strings.${key}`, { isOptional: true, isTranslatable: true })),
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
    ].map((key) =>
      field("text", `/${key}`, `strings.${key}`, { isOptional: true, isTranslatable: true, isRare: true })
    ),
  ],
};
