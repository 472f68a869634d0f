// The texts of a recipe that are no ids, in the places where the daemon expects texts for people.

import { below, valueAt } from "../document/pointers.js";
import { kindNamed } from "../kinds.js";

const questionKeys = [
  "title",
  "subtitle",
  "placeholder",
  "question",
  "header",
  "low_tag",
  "high_tag",
  "on_fail_message",
  "button_title",
];
const messageKeys = ["title", "text", "button-label"];

/**
 * The pointers of all texts for people in a questionnaire, a survey or a message.
 * @param {API.Document} document
 * @returns {string[]}
 */
export function textPointers(document) {
  const { kind, offer, strings } = document ?? {};
  const own = (/** @type {any} */ value, /** @type {string[]} */ keys, /** @type {string} */ pointer) =>
    keys.filter((key) => typeof value?.[key] === "string").map((key) => below(pointer, key));
  const offered = own(offer, messageKeys, "/offer");
  const { questions, hasLabels = false } = kindNamed(kind);
  if (questions) {
    return [
      ...own(document, ["description"], ""),
      ...within(valueAt(document, questions), questions, hasLabels),
      ...within(document.submit, "/submit", false),
      ...own(strings, Object.keys(strings ?? {}), "/strings"),
      ...offered,
    ];
  }
  if (kind !== undefined) return offered;
  return values(document).flatMap(({ messages, pointer }) =>
    Object.entries(messages).flatMap(([key, message]) => ofMessage(message, below(pointer, key)))
  );
}

/**
 * The texts below a question. Options of a survey are answers, and no texts.
 * @param {any} value @param {string} pointer @param {boolean} hasLabels @returns {string[]}
 */
function within(value, pointer, hasLabels) {
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => within(item, below(pointer, String(place)), hasLabels));
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = below(pointer, key);
    if (typeof member === "string") return questionKeys.includes(key) || hasLabels && key === "label" ? [place] : [];
    const isAnswer = key === "show_if" || key === "label_options" || key === "options" && !hasLabels;
    return isAnswer ? [] : within(member, place, hasLabels);
  });
}

/**
 * The messages of a document, or of its branches.
 * @param {API.Document} document
 * @returns {{messages: any, pointer: string}[]}
 */
function values(document) {
  if (!Array.isArray(document?.branches)) return [{ messages: document?.messages ?? {}, pointer: "/messages" }];
  return document.branches.flatMap((branch, /** @type {number} */ place) =>
    (branch?.features ?? []).flatMap((/** @type {any} */ feature, /** @type {number} */ number) =>
      feature?.featureId === "messaging" && feature.value?.messages
        ? [{ messages: feature.value.messages, pointer: `/branches/${place}/features/${number}/value/messages` }]
        : []
    )
  );
}

/** @param {any} message @param {string} pointer @returns {string[]} */
function ofMessage(message, pointer) {
  if (message?.["is-control"] === true) return [];
  const options = message?.microsurveyConfig?.options;
  return [
    ...messageKeys.filter((key) => typeof message?.[key] === "string").map((key) => below(pointer, key)),
    ...(Array.isArray(options) ? options : []).flatMap((option, place) =>
      typeof option === "string" ? [`${pointer}/microsurveyConfig/options/${place}`] : []
    ),
  ];
}
