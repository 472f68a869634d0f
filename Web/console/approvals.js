// Who put the revisions of a recipe live, from the audit.

import { get, path } from "./api.js";

/** @typedef {{by: string, at: string}} Approval */

/** The maximum number of pages of the audit that are read. A busy installation has many other records. */
const maximumPages = 5;

/**
 * The person who put each revision live last, and when, by the revision's number. Revisions whose records are further
 * back are missing.
 * @param {string} app
 * @param {string} slug
 * @param {AbortSignal} signal
 * @returns {Promise<Map<number, Approval>>}
 */
export async function approvals(app, slug, signal) {
  /** @type {Map<number, Approval>} */
  const found = new Map();
  let before = "";
  for (let page = 0; page < maximumPages; page += 1) {
    const query = new URLSearchParams({ kind: "recipe", name: slug, limit: "1000", ...(before ? { before } : {}) });
    const { items, before: next } = await get(`${path("apps", app, "audit")}?${query}`, { signal });
    for (const item of items) {
      if (isPutLive(item) && !found.has(item.in_force)) found.set(item.in_force, { by: item.by, at: item.at });
    }
    if (!next) break;
    before = String(next);
  }
  return found;
}

/**
 * Whether a record of a recipe puts a revision live that was not in force before.
 * @param {{in_force?: number | null, previous_in_force?: number | null}} item
 */
export const isPutLive = ({ in_force: revision, previous_in_force: before }) =>
  !!revision && revision !== (before ?? null);
