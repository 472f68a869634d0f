// The recipes of an app in the list, and the actions on each.

import { get, path, Problem, write } from "./api.js";
import { confirm } from "./elements/dialog.js";
import { toast } from "./elements/toast.js";
import { can, session } from "./session.js";
import { t } from "./texts.js";

/**
 * @typedef {{slug: string, name: string | null, kind: string, state: "draft" | "live" | "paused" | "ended",
 *   state_since: string | null, revision: number, in_force: number | null, draft_revision: number | null,
 *   draft: {revision: number, author: string | null, at: string} | null, author: string | null, read_only: boolean,
 *   approved_by?: string | null,
 *   in_force_at: string | null, published_at: string, starts: string | null, ends: string | null, surfaces: string[], features: string[],
 *   keys: string[], branches: string[], presents: string[], hosted: boolean, malformed: boolean,
 *   not_served: {reason: string, date: string | null} | null, owner?: string | null, labels?: string[],
 *   archived?: boolean, sent_back?: {revision: number, comment: string, author: string, at: string} | null,
 *   paused_by?: {kind: string, goal: string, branch: string, at: string} | null,
 *   warnings?: number, missing?: Record<string, number>}} Recipe
 */

/**
 * The address of the list with archived recipes: the palette finds them, and the list shows them on request.
 * @param {string} app
 */
const listAddress = (app) => `${path("apps", app, "recipes")}?archived=all`;

/**
 * The places of a recipe: its surfaces, the messages that present it, its own page.
 * @param {Recipe} recipe
 * @param {Recipe[]} all
 */
export function placesOf(recipe, all) {
  if (recipe.surfaces.length > 0) return recipe.surfaces.join(", ");
  const presenters = all.filter((other) => other.presents.includes(recipe.slug)).map(nameOf);
  if (presenters.length > 0) return t("list.presented", { names: presenters.join(", ") });
  return recipe.hosted ? t("recipe.page") : "—";
}

/** @param {Recipe} recipe */
export const nameOf = (recipe) => recipe.name || recipe.slug;

/** The displayed state: a live recipe may wait for its start. @param {Recipe} recipe */
export const shownState = (recipe) =>
  recipe.state === "live" && recipe.not_served ? recipe.not_served.reason : recipe.state;

/** @param {string} app @param {string} slug @param {string} section @returns {string} */
export const recipeLink = (app, slug, section = "") =>
  `/console/a/${encodeURIComponent(app)}/r/${encodeURIComponent(slug)}${section && `/${section}`}`;

/** @param {string} app */
export const newLink = (app) => `/console/a/${encodeURIComponent(app)}/new`;

/** The address of a new recipe that is a copy of this one. @param {string} app @param {string} slug */
export const copyLink = (app, slug) => `${newLink(app)}?from=${encodeURIComponent(slug)}`;

/** Whether the signed-in person may pause, resume or end it here. @param {Recipe} recipe */
export const isChangeable = (recipe) => isEditable(recipe) && (recipe.state === "live" || recipe.state === "paused");

/** Whether the signed-in person may write another revision here. An ended recipe stays ended. @param {Recipe} recipe */
export const isEditable = (recipe) => !recipe.read_only && recipe.state !== "ended" && can("publish");

/** Whether the signed-in person may put its draft live. A reviewer may so with drafts of others. @param {Recipe} recipe */
export const isReviewable = (recipe) =>
  !!recipe.draft && !recipe.read_only && recipe.state !== "ended" &&
  (can("publish") || (can("review") && recipe.draft.author !== session().name));

/** @type {Set<(app: string) => void>} */
const observers = new Set();

/**
 * Calls the observer after each change by this page. Returns a function that removes the observer.
 * @param {(app: string) => void} observer
 */
export function onChange(observer) {
  observers.add(observer);
  return () => observers.delete(observer);
}

/** Notifies the observers of a change in an app. @param {string} app */
export const changed = (app) => observers.forEach((observer) => observer(app));

/**
 * Pauses or resumes at once; Undo reverts it. There is no confirmation, because nothing is lost.
 * @param {string} app
 * @param {Recipe} recipe
 */
export async function toggle(app, recipe) {
  const isLive = recipe.state === "live";
  const name = nameOf(recipe);
  const shown = { ...recipe };
  const change = (/** @type {string} */ state) => setState(app, shown, state);
  if (!await change(isLive ? "paused" : "live")) return;
  // A second press before the list is reloaded means the opposite.
  recipe.state = isLive ? "paused" : "live";
  toast(t(isLive ? "toast.paused" : "toast.resumed", { name }), {
    label: t("action.undo"),
    run: () => change(isLive ? "live" : "paused"),
  });
}

/** @param {string} app @param {Recipe} recipe */
export async function end(app, recipe) {
  const name = nameOf(recipe);
  const isSure = await confirm({ title: t("end.title", { name }), body: t("end.body"), action: t("end.do") });
  if (isSure && await setState(app, recipe, "ended")) toast(t("toast.ended", { name }));
}

/**
 * Pauses, resumes or ends the revision that the page shows as the one in force. A draft stays a draft, and another
 * revision that has been published since is refused.
 * @param {string} app @param {Recipe} recipe @param {string} state
 */
export const putState = (app, { slug, in_force: revision }, state) =>
  write("POST", path("apps", app, "recipes", slug, "state"), { state, revision });

/** Changes the note of a recipe. @param {string} app @param {string} slug @param {Record<string, unknown>} change */
export const putNote = (app, slug, change) => write("PATCH", path("apps", app, "recipes", slug, "note"), change);

/** @param {string} app @param {Recipe} recipe @param {string} state @returns {Promise<boolean>} whether it succeeded */
const setState = (app, recipe, state) => tried(app, putState(app, recipe, state));

/** Archives an ended recipe, or restores it. @param {string} app @param {Recipe} recipe */
export async function archive(app, recipe) {
  const archived = !recipe.archived;
  if (!await tried(app, putNote(app, recipe.slug, { archived }))) return;
  toast(t(archived ? "toast.archived" : "toast.unarchived", { name: nameOf(recipe) }), {
    label: t("action.undo"),
    run: () => void tried(app, putNote(app, recipe.slug, { archived: !archived })),
  });
}

/** Whether an attempt succeeded; a failure is shown. @param {string} app @param {Promise<unknown>} attempt */
export async function tried(app, attempt) {
  try {
    await attempt;
    return true;
  } catch (error) {
    toast(sentence(error));
    return false;
  } finally {
    changed(app);
  }
}

/** The sentence for a failure. @param {unknown} error */
export function sentence(error) {
  if (!(error instanceof Problem)) return String(error);
  if (error.status === 503) return t("error.store");
  if (error.status === 412) return t("error.moved");
  return error.message || t("error.title");
}

/** @param {string} app @param {AbortSignal} signal @param {(list: Recipe[]) => void} onNewer @returns {Promise<Recipe[]>} */
export async function load(app, signal, onNewer) {
  const body = await get(listAddress(app), { signal, onNewer: (newer) => onNewer(newer.recipes) });
  return body.recipes;
}

/**
 * Loads the newest list, even if a list is in memory.
 * @param {string} app
 * @param {AbortSignal} signal
 * @returns {Promise<Recipe[]>}
 */
export const reload = (app, signal) => get(listAddress(app), { signal }).then((body) => body.recipes);
