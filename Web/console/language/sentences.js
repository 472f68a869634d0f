// A recipe in sentences that are made from its document.

import { valueAt } from "../document/pointers.js";
import { isRun, kindNamed } from "../kinds.js";
import { list, quoted, t } from "../texts.js";
import { branchShare, drawnShare, stagesInWords } from "./shares.js";
import { audienceInWords } from "./words.js";

/**
 * @typedef {{text(id: string): string, triggers: Record<string, any>, styles: Record<string, any>, surface: string}} Known
 *   the app's facts that are not in the document: texts by id, triggers and styles of the manifest, the surface of a
 *   message that names none
 */

/** @type {Known} */
const nothing = { text: (id) => id, triggers: {}, styles: {}, surface: "" };
/** The built-in names of every app. */
const builtIn = {
  triggers: { ALWAYS: "true", NEVER: "false" },
  styles: { DEFAULT: { priority: 50, "max-display-count": 5 } },
};
/** The maximum number of listed messages; more messages are only counted. */
const maximumMessages = 3;

/** @param {API.Document} document @param {Partial<Known>} [known] @returns {string[]} */
export function sentences(document, known = {}) {
  const all = { ...nothing, ...known };
  if (kindNamed(document.kind).questions) return questionnaire(document, all);
  if (isRun(document.kind)) return flow(document, all);
  if (kindNamed(document.kind).isNamed) return [t("sentence.segment", { who: audienceInWords(document.expression) })];
  return Array.isArray(document.branches) ? experiment(document, all) : messages(document, all);
}

/** @param {API.Document} document @param {Known} known */
function questionnaire(document, known) {
  const { questions: root = "", isRequired = false } = kindNamed(document.kind);
  /** @type {API.Question[]} */
  const questions = valueAt(document, root) ?? [];
  const required = questions.filter((question) => question.required ?? isRequired).length;
  const conditional = questions.filter((question) => question.show_if).length;
  return [
    t("sentence.asks", { count: questions.length }) +
    (required > 0 && required < questions.length ? t("sentence.required", { count: required }) : ""),
    conditional > 0 && t("sentence.conditional", { count: conditional }),
    ...common(document, known),
  ].filter(isText);
}

/** @param {API.Document} document @param {Known} known */
function flow(document, known) {
  const steps = Array.isArray(document.steps) ? document.steps : [];
  const titles = steps.map((step) => step.config?.title ?? step.title ?? step.id).map(known.text);
  const isClosed = document.settings?.dismiss_allowed === false;
  return [
    t("sentence.leads", { count: steps.length, steps: list(titles.slice(0, 6).map(quoted)) }),
    t(isClosed ? "sentence.closed" : "sentence.dismissed"),
    ...common(document, known),
  ];
}

/** The sentences that questionnaires, surveys and flows share. @param {API.Document} document @param {Known} known */
function common(document, known) {
  return [
    document.offer && offered(document.offer, known),
    document.hosted === true && t("sentence.hosted"),
    document.is_active === false && t("sentence.inactive"),
  ].filter(isText);
}

/** @param {any} offer @param {Known} known */
function offered(offer, known) {
  const { launches, days_since_first_launch: days } = offer.trigger ?? {};
  const after = [
    launches > 0 && t("sentence.launches", { count: launches }),
    days > 0 && t("sentence.days", { count: days }),
  ].filter(isText);
  return t("sentence.offer", {
    where: place(offer, known),
    who: after.length > 0 ? t("sentence.after", { what: list(after) }) : audience(offer, {}, known),
    often: often(offer, {}, known),
  });
}

