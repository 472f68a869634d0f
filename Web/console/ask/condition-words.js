// A condition in words.

import { list, number, quoted, t } from "../texts.js";
import { bare } from "./dialects.js";
import { subjectOf } from "./subjects.js";

/**
 * @typedef {import("./dialects.js").Part} Part
 * @typedef {import("./dialects.js").Group} Group
 * @typedef {import("./subjects.js").Subject} Subject
 */

/** The name of a subject. @param {string} id @param {Subject[]} subjects */
export function subjectName(id, subjects) {
  const label = subjects.find((subject) => subject.id === id)?.label;
  if (id.startsWith("@") || id.startsWith("counter.")) {
    const text = t(`when.subject.${id}`);
    if (!text.startsWith("when.subject.")) return text;
  }
  if (label !== undefined) return label;
  const open = subjectOf(id, subjects);
  return open ? id.slice(open.id.length) || open.label : id.replace(/^\//, "");
}

/** @param {any} value @param {Subject | undefined} subject */
export function valueName(value, subject) {
  const label = subject?.options?.find((option) => option.value === value)?.label;
  if (typeof value === "number" && label === undefined) return number(value);
  if (typeof value === "boolean") return t(value ? "when.yes" : "when.no");
  return typeof value === "number" ? String(label) : quoted(label ?? value);
}

/** @param {Part} part @param {Subject[]} subjects @returns {string} */
function partInWords(part, subjects) {
  if (part.kind === "locked") return t("when.locked");
  if (part.kind === "group") return `(${groupInWords(part, subjects)})`;
  const { subject: id, comparison, value } = part;
  const subject = subjects.find((subject) => subject.id === id);
  const isQuoted = subject !== undefined && !["place", "step"].includes(subject.kind) &&
    !/^(attr|counter|user)\./.test(id);
  const name = subjectName(id, subjects);
  const what = isQuoted ? quoted(name) : name;
  if (bare.includes(comparison)) return t(`when.words.${comparison}`, { what });
  if (comparison === "between") {
    const [low, high] = value;
    if (low === null) return t("when.words.most", { what, value: number(high) });
    return high === null
      ? t("when.words.least", { what, value: number(low) })
      : t("when.words.between", { what, low: number(low), high: number(high) });
  }
  const shown = Array.isArray(value)
    ? list(value.map((item) => valueName(item, subject)), "disjunction")
    : valueName(value, subject);
  return t(`when.words.${comparison}`, { what, value: shown });
}

/** @param {Group} group @param {Subject[]} subjects @returns {string} "" if it always holds */
export function groupInWords({ join, parts }, subjects) {
  return list(parts.map((part) => partInWords(part, subjects)), join === "all" ? "conjunction" : "disjunction");
}
