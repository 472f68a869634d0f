// What the size of an experiment is computed from, as a form has it (docs/reference/goals.md#size). Without a page.

/** The fields with a number, in their order. */
export const numbers = ["mean", "mde", "sd", "power", "correlation", "branches", "exposed_per_day"];

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
  const count = Array.isArray(branches) ? branches.length : 0;
  const values = numbers.map((name) => [name, typeof plan[name] === "number" ? String(plan[name]) : ""]);
  return {
    ...Object.fromEntries(values),
    counts: goal?.counts === "sum" ? "sum" : "converted",
    direction: goal?.direction === "down" ? "down" : "up",
    branches: String(Math.max(count, 2)),
  };
}

/** The body of the request. @param {SizeValues} values */
export function sizeRequest({ counts, direction, ...others }) {
  const known = numbers.filter((name) => (others[name] ?? "") !== "" && (name !== "sd" || counts === "sum"));
  return {
    size: { counts, direction, ...Object.fromEntries(known.map((name) => [name, Number(others[name])])) },
  };
}
