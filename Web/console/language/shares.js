// The share of an audience, and the stages in which it grows, in words.

import { stagesOf, waitsFor } from "../document/stages.js";
import { moment, number, t } from "../texts.js";

/** @typedef {import("../document/stages.js").Stage} Stage */

/** @param {number} share */
export const percent = (share) => number(share, { style: "percent", maximumFractionDigits: 1 });

/** A part of a whole as a percentage. @param {unknown} part @param {unknown} whole */
const shareOf = (part, whole) => percent(Number(whole) > 0 ? Number(part ?? 0) / Number(whole) : 0);

/** The share of the audience that a document draws. @param {API.Document} document */
export function drawnShare({ bucketConfig }) {
  const { count = 0, total = 10_000 } = bucketConfig ?? {};
  return shareOf(count, total);
}

/** The ratio of a branch as a share of all branches. @param {API.Document} document @param {number} place */
export function branchShare({ branches }, place) {
  const ratios = (Array.isArray(branches) ? branches : []).map((branch) => Number(branch?.ratio ?? 0));
  return shareOf(ratios[place], ratios.reduce((sum, ratio) => sum + ratio, 0));
}

/** @param {Stage} stage */
function timeOf({ at }) {
  const time = new Date(at ?? NaN);
  return Number.isNaN(time.getTime()) ? String(at) : moment(time);
}

/**
 * The stages of a document that come, after its share of now.
 * @param {API.Document} document
 * @returns {string | undefined} undefined if it has none
 */
export function stagesInWords(document) {
  const stages = stagesOf(document);
  if (stages.length === 0) return undefined;
  const told = stages.filter(({ state }) => state !== "reached").map(({ share, stage }) =>
    t(`stage.${waitsFor(stage)}`, { share: percent(share), time: timeOf(stage) })
  );
  return [t("stage.now", { share: drawnShare(document) }), ...told].join(", ");
}
