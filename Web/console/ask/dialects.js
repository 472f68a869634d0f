// Conditions as rows, and back, in each dialect (docs/reference/surveys.md#conditions). A part that rows cannot express
// stays unchanged, and is locked.

import { core, showIf } from "./dialects-trees.js";
import { audience, dependsOn, rules, visibility } from "./dialects-flows.js";

/**
 * @typedef {{kind: "row", subject: string, comparison: string, value?: any, raw?: any}} Row a comparison of a subject's
 *   value; `raw` is the original condition in the document
 * @typedef {{kind: "locked", raw: any}} Locked
 * @typedef {{kind: "group", join: "all" | "any", parts: Part[], raw?: any}} Group
 * @typedef {Row | Locked | Group} Part
 * @typedef {object} Dialect
 * @property {(condition: any) => Group} read parses a condition; a group without parts always holds
 * @property {(group: Group) => any} write makes the condition of a group; undefined if none is needed
 * @property {boolean} nests whether a group may contain a group
 * @property {number} most the maximum number of rows
 * @property {Record<string, string[]>} offers the comparisons for each kind of subject
 * @property {(group: Group) => string} [words] rows in words, if they are not those of all dialects
 * @property {(raw: any) => string} [show] the text of a locked part, if it is not JSON
 */

/** @type {Record<string, Dialect>} */
export const dialects = { show_if: showIf, core, rules, depends_on: dependsOn, visibility, audience };

/** The comparisons that need no value. */
export const bare = ["answered", "empty", "known", "unknown", "inside", "outside", "happened", "happenedNot"];

/** A condition without its original parts, as if all its rows were new. @param {Group} group @returns {Group} */
export function fresh({ join, parts }) {
  return {
    kind: "group",
    join,
    parts: parts.map((part) => {
      if (part.kind === "group") return fresh(part);
      if (part.kind === "locked") return part;
      const { raw: _, ...row } = part;
      return row;
    }),
  };
}

/** Whether rows express the whole condition. @param {Group} group @returns {boolean} */
export const isWhole = ({ parts }) =>
  parts.every((part) => part.kind === "row" || (part.kind === "group" && isWhole(part)));
