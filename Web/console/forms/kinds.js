// The kinds of recipe: the form of each kind, and the initial document.

import { experiment } from "./experiment.js";
import { manifest } from "./manifest.js";
import { messaging } from "./message.js";
import { flow } from "./flow.js";
import { Format } from "./schema.js";
import { questionnaire } from "./questionnaire.js";
import { survey } from "./survey.js";

/** @typedef {import("./message.js").Section} Section */

/** @type {Section} */
const messageName = {
  label: "name",
  icon: "pencil",
  fields: [{ pointer: "/userFacingName", field: "text", label: "name", isOptional: true }],
};

/** @type {Record<string, Section[]>} */
const forms = {
  questionnaire,
  survey,
  experiment,
  rollout: experiment,
  messages: [...messaging, messageName],
  manifest,
};

/** The form of a kind, which `useSchema` may have made. @param {string} kind */
export const formOf = (kind) => forms[kind] ?? forms.messages;

/** Makes the form of flows from their schema. @param {import("./schema.js").Schema} schema */
export function useSchema(schema) {
  forms.flow = flow(new Format(schema));
}

/** Whether the form of flows is made. */
export const hasSchema = () => forms.flow !== undefined;

/** The kind of a document. @param {any} document */
export function kindOf(document) {
  const kind = document?.kind;
  if (kind === "questionnaire" || kind === "survey" || kind === "flow") return kind;
  if (document?.branches === undefined) return "messages";
  return document.isRollout === true ? "rollout" : "experiment";
}

export const newKinds = ["messages", "questionnaire", "survey", "flow", "experiment", "rollout"];

/**
 * The initial document of a new recipe.
 * @param {string} kind @param {string} slug @param {string} name @param {any} manifest
 * @returns {any}
 */
export function blank(kind, slug, name, manifest) {
  const surface = manifest?.surfaces?.[0] ?? "";
  switch (kind) {
    case "questionnaire":
      return {
        kind,
        name,
        hosted: true,
        schema: { version: 1, questions: [{ id: "first", type: "text", title: "" }] },
      };
    case "survey":
      return {
        kind,
        name,
        hosted: true,
        questions: [{ id: "first", question: "", question_type: "single_text_area" }],
      };
    case "flow":
      return { kind, name, hosted: true, steps: [{ id: "hello", type: "welcome", config: { title: name } }] };
    case "experiment":
    case "rollout":
      return nimbus(kind, slug, name, manifest);
    default:
      return { userFacingName: name, messages: { [slug]: { surface, "trigger-if-all": ["ALWAYS"], text: "" } } };
  }
}

/** @param {string} kind @param {string} slug @param {string} name @param {any} manifest */
function nimbus(kind, slug, name, manifest) {
  const featureId = Object.keys(manifest?.features ?? {})[0] ?? "messaging";
  const branch = (/** @type {string} */ name) => ({ slug: name, ratio: 1, features: [{ featureId, value: {} }] });
  const isRollout = kind === "rollout";
  return {
    schemaVersion: "1.12.0",
    slug,
    appName: manifest?.app_name ?? "",
    channel: manifest?.channel ?? "",
    userFacingName: name,
    userFacingDescription: name,
    isRollout,
    isEnrollmentPaused: false,
    targeting: "true",
    bucketConfig: { randomizationUnit: "nimbus_id", namespace: slug, start: 0, count: 10_000, total: 10_000 },
    branches: isRollout ? [branch("rollout")] : [branch("control"), branch("treatment")],
    referenceBranch: isRollout ? "rollout" : "control",
    proposedEnrollment: 14,
    startDate: null,
    endDate: null,
  };
}
