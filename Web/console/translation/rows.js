// All texts of an app as rows: the texts of string tables, and the texts in flows' recipes.

import { isRead } from "../../shared/languages.js";
import { get, path } from "../api.js";
import { pointerOf } from "../document/pointers.js";
import { compare } from "../texts.js";
import { partsOf } from "./edits.js";

/**
 * @typedef {import("../recipes.js").Recipe} Recipe
 * @typedef {{recipe: string | null, state: string, pointer: string}} Use a place that names the text; no recipe: the manifest
 * @typedef {{slug: string, step: string, key: string}} FlowPlace
 * @typedef {{id: string, table: string, key: string, texts: Map<string, string>, uses: Use[], flow?: FlowPlace, ownLocale?: string}} Row
 *   `ownLocale` is the language of a flow's own texts
 * @typedef {{recipe: string, state: string, pointer: string, text: string}} Plain a text of a recipe that is no id
 * @typedef {{fallback: string, locales: string[], rows: Row[], plain: Plain[], drafts: Map<string, number>}} Texts `fallback` is
 *   the default language; `drafts` has the revision of each language that has a draft
 */

/** The maximum number of flows that are searched for their own texts. */
const maximumFlows = 100;
/** The first character of ids of texts in flows; ids of tables never contain it. */
const flowMark = "\u{1}";

/** @param {string} app @param {Recipe[]} recipes @param {AbortSignal} signal @returns {Promise<Texts>} */
export async function loadTexts(app, recipes, signal) {
  const flows = recipes.filter(({ kind, state }) => kind === "flow" && state !== "ended").slice(0, maximumFlows);
  const [body, manifest, ...documents] = await Promise.all([
    get(path("apps", app, "texts"), { signal }),
    get(path("apps", app, "manifest"), { signal }),
    ...flows.map(({ slug }) => get(path("apps", app, "recipes", slug), { signal })),
  ]);
  const fallback = String(manifest.default_locale ?? "en");
  const rows = [
    ...body.texts.map(rowOf),
    ...flows.flatMap((recipe, place) => flowRows(recipe, documents[place], fallback)),
  ];
  const named = body.locales.map((/** @type {{locale: string}} */ { locale }) => locale);
  const locales = new Set([fallback, ...named, ...rows.flatMap(({ texts }) => [...texts.keys()])]);
  /** @type {Map<string, number>} */
  const drafts = new Map();
  for (const { locale, draft_revision: revision } of body.locales) if (revision) drafts.set(locale, revision);
  const plain = (body.plain ?? []).filter((/** @type {Plain} */ { state }) => state !== "ended");
  return { fallback, locales: [...locales], rows, plain, drafts };
}

/** @param {{id: string, in: Record<string, string>, used_by: Use[]}} text @returns {Row} */
function rowOf({ id, in: texts, used_by: uses }) {
  const [table, key] = partsOf(id);
  return { id, table, key, texts: new Map(Object.entries(texts)), uses: uses.filter(({ state }) => state !== "ended") };
}

/**
 * The texts of a flow's steps: each key of `localizations`. If no table has the text of the default language, it is the
 * text in the step itself.
 * @param {Recipe} recipe @param {API.Document} document @param {string} fallback @returns {Row[]}
 */
function flowRows(recipe, document, fallback) {
  const steps = Array.isArray(document?.steps) ? document.steps : [];
  return steps.flatMap((step, /** @type {number} */ place) => {
    const tables = tablesOf(step);
    const own = String(step.config?.default_locale ?? step.default_locale ?? fallback);
    const keys = new Set(Object.values(tables.value).flatMap((table) => Object.keys(table ?? {})));
    return [...keys].map((key) => {
      /** @type {Map<string, string>} */
      const texts = new Map();
      for (const [locale, table] of Object.entries(tables.value)) {
        if (typeof table?.[key] === "string") texts.set(locale, table[key]);
      }
      const original = textAt(step.config, key)?.text;
      if (!texts.has(own) && original !== undefined) texts.set(own, original);
      return {
        id: [flowMark, recipe.slug, step.id, key].join("\n"),
        table: recipe.name || recipe.slug,
        key: `${step.id} › ${key}`,
        texts,
        uses: [{ recipe: recipe.slug, state: recipe.state, pointer: `/steps/${place}` }],
        flow: { slug: recipe.slug, step: String(step.id), key },
        ownLocale: own,
      };
    });
  });
}

/**
 * The tables of a step, and their pointer.
 * @param {any} step
 * @returns {{pointer: string, value: Record<string, Record<string, string>>}}
 */
export function tablesOf(step) {
  if (step?.config?.localizations) return { pointer: "/config/localizations", value: step.config.localizations };
  return {
    pointer: step?.localizations ? "/localizations" : "/config/localizations",
    value: step?.localizations ?? {},
  };
}

/**
 * The text of a key, which is a path of members, ids of elements and indexes.
 * @param {any} config @param {string} key @returns {{text: string, pointer: string} | undefined}
 */
export function textAt(config, key) {
  let value = config;
  /** @type {(string | number)[]} */
  const keys = [];
  for (const part of key.split(".")) {
    const byId = Array.isArray(value) ? value.findIndex((item) => item?.id === part) : -1;
    const next = byId >= 0 ? byId : part;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, next)) return undefined;
    value = value[next];
    keys.push(next);
  }
  return typeof value === "string" ? { text: value, pointer: pointerOf(keys) } : undefined;
}

/**
 * Whether clients of a language would get a used text in another language.
 * @param {Row} row @param {string} locale @param {(locale: string) => string} text the stored or typed text
 */
export function isMissing(row, locale, text) {
  if (row.uses.length === 0 || text(locale) !== "") return false;
  return ![...row.texts.keys()].some((other) => isRead(other, locale) && text(other) !== "");
}

/** @param {Row} left @param {Row} right */
export const byPlace = (left, right) => compare(left.table, right.table) || compare(left.key, right.key);
