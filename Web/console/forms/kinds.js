// The kinds of recipe: the form of each kind, and the initial document.

import { isDeclared, schemaOf } from "../kinds.js";
import { experiment } from "./experiment.js";
import { flow } from "./flow.js";
import { formatOf } from "./formats.js";
import { manifest } from "./manifest.js";
import { messages } from "./message.js";
import { questionnaire, survey } from "./questions.js";
import { segment } from "./segment.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** How the form of each kind is made from its schema. @type {Record<string, (format: Format) => Section[]>} */
const makers = { questionnaire, survey, experiment, messages, manifest, flow, segment };

/** The forms that are made. @type {Map<Format, Section[]>} */
const forms = new Map();

/** The form of a kind, if its format is loaded. @param {string} kind */
export function formOf(kind) {
  const format = formatOf(kind);
  if (format && !forms.has(format)) forms.set(format, makers[schemaOf(kind)](format));
  return format && forms.get(format);
}

/** The kind of a document. @param {API.Document} document */
export function kindOf(document) {
  const kind = document?.kind;
  if (isDeclared(kind)) return kind;
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
  segment: (name) => ({ name, expression: "true" }),
};

/**
 * The initial document of a new recipe.
 * @param {string} kind @param {string} slug @param {string} name @param {any} manifest
 * @returns {any}
 */
export const blank = (kind, slug, name, manifest) => ({
  ...(isDeclared(kind) ? { kind } : {}),
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
