// Changes an experiment into a rollout of its winner
// (docs/decisions/archive/0117-a-winner-is-rolled-out-by-its-experiments-own-recipe.md).

import { JSONDocument } from "./document.js";

/**
 * A new recipe that rolls out the winner of an experiment that has ended. It has the winner's branch alone, because
 * no client is enrolled in another one any more.
 * @param {string} text
 * @param {string} winner
 * @param {boolean} isForAll whether the whole audience gets it, or only the experiment's share
 * @param {string} slug the slug of the new recipe
 * @returns {string}
 */
export function rolledOutAnew(text, winner, isForAll, slug) {
  const document = new JSONDocument(rolledOut(text, winner, isForAll));
  const branches = /** @type {any[]} */ (document.get("/branches"));
  document.set("/branches", branches.filter((branch) => branch.slug === winner));
  for (const name of ["/slug", "/id"]) if (document.get(name) !== undefined) document.set(name, slug);
  if (document.get("/startDate")) document.set("/startDate", null);
  return document.text;
}

/**
 * The recipe as a rollout of one branch. All branches stay, so that clients in other branches stay enrolled. All of
 * them set the winner's values, and other branches enroll no new clients.
 * @param {string} text
 * @param {string} winner
 * @param {boolean} isForAll whether the whole audience gets it, or only the experiment's share
 * @returns {string}
 */
export function rolledOut(text, winner, isForAll) {
  const document = new JSONDocument(text);
  const branches = /** @type {any[]} */ (document.get("/branches"));
  const own = branches.find(({ slug }) => slug === winner);
  document.set("/isRollout", true);
  branches.forEach((branch, place) => {
    const pointer = `/branches/${place}`;
    const ratio = branch === own ? 1 : 0;
    if (branch.ratio !== ratio) document.set(`${pointer}/ratio`, ratio);
    if (branch === own) return;
    for (const name of ["features", "feature"]) {
      if (JSON.stringify(branch[name]) === JSON.stringify(own[name])) continue;
      if (own[name] === undefined) document.remove(`${pointer}/${name}`);
      else document.set(`${pointer}/${name}`, own[name]);
    }
  });
  if (isForAll) {
    document.set("/bucketConfig/start", 0);
    document.set("/bucketConfig/count", document.get("/bucketConfig/total") ?? 10_000);
  }
  if (document.get("/isEnrollmentPaused") === true) document.set("/isEnrollmentPaused", false);
  if (document.get("/endDate")) document.set("/endDate", null);
  if (document.get("/referenceBranch")) document.set("/referenceBranch", winner);
  return document.text;
}
