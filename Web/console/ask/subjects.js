// The possible subjects of a condition, by its location in a document.

import { keysOf, pointerOf, valueAt } from "../document/pointers.js";
import { formatOf } from "../forms/formats.js";
import { kindNamed } from "../kinds.js";
import { previousStep } from "./dialects-flows.js";

/**
 * @typedef {"choice" | "choices" | "number" | "text" | "boolean" | "date" | "step" | "own" | "place" | "other"
 *   | "version" | "member" | "event" | "fact" | "share"} Kind the last five are only of expressions
 * @typedef {import("../forms/schema.js").Format} Format
 * @typedef {{value: any, label: string}} Option
 * @typedef {{id: string, label: string, kind: Kind, options?: Option[], isText?: boolean, group?: string,
 *   isOpen?: boolean, pattern?: string, start?: string, isQuoted?: boolean}} Subject
 * `isText`: the answer with a number is a text. An open subject is all those whose ids begin with its own: the rest is
 * a name of the pattern, at first `start`. `isQuoted`: a text of it stands in an expression, without a backslash.
 * @typedef {{attributes?: {name: string, type: string, source: string}[]}} Vocabulary
 * @typedef {{id: string, label: string, kind: Kind, options?: Option[], isText?: boolean, row?: string}} Asked
 */

const list = (/** @type {unknown} */ value) => /** @type {any[]} */ (Array.isArray(value) ? value : []);
const text = (/** @type {unknown} */ value) => typeof value === "string" ? value : "";
const numbers = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({ value: from + at, label: String(from + at) }));

/** The options of a question or field, by their values. @param {any} options @returns {Option[]} */
const optionsOf = (options) =>
  list(options).map((option) => {
    if (typeof option === "string") return { value: option, label: option };
    const value = option?.id ?? option?.value ?? option?.title;
    return { value, label: text(option?.label) || text(option?.title) || String(value) };
  }).filter(({ value }) => value !== undefined);

/**
 * @param {API.Part} question @param {string} type @param {Format} [format] of the document
 * @returns {Omit<Asked, "id" | "label">}
 */
function kindOf({ options, values, scale, input_type: input }, type, format) {
  if (type === "rating") return { kind: "number", options: numbers(1, Math.min(Number(scale) || 5, 11)) };
  if (type === "nps") return { kind: "number", options: numbers(0, 10) };
  // The number of a survey is a text.
  if (input === "number" || type === "year_picker") return { kind: "number", isText: true };
  const kind = /** @type {Kind} */ (format?.answerOf(type) ?? "other");
  return kind === "choice" || kind === "choices" ? { kind, options: optionsOf(options ?? values) } : { kind };
}

/** @param {API.Part} question @param {string} type @param {Format} [format] of the document @returns {Asked[]} */
function askedOf(question, type, format) {
  const id = text(question?.id);
  if (id === "") return [];
  const label = text(question.title) || text(question.question) || id;
  if (type === "table_select") {
    return list(question.table_questions).map((row) => ({
      id,
      row: text(row?.id),
      label: `${label} › ${text(row?.title) || text(row?.id)}`,
      kind: "choice",
      options: optionsOf(question.options),
    }));
  }
  return [{ id, label, ...kindOf(question, type, format) }];
}

/**
 * The questions of a questionnaire or survey with their sub-questions, up to the question in which a pointer lies.
 * @param {API.Document} document
 * @param {string} [pointer]
 * @returns {Asked[]}
 */
export function questionsBefore(document, pointer = "") {
  const { questions: root = "/schema/questions", typeKey = "type" } = kindNamed(document?.kind);
  const all = list(valueAt(document, root));
  const rows = all.flatMap((question, place) => [
    { at: `${root}/${place}`, question },
    ...list(question?.sub_questions).map((inner, at) => ({
      at: `${root}/${place}/sub_questions/${at}`,
      question: inner,
    })),
  ]);
  const own = rows.findLastIndex(({ at }) => pointer === at || pointer.startsWith(`${at}/`));
  return rows.slice(0, own < 0 ? undefined : own).flatMap(({ question }) =>
    askedOf(question, question?.[typeKey], formatOf(document?.kind))
  );
}

