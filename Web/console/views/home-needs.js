// The recipes that need attention: drafts, missing texts, answers, recipes that end soon.

import { runOf } from "../kinds.js";
import { get, path } from "../api.js";
import { h } from "../../shared/dom.js";
import { time } from "../elements/parts.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { can, session } from "../session.js";
import { currentLanguage, t } from "../texts.js";

/**
 * @typedef {import("../recipes.js").Recipe} Recipe
 * @typedef {{recipe: Recipe, submitted: number, begun: number, hasMore: boolean}} Answered
 */

const day = 86_400_000;
/** The number of days within which an ending recipe is listed. */
const soonDays = 7;
/** The maximum number of recipes, and of counted responses for each, since yesterday. */
const answeredBound = 5;
const responsesBound = 100;

/** @param {string} picture @param {string} text @param {any[]} end */
export const row = (picture, text, end) =>
  h("li", {}, icon(picture), h("span", {}, text), h("span", { class: "end" }, end));

/** @param {string} app @param {Recipe[]} list @param {Answered[]} answered */
export function needs(app, list, answered) {
  const now = Date.now();
  const ending = list.filter(({ state, ends }) => state === "live" && ends && Date.parse(ends) - now < soonDays * day);
  return [
    ...drafts(app, list),
    ...missing(app, list),
    ...answered.map(({ recipe, submitted, begun, hasMore }) =>
      row("message", t(`home.responses${hasMore ? ".more" : ""}${begun > 0 ? ".begun" : ""}`, { submitted, begun }), [
        h("span", { class: "muted" }, recipes.nameOf(recipe)),
        link(app, recipe, "responses", t("home.read")),
      ])
    ),
    ...ending.map((recipe) =>
      row("clock", t("home.ends", { name: recipes.nameOf(recipe) }), [
        time(recipe.ends),
        link(app, recipe, "", t("home.look")),
      ])
    ),
  ];
}

/** @param {string} app @param {Recipe} recipe @param {string} section @param {string} text */
export const link = (app, recipe, section, text) =>
  h("a", { href: recipes.recipeLink(app, recipe.slug, section) }, text);

/**
 * The drafts. Other people's drafts wait for a review; returned drafts wait for their author.
 * @param {string} app
 * @param {Recipe[]} list
 */
function drafts(app, list) {
  if (!can("publish") && !can("review")) return [];
  const me = session().name;
  const isMine = (/** @type {Recipe} */ { draft }) => draft?.author === me;
  const rank = (/** @type {Recipe} */ recipe) => recipe.sent_back ? (isMine(recipe) ? 0 : 3) : isMine(recipe) ? 2 : 1;
  // Who may only review has nothing to do with other drafts.
  const isFor = (/** @type {Recipe} */ recipe) => can("publish") || (recipes.isReviewable(recipe) && !recipe.sent_back);
  const waiting = list.filter((recipe) => recipe.draft && recipe.state !== "ended" && isFor(recipe))
    .sort((left, right) => rank(left) - rank(right));
  return waiting.map((recipe) => {
    const name = recipes.nameOf(recipe);
    const { draft, sent_back: sent } = recipe;
    const words = sent && isMine(recipe)
      ? t("home.back", { name, ...sent })
      : sent
      ? t("home.sent", { name, revision: draft?.revision })
      : t(isMine(recipe) ? "home.own" : "home.draft", { name, revision: draft?.revision });
    const edits = sent && isMine(recipe);
    const section = edits ? "edit" : recipe.read_only ? "history" : "publish";
    return row(sent ? "warning" : "pencil", words, [
      h("span", { class: "muted" }, isMine(recipe) ? "" : draft?.author ?? "", " ", time(sent?.at ?? draft?.at)),
      link(app, recipe, section, t(edits ? "action.edit" : "action.review")),
    ]);
  });
}

/** The missing texts of each language, over all recipes. @param {string} app @param {Recipe[]} list */
function missing(app, list) {
  /** @type {Map<string, {count: number, recipes: Recipe[]}>} */
  const locales = new Map();
  for (const recipe of list.filter(({ state }) => state !== "ended")) {
    for (const [locale, count] of Object.entries(recipe.missing ?? {})) {
      const entry = locales.get(locale) ?? { count: 0, recipes: [] };
      locales.set(locale, { count: entry.count + count, recipes: [...entry.recipes, recipe] });
    }
  }
  const names = new Intl.DisplayNames(currentLanguage(), { type: "language" });
  return [...locales].filter(([, { count }]) => count > 0).map(([locale, entry]) =>
    row("list", t("home.missing", { count: entry.count, language: names.of(locale) ?? locale }), [
      h("span", { class: "muted" }, t("home.missing.in", { count: entry.recipes.length })),
      h("a", {
        href: `/console/a/${encodeURIComponent(app)}/texts?show=missing&locale=${encodeURIComponent(locale)}`,
      }, t(can("texts") ? "home.fill" : "home.look")),
    ])
  );
}

/**
 * The recipes with answers since yesterday, and their counts.
 * @param {string} app
 * @param {Recipe[]} list
 * @param {AbortSignal} signal
 * @returns {Promise<Answered[]>}
 */
export async function answeredSince(app, list, signal) {
  if (!can("respond")) return [];
  const since = Date.now() - day;
  /** @type {{recipes: API.CountedRecipe[]}} */
  const counted = await get(`${path("apps", app, "recipes")}?counts=true`, { signal });
  const newest = (/** @type {API.CountedRecipe} */ item) => Date.parse(item.counts?.last_at ?? "") || 0;
  const recent = counted.recipes.filter((item) => runOf(item.kind)?.hasDrafts && newest(item) > since)
    .sort((left, right) => newest(right) - newest(left)).slice(0, answeredBound);
  const found = recent.map(async ({ slug, kind }) => {
    const query = new URLSearchParams({
      limit: String(responsesBound),
      from: new Date(since).toISOString().slice(0, 10),
    });
    /** @type {{items: API.ResponseItem[]}} */
    const body = await get(`${path("apps", app, `${kind}s`, slug, "responses")}?${query}`, { signal });
    const items = body.items.filter(({ created_at: at }) => Date.parse(at) > since);
    const begun = items.filter(({ status }) => status === "draft").length;
    const recipe = list.find((recipe) => recipe.slug === slug);
    return recipe && items.length > 0
      ? [{ recipe, submitted: items.length - begun, begun, hasMore: items.length === responsesBound }]
      : [];
  });
  return (await Promise.all(found)).flat();
}
