// The filters of results and responses. Both pages use the same parameters of the address, from which this module makes
// the daemon's query.

import { kindNamed, runOf } from "./kinds.js";

/**
 * The parameters of the address: `from`, `to` (days in UTC), `branch` (`EXPERIMENT/BRANCH`), `locale`, `drafts=no`,
 * `data=development|all`, `attr.NAME`; results also have `by`, `lines` (a line for each of these) and `period` (of goals); responses also have `status`, `q`, `question`.
 */
const shared = ["from", "to", "branch", "locale", "drafts", "data"];

/** @param {string} name */
export const isFilter = (name) => shared.includes(name) || name.startsWith("attr.");

/** The filters alone, for links between the two pages. @param {URLSearchParams} query */
export function filtersOf(query) {
  return new URLSearchParams([...query].filter(([name, value]) => isFilter(name) && value));
}

/**
 * @param {URLSearchParams} query
 * @param {string} kind
 * @returns {URLSearchParams} the query of `GET …/results/{slug}`
 */
export function resultsQuery(query, kind) {
  const asked = new URLSearchParams();
  const take = (/** @type {string} */ name) => query.get(name) && asked.set(name, query.get(name) ?? "");
  ["from", "to", "branch"].forEach(take);
  const { run, enrolls } = kindNamed(kind);
  if (!run) {
    take("locale");
    take("period");
    if (enrolls) asked.set("enrollment", "true");
    return asked;
  }
  if (run.hasDrafts && query.get("drafts") === "no") asked.set("submitted_only", "true");
  const data = query.get("data");
  if (data === "development" || data === "all") asked.set("data_mode", data);
  takeAttributes(query, asked);
  take("by");
  return asked;
}

/** @param {URLSearchParams} query @param {string} kind @returns {URLSearchParams} the query of a list of responses */
export function responsesQuery(query, kind) {
  const asked = new URLSearchParams();
  for (const name of ["from", "to", "status", "q", "question"]) {
    if (query.get(name)) asked.set(name, query.get(name) ?? "");
  }
  const branch = query.get("branch");
  if (branch) {
    const at = branch.indexOf("/");
    if (at > 0) asked.set("experiment", branch.slice(0, at));
    asked.set("branch", branch.slice(at + 1));
  }
  if (runOf(kind)?.hasDrafts && query.get("drafts") === "no") asked.set("submitted_only", "true");
  const data = query.get("data");
  // The default is the same as for results: production.
  asked.set("data_mode", data === "development" || data === "all" ? data : "production");
  takeAttributes(query, asked);
  return asked;
}

/** @param {URLSearchParams} query @param {URLSearchParams} asked */
function takeAttributes(query, asked) {
  for (const [name, value] of query) if (name.startsWith("attr.") && value) asked.set(name, value);
}

/** The lengths in days of the periods that end today. */
export const periods = [1, 7, 30, 90];

/** The first day of a period that ends today, in UTC. @param {number} days @param {number} now */
export const firstDay = (days, now) => new Date(now - (days - 1) * 86_400_000).toISOString().slice(0, 10);

/**
 * The period of an address: a number of days, "own" for any other period, or "" for all time.
 * @param {URLSearchParams} query
 * @param {number} now
 */
export function periodOf(query, now) {
  const [from, to] = [query.get("from"), query.get("to")];
  if (!from && !to) return "";
  const days = to ? undefined : periods.find((days) => firstDay(days, now) === from);
  return days ? String(days) : "own";
}