/** @type {Record<string, Kind>} */
const fieldKinds = {
  number: "number",
  slider: "number",
  stepper: "number",
  rating: "number",
  toggle: "boolean",
  chips: "choices",
  date: "date",
  option_list: "choice",
  select: "choice",
  segmented: "choice",
};
const textFields = ["text", "textarea", "email", "phone", "url", "time", "datetime", "color", "wheel_picker"];

/** @param {any} field a field, or a block that has an answer @returns {Asked[]} */
function fieldAsked(field) {
  const type = text(field?.type).replace(/^input_/, "");
  const id = text(field?.field_id) || text(field?.id);
  const isKnown = fieldKinds[type] !== undefined || textFields.includes(type);
  if (id === "" || !isKnown || type === "password") return [];
  const label = text(field.label) || text(field.field_label) || text(field.text) || id;
  const options = optionsOf(field.options ?? field.config?.options ?? field.field_options);
  const isMulti = field.config?.multi_select === true || field.multi_select === true ||
    field.selection_mode === "multi";
  const kind = fieldKinds[type] ?? "text";
  if (kind === "choice" && isMulti) return [{ id, label, kind: "choices", options }];
  return [{ id, label, kind, options: options.length > 0 ? options : undefined }];
}

/** The questions of a step. @param {any} step @returns {Asked[]} */
export function asksOf(step) {
  const config = step?.config ?? step?.layout ?? {};
  if (step?.type === "question") {
    const label = text(config.title) || text(step.id);
    const isMulti = config.selection_mode === "multi";
    return [{ id: "selected", label, kind: isMulti ? "choices" : "choice", options: optionsOf(config.options) }];
  }
  const blocks = list(config.content_blocks).length > 0 ? config.content_blocks : step?.content_blocks;
  const inner = (/** @type {API.Part} */ block) =>
    block?.type === "form" ? list(block.fields) : [block, ...list(block?.children), ...list(block?.stack_children)];
  return [...list(config.fields), ...list(blocks).flatMap(inner)].flatMap(fieldAsked);
}

/** The name of a step. @param {any} step */
export const stepName = (step) => text(step?.config?.title) || text(step?.name) || text(step?.id);

/** @param {any[]} steps @returns {Option[]} */
export const stepOptions = (steps) =>
  steps.filter((step) => text(step?.id) !== "").map((step) => ({ value: step.id, label: stepName(step) }));

/** @param {API.Document} document @param {string} pointer @returns {{step: any, before: any[], steps: any[]}} */
function placeIn(document, pointer) {
  const steps = list(document?.steps);
  const [list_, place] = keysOf(pointer);
  const at = list_ === "steps" ? Number(place) : steps.length;
  return { step: steps[at], before: steps.slice(0, at), steps };
}

/** @type {Record<string, Kind>} */
const attributeKinds = { string: "text", number: "number", boolean: "boolean", array: "choices" };
const sources = ["manifest", "sdk", "daemon"];
const counters = ["launches", "foregrounds", "days_since_first_launch", "hours_since_first_launch"];

/**
 * The attributes; the manifest's are first.
 * @param {Vocabulary | undefined} vocabulary
 * @param {string} prefix
 * @returns {Subject[]}
 */
const attributes = (vocabulary, prefix) =>
  (vocabulary?.attributes ?? []).toSorted((left, right) => sources.indexOf(left.source) - sources.indexOf(right.source))
    .map(({ name, type }) => ({
      id: prefix + name,
      label: name,
      kind: attributeKinds[type] ?? "other",
    }));

