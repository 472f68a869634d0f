// The kinds of recipe: the form of each kind, and the initial document.

import { field } from "./field.js";
import { isRun } from "../kinds.js";
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
  fields: [field("text", "/userFacingName", "name", { isOptional: true })],
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

/** The kind of a document. @param {API.Document} document */
export function kindOf(document) {
  const kind = document?.kind;
  if (isRun(kind)) return kind;
  if (document?.branches === undefined) return "messages";
  return document.isRollout === true ? "rollout" : "experiment";
}

/**
 * The initial documents of new recipes.
 * @type {Record<string, (name: string, slug: string, manifest: any) => any>}
 */
const blanks = {
  messages: (userFacingName, slug, manifest) => {
    const surface = manifest?.surfaces?.[0] ?? "";
    return { userFacingName, messages: { [slug]: { surface, "trigger-if-all": ["ALWAYS"], text: "" } } };
  },
  questionnaire: (name) => ({
    name,
    hosted: true,
    schema: { version: 1, questions: [{ id: "first", type: "text", title: "" }] },
  }),
  survey: (name) => ({
    name,
    hosted: true,
    questions: [{ id: "first", question: "", question_type: "single_text_area" }],
  }),
  flow: (name) => ({ name, hosted: true, steps: [{ id: "hello", type: "welcome", config: { title: name } }] }),
  experiment: (...of) => nimbus(["control", "treatment"], ...of),
  rollout: (...of) => nimbus(["rollout"], ...of),
};

/**
 * The initial document of a new recipe.
 * @param {string} kind @param {string} slug @param {string} name @param {any} manifest
 * @returns {any}
 */
export const blank = (kind, slug, name, manifest) => ({
  ...(isRun(kind) ? { kind } : {}),
  ...(blanks[kind] ?? blanks.messages)(name, slug, manifest),
});

/** @param {string[]} branches @param {string} name @param {string} slug @param {any} manifest */
function nimbus(branches, name, slug, manifest) {
  const featureId = Object.keys(manifest?.features ?? {})[0] ?? "messaging";
  return {
    schemaVersion: "1.12.0",
    slug,
    appName: manifest?.app_name ?? "",
    channel: manifest?.channel ?? "",
    userFacingName: name,
    userFacingDescription: name,
    isRollout: branches.length === 1,
    isEnrollmentPaused: false,
    targeting: "true",
    bucketConfig: { randomizationUnit: "nimbus_id", namespace: slug, start: 0, count: 10_000, total: 10_000 },
    branches: branches.map((slug) => ({ slug, ratio: 1, features: [{ featureId, value: {} }] })),
    referenceBranch: branches[0],
    proposedEnrollment: 14,
    startDate: null,
    endDate: null,
  };
}
