// A number of buckets, shown as a percentage of all buckets.

/** @param {unknown} count @param {number} total @returns {unknown} a percentage with at most four decimals */
export const percentOf = (count, total) =>
  typeof count === "number" && total > 0 ? Math.round(count / total * 1_000_000) / 10_000 : count;

/** @param {number} percent @param {number} total */
export const countOf = (percent, total) => Math.round(percent / 100 * total);

/**
 * A document whose counts of buckets are percentages.
 * @param {import("./fields.js").FormContext["document"]} document
 */
export function portions(document) {
  const total = () => {
    const value = document.get("/bucketConfig/total");
    return typeof value === "number" && value > 0 ? value : 10_000;
  };
  return {
    get: (/** @type {string} */ pointer) => percentOf(document.get(pointer), total()),
    set: (/** @type {string} */ pointer, /** @type {unknown} */ value) =>
      document.set(pointer, typeof value === "number" ? countOf(value, total()) : value),
    remove: (/** @type {string} */ pointer) => document.remove(pointer),
  };
}