/** @param {API.Document} document @param {Known} known */
function experiment(document, known) {
  const { branches } = document;
  const shares = branches.map((branch, place) => `${branch.slug} (${branchShare(document, place)})`);
  const share = drawnShare(document);
  const stages = stagesInWords(document);
  const features = [...new Set(branches.flatMap(featuresOf).map(({ featureId }) => featureId))];
  return [
    t(document.isRollout ? "sentence.rollout" : "sentence.compares", { branches: list(shares), share }),
    stages && t("sentence.stages", { stages }),
    t("sentence.targeting", { who: audienceInWords(document.targeting) }),
    features.length > 0 && t("sentence.features", { features: list(features.map(quoted)) }),
    document.isEnrollmentPaused && t("sentence.enrollment"),
    ...branches.flatMap((branch) => messagesOf(branch, known)),
  ].filter(isText);
}

/** @param {any} branch @returns {any[]} */
const featuresOf = (branch) =>
  Array.isArray(branch?.features) ? branch.features : branch?.feature ? [branch.feature] : [];

/** @param {any} branch @param {Known} known @returns {string[]} */
function messagesOf(branch, known) {
  const values = featuresOf(branch).filter(({ featureId }) => featureId === "messaging").map(({ value }) =>
    value ?? {}
  );
  return values.flatMap((value) => messages(value, known))
    .map((sentence) => t("sentence.branch", { branch: branch.slug, sentence }));
}

/** @param {any} value a value of messaging @param {Known} known @returns {string[]} */
function messages(value, known) {
  const all = Object.values(value.messages ?? {}).filter((message) => message && typeof message === "object");
  const told = all.slice(0, maximumMessages).map((message) => messageSentence(message, value, known));
  const rest = all.length - told.length;
  return rest > 0 ? [...told, t("sentence.more", { count: rest })] : told;
}

/** @param {any} message @param {any} value a value of messaging @param {Known} known */
function messageSentence(message, value, known) {
  if (message["is-control"]) return t("sentence.control", { who: audience(message, value, known) });
  const title = message.text ?? message.title;
  const options = message.microsurveyConfig?.options?.length;
  return t(message.presents ? "sentence.presents" : options ? "sentence.question" : "sentence.message", {
    text: title === undefined ? t("sentence.card") : quoted(known.text(title)),
    count: options ?? 0,
    where: place(message, known),
    who: audience(message, value, known),
    often: often(message, value, known),
    what: message.presents ?? "",
  });
}

/** @param {any} message @param {Known} known */
function place(message, known) {
  const surface = message.surface ?? known.surface;
  return surface ? t("sentence.on", { surface }) : "";
}

/** @param {any} message @param {any} value @param {Known} known */
function audience(message, value, known) {
  const parts = triggersInWords(message["trigger-if-all"], { ...known.triggers, ...value.triggers });
  return parts.length === 0 ? t("sentence.everybody") : t("sentence.whom", { parts: list(parts) });
}

/**
 * The conditions of triggers in words, without those that always hold.
 * @param {unknown} names @param {Record<string, unknown>} triggers @returns {string[]}
 */
export function triggersInWords(names, triggers) {
  /** @type {Record<string, unknown>} */
  const all = { ...builtIn.triggers, ...triggers };
  return (Array.isArray(names) ? names : []).map((name) => {
    const expression = Object.hasOwn(all, name) ? all[name] : undefined;
    return expression === "true" ? "" : typeof expression === "string" ? audienceInWords(expression) : quoted(name);
  }).filter(Boolean);
}

/** The sentence about the frequency and the period. @param {any} message @param {any} value @param {Known} known */
function often(message, value, known) {
  const styles = { ...builtIn.styles, ...known.styles, ...value.styles };
  const { display, limit, end } = message.pacing ?? {};
  const cap = styles[message.style ?? "DEFAULT"]?.["max-display-count"];
  const times = display === "once" ? 1 : display ? limit ?? (display === "some" ? 1 : undefined) : cap;
  return [
    typeof times === "number" && t("sentence.times", { count: times }),
    (display === "until-answered" || message.presents) && t("sentence.until"),
    typeof end === "string" && t("sentence.end", { date: end.slice(0, 10) }),
  ].filter(isText).join("");
}

/** @param {unknown} text @returns {text is string} */
const isText = (text) => typeof text === "string" && text !== "";