/** The subject of an id; a known one has precedence over an open one. @param {string} id @param {Subject[]} subjects */
export const subjectOf = (id, subjects) =>
  subjects.find((subject) => subject.id === id && !subject.isOpen) ??
    subjects.find((subject) => subject.isOpen && id.startsWith(subject.id));

/**
 * The subjects of a dialect's conditions, the most likely first.
 * @param {string} dialect @param {API.Document} document @param {string} pointer of the condition @param {Vocabulary}
 * [vocabulary]
 * @returns {Subject[]}
 */
export function subjectsFor(dialect, document, pointer, vocabulary) {
  const known = { show_if: showIf, core, rules, depends_on: dependsOn, visibility, audience }[dialect];
  return known?.(document, pointer, vocabulary) ?? [];
}

/** @param {API.Document} document @param {string} pointer @returns {Subject[]} */
const showIf = (document, pointer) =>
  questionsBefore(document, pointer).map(({ row, ...asked }) => ({
    ...asked,
    id: pointerOf(row === undefined ? [asked.id] : [asked.id, row]),
  })).toReversed();

/** @param {API.Document} document @param {string} _ @param {Vocabulary} [vocabulary] @returns {Subject[]} */
function core(document, _, vocabulary) {
  const answers = Array.isArray(document?.steps)
    ? list(document.steps).flatMap((step) =>
      asksOf(step).map((asked) => ({ ...asked, id: `step.${step.id}.${asked.id}` }))
    )
    : questionsBefore(document).map(({ row, ...asked }) => ({
      ...asked,
      id: `answer.${asked.id}${row === undefined ? "" : `.${row}`}`,
    }));
  const counted = counters.map((name) => ({
    id: `counter.${name}`,
    label: name,
    kind: /** @type {Kind} */ ("number"),
  }));
  return [...answers, ...attributes(vocabulary, "attr."), ...counted];
}

/** @param {API.Document} document @param {string} pointer @returns {Subject[]} */
function rules(document, pointer) {
  const { step, before, steps } = placeIn(document, pointer);
  const earlier = before.toReversed().flatMap((other) =>
    asksOf(other).map((asked) => ({ ...asked, id: `${other.id}.${asked.id}` }))
  );
  const last = {
    id: previousStep,
    label: previousStep,
    kind: /** @type {Kind} */ ("step"),
    options: stepOptions(steps),
  };
  return [...asksOf(step), ...earlier, ...(before.length > 0 ? [last] : [])];
}

/** @param {API.Document} document @param {string} pointer @returns {Subject[]} */
function dependsOn(document, pointer) {
  const [, , config, name, place] = keysOf(pointer);
  const { step } = placeIn(document, pointer);
  const fields = config === "config" && name === "fields" ? list(step?.config?.fields) : [];
  return fields.slice(0, Number(place)).flatMap(fieldAsked).toReversed();
}

/** @param {API.Document} document @param {string} pointer @param {Vocabulary} [vocabulary] @returns {Subject[]} */
function visibility(document, pointer, vocabulary) {
  const { step, before } = placeIn(document, pointer);
  const own = asksOf(step).filter(({ options }) => options)
    .map((asked) => ({ ...asked, id: `@answer.${asked.id}`, kind: /** @type {Kind} */ ("own") }));
  const earlier = before.toReversed().flatMap((other) =>
    asksOf(other).map((asked) => ({ ...asked, id: `responses.${other.id}.${asked.id}` }))
  );
  const platforms = ["ios", "android", "web"].map((value) => ({ value, label: value }));
  return [
    ...earlier,
    ...own,
    ...attributes(vocabulary, "user."),
    { id: "@platform", label: "@platform", kind: "place", options: platforms },
    { id: "@locale", label: "@locale", kind: "place" },
  ];
}

/** @param {any} _ @param {string} __ @param {Vocabulary} [vocabulary] @returns {Subject[]} */
const audience = (_, __, vocabulary) => attributes(vocabulary, "");
