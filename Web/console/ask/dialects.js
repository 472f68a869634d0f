// Conditions as rows, and back, in each dialect (docs/reference/surveys.md#conditions). What rows cannot say stays as it
// is, in a part that is locked.

import { core, showIf } from "./dialects-trees.js";
import { audience, dependsOn, rules, visibility } from "./dialects-flows.js";

/**
 * @typedef {{kind: "row", subject: string, comparison: string, value?: any, raw?: any}} Row a comparison of what a subject
 *   says; `raw` is what the document has of it
 * @typedef {{kind: "locked", raw: any}} Locked
 * @typedef {{kind: "group", join: "all" | "any", parts: Part[], raw?: any}} Group
 * @typedef {Row | Locked | Group} Part
 * @typedef {object} Dialect
 * @property {(condition: any) => Group} read no parts: it always holds
 * @property {(group: Group) => any} write undefined: nothing needs to be said
 * @property {boolean} nests whether there may be a group within the group
 * @property {number} most rows at most
 * @property {Record<string, string[]>} offers the comparisons by the kind of a subject
 */

/** @type {Record<string, Dialect>} */
export const dialects = { show_if: showIf, core, rules, depends_on: dependsOn, visibility, audience };

/** The comparisons that need no value. */
export const bare = ["answered", "empty", "known"];

/** A condition without what the document has of it: as if its rows had been made anew. @param {Group} group @returns {Group} */
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

/** Whether rows say all of it. @param {Group} group @returns {boolean} */
export const isWhole = ({ parts }) =>
  parts.every((part) => part.kind === "row" || (part.kind === "group" && isWhole(part)));
