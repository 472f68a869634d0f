// The stages in which the share of a recipe grows.

/** @typedef {{count: number, at?: string, guards?: boolean}} Stage */

/**
 * The stages of a document in their order.
 * @param {API.Document} document
 * @returns {{share: number, stage: Stage, state: "reached" | "next" | "later"}[]}
 */
export function stagesOf({ stages, bucketConfig }) {
  const { count = 0, total = 10_000 } = bucketConfig ?? {};
  /** @type {Stage[]} */
  const all = Array.isArray(stages) ? stages.filter((stage) => typeof stage?.count === "number") : [];
  const next = all.findIndex((stage) => stage.count > count);
  return all.map((stage, place) => ({
    share: stage.count / total,
    stage,
    state: stage.count <= count ? "reached" : place === next ? "next" : "later",
  }));
}

/** What a stage waits for, as a key of texts. @param {Stage} stage */
export const waitsFor = ({ at, guards }) => guards ? at ? "both" : "guards" : at ? "time" : "hand";
