// The results of a recipe so far, each share with its interval.

import { get, path } from "../api.js";
import { nps as scored, wilson } from "../statistics.js";

/**
 * @typedef {{key: string, value: number | null, share?: number, interval?: [number, number] | null, of?: string,
 *   between?: [number, number]}} Figure
 *   `value` is null if too few clients are counted; `of` names the whole of the share; `between` is the
 *   interval of a value that is not a share
 */

/** @param {string} app @param {import("../recipes.js").Recipe} recipe @param {AbortSignal} signal @returns {Promise<Figure[]>} */
export async function loadFigures(app, recipe, signal) {
  const results = await get(path("apps", app, "results", recipe.slug), { signal });
  return Array.isArray(results.messages) ? ofMessages(results) : ofRuns(results);
}

/** The clients of all messages together. @param {API.Results} results @returns {Figure[]} */
function ofMessages({ messages }) {
  const steps = ["shown", "started", "answered", "dismissed"];
  const total = (/** @type {string} */ step) => {
    const counts = messages.map((message) => message.funnel?.all?.[step]?.clients);
    if (counts.some((/** @type {unknown} */ count) => count === null)) return null;
    return counts.reduce((/** @type {number} */ sum, /** @type {number | undefined} */ count) => sum + (count ?? 0), 0);
  };
  const shown = total("shown");
  // A card is started by a press of its button.
  const isPressed = messages.every((message) => !message.is_microsurvey);
  if (shown === 0) return [];
  return steps.map((key) => ({
    key: key === "started" && isPressed ? "clicked" : key,
    value: total(key),
    ...(key === "shown" ? {} : shareOf(total(key), shown, "shown")),
  }))
    .filter(({ key, value }) => key === "shown" || value !== 0);
}

/** @param {API.Results} results @returns {Figure[]} */
function ofRuns(results) {
  const started = results.total_responses ?? results.started;
  const submitted = results.submitted_count ?? results.completed;
  if (typeof started !== "number" || started === 0) return [];
  const nps = results.questions?.find(({ type, score }) => type === "nps" && typeof score === "number");
  return [
    { key: "started", value: started },
    ...(typeof submitted === "number"
      ? [{ key: "submitted", value: submitted, ...shareOf(submitted, started, "started") }]
      : []),
    ...(nps ? [{ key: "nps", value: nps.score, ...betweenOf(nps) }] : []),
  ];
}

/** The interval of a score. @param {any} question @returns {{between?: [number, number]}} */
function betweenOf({ promoters, passives, detractors }) {
  if ([promoters, passives, detractors].some((count) => typeof count !== "number")) return {};
  const [low, high] = scored(promoters, passives, detractors)?.interval ?? [];
  return low === undefined || high === undefined ? {} : { between: [Math.round(low), Math.round(high)] };
}

/** @param {number | null} count @param {number | null} total @param {string} of */
function shareOf(count, total, of) {
  if (count === null || !total || count > total) return {};
  return { share: count / total, interval: wilson(count, total), of };
}
