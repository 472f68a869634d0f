// The subjects of an expression in rows: what a client is, in which segments and lists it is, what happened, and what the
// person has answered.

import { eventStem, shareSubject } from "../language/audience-leaves.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./subjects.js").Subject} Subject
 * @typedef {import("./subjects.js").Kind} Kind
 * @typedef {{segments: string[], lists: string[], events: string[]}} Names of the app
 */

/** @type {Record<string, Kind>} */
const kinds = { string: "text", number: "number", boolean: "boolean", array: "choices" };

/** @param {{name: string, type: string}} attribute @returns {Kind} */
const kindOf = ({ name, type }) => type === "string" && name.endsWith("version") ? "version" : kinds[type] ?? "other";

/** The attributes of a source. @param {import("../language/types.js").Vocabulary | undefined} vocabulary @param {string} source @returns {Subject[]} */
const attributes = (vocabulary, source) =>
  (vocabulary?.attributes ?? []).filter((attribute) => attribute.source === source).map((attribute) => ({
    id: attribute.name,
    label: attribute.name,
    kind: kindOf(attribute),
    group: t(`audience.from.${source}`),
    isQuoted: true,
  }));

/** @param {string} scope @param {string[]} names @returns {Subject[]} */
const members = (scope, names) =>
  names.map((name) => ({
    id: `${scope}.${name}`,
    label: t(`audience.${scope}`, { name }),
    kind: "member",
    group: t(`audience.from.${scope}`),
  }));

/** The events that are known, and one that has its name typed. @param {string[]} names @returns {Subject[]} */
function events(names) {
  const group = t("audience.from.event");
  const options = names.map((name) => ({ value: name, label: name }));
  const known = names.map((name) => ({
    id: eventStem + name,
    label: t("audience.event", { name }),
    kind: /** @type {Kind} */ ("event"),
    group,
    options,
  }));
  const other = { id: eventStem, label: t("audience.event.other"), isOpen: true, pattern: "^[^\\\\]+$" };
  return [...known, { ...other, kind: "event", group, options }];
}

/** The answers that are facts, and one that has its name typed. @param {string[]} names @returns {Subject[]} */
function answers(names) {
  /** @type {Pick<Subject, "kind" | "group" | "isQuoted">} */
  const shared = { kind: "fact", group: t("audience.from.answer"), isQuoted: true };
  const pattern = "^(?!(true|false|null|in)$)[a-z_][a-z0-9_]{0,63}$";
  return [
    ...names.map((name) => ({ ...shared, id: `answer.${name}`, label: t("audience.answer.named", { name }) })),
    { ...shared, id: "answer.", label: t("audience.answer"), isOpen: true, pattern, start: "name" },
  ];
}

/**
 * The subjects of the app's expressions, the most likely first.
 * @param {import("../language/types.js").Vocabulary | undefined} vocabulary
 * @param {Names} names
 * @returns {Subject[]}
 */
export const audienceSubjects = (vocabulary, names) => [
  ...attributes(vocabulary, "manifest"),
  ...members("segment", names.segments),
  ...members("list", names.lists),
  ...events(names.events),
  ...answers(vocabulary?.answers ?? []),
  ...attributes(vocabulary, "sdk"),
  ...attributes(vocabulary, "daemon"),
  { id: shareSubject, label: t("audience.share"), kind: "share", group: t("audience.from.share") },
];

/**
 * The names of an app that expressions may read.
 * @param {{all: import("../recipes.js").Recipe[], isNamed: (kind: string) => boolean, manifest: {events?: object} | undefined, lists: string[],
 *   vocabulary: import("../language/types.js").Vocabulary | undefined}} app
 * @returns {Names}
 */
export function namesOf({ all, isNamed, manifest, lists, vocabulary }) {
  const declared = Object.keys(manifest?.events ?? {});
  const known = [...declared, ...vocabulary?.events ?? [], ...vocabulary?.derived?.map(({ name }) => name) ?? []];
  return {
    segments: all.filter(({ kind, state }) => isNamed(kind) && state !== "ended").map(({ slug }) => slug),
    lists,
    events: [...new Set(known)],
  };
}
