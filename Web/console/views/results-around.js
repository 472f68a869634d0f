// What results of runs are shown with: the clients that saw a recipe, and the sizes of branches.

import { filtersOf, resultsQuery } from "../answers-query.js";
import { get, path } from "../api.js";

/**
 * Loads the results of messages that present a recipe.
 * @param {import("./results.js").Of} of
 * @param {URLSearchParams} query
 * @param {Partial<API.Document>} document the recipe
 */
export async function resultsAround({ app, recipe, all, signal }, query, { steps = [] }) {
  const presenters = all.filter((other) => other.presents.includes(recipe.slug)).slice(0, 3);
  const isNarrow = [...filtersOf(query)].some(([name]) => name !== "from" && name !== "to");
  const asked = resultsQuery(new URLSearchParams(isNarrow ? [] : filtersOf(query)), "experiment");
  const found = await Promise.all(
    presenters.map(({ slug }) =>
      get(`${path("apps", app, "results", slug)}?${asked}`, { signal }).catch(() => undefined)
    ),
  );
  const known = found.filter(Boolean);
  const funnels = known.flatMap(({ messages }) => messages).filter((
    { is_microsurvey: asks, is_control: isControl },
  ) => !asks && !isControl);
  const isTold = presenters.length === 1 && funnels.length === 1 && !isNarrow;
  return {
    titles: Object.fromEntries(
      steps.map(({ id, title }) => [id, typeof title === "string" ? title : id]),
    ),
    presented: isTold ? funnels[0].funnel.all.shown.clients : null,
    enrollments: known.filter(({ enrollment }) => enrollment).map(({ recipe, enrollment }) => ({
      slug: recipe,
      enrollment,
    })),
  };
}
