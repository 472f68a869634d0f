// What the size of an experiment is computed from, as a form has it (docs/reference/goals.md#size). Without a page.

/** The fields with a number, in their order. */
export const numbers = ["mean", "mde", "sd", "power", "correlation", "branches", "exposed_per_day"];

/** What says whose rates count in place of a mean: the name of an event, and numbers. */
export const ofEvent = ["event", "within_days", "share"];

/** The longest window of the app's own rates, in days. */
const longestDays = 28;

/** @typedef {Record<string, string>} SizeValues the texts of the form's fields; an empty one is left out */

/**
 * The values with which the form begins: those of the goal that decides, if it has a plan.
 * @param {Partial<API.Document>} document
 * @returns {SizeValues}
 */
export function firstValues({ goals, branches }) {
  const all = Array.isArray(goals) ? goals : [];
  const goal = all.find((one) => one?.primary) ?? all[0];
  const plan = goal?.plan ?? {};
  const hasRates = typeof goal?.event === "string" && !goal.property && plan.mean === undefined;
  const count = Array.isArray(branches) ? branches.length : 0;
  const values = numbers.map((name) => [name, typeof plan[name] === "number" ? String(plan[name]) : ""]);
  return {
    ...Object.fromEntries(values),
    counts: goal?.counts === "sum" ? "sum" : "converted",
    direction: goal?.direction === "down" ? "down" : "up",
    branches: String(Math.max(count, 2)),
    event: hasRates ? goal.event : "",
    within_days: hasRates && goal.within_days > 0 ? String(Math.min(goal.within_days, longestDays)) : "",
    share: "",
  };
}

/** The body of the request. @param {SizeValues} values */
export function sizeRequest({ counts, direction, ...others }) {
  const known = numbers.filter((name) => (others[name] ?? "") !== "" && (name !== "sd" || counts === "sum"));
  const rates = others.event ? ofEvent.filter((name) => (others[name] ?? "") !== "") : [];
  const value = (/** @type {string} */ name) => name === "event" ? others[name] : Number(others[name]);
  return {
    size: { counts, direction, ...Object.fromEntries([...known, ...rates].map((name) => [name, value(name)])) },
  };
}
