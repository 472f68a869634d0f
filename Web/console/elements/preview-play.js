// The requests of a preview's frame while a person uses it. The daemon plays the shown document, and stores nothing
// (docs/reference/http-api.md#simulation).

import { consult, get, path, Problem } from "../api.js";

/** @typedef {{status: number, body: any}} Answer in the format of the routes for respondents */

/** @param {Promise<any>} asking @returns {Promise<Answer>} */
async function answered(asking) {
  try {
    return { status: 200, body: await asking };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { status: problem.status, body: problem.body };
  }
}

/**
 * Plays a document; its text is sent unchanged.
 * @param {{app: string, slug: string, text: string}} document
 * @param {any} question
 * @param {AbortSignal} [signal]
 */
export function simulate({ app, slug, text }, question, signal) {
  const rest = JSON.stringify({ ...question, slug, document: undefined });
  return consult(path("apps", app, "recipes", "simulate"), `${rest.slice(0, -1)},"document":${text}}`, signal);
}

/** Plays a document for the frame. @param {{app: string, slug: string, text: string}} document @param {any} question */
export const play = (document, question) => answered(simulate(document, question));

/** The places whose names begin with a text. @param {string} app @param {any} question */
export function findPlaces(app, question) {
  const known = Object.entries(question ?? {}).filter(([, value]) =>
    typeof value === "string" || typeof value === "number"
  );
  const query = new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
  return answered(get(`${path("apps", app, "locations")}?${query}`));
}
