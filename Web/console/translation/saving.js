// Saves typed texts on the daemon: it tries a save without storing, and merges another author's newer texts.

import { get, path, Problem, readText, write, writeText } from "../api.js";
import { patched } from "../document/patch.js";
import { applied, meet } from "./edits.js";
import { valueAt } from "../document/pointers.js";
import { tablesOf, textAt } from "./rows.js";

/**
 * @typedef {import("./edits.js").Edit} Edit
 * @typedef {import("./edits.js").Meeting} Meeting
 * @typedef {import("./rows.js").Row} Row
 * @typedef {{saved: Edit[], meetings: Meeting[], warnings: {message: string}[]}} Saved
 * @typedef {{address: string, read: (document: any, edit: Edit) => string, apply: (document: any, edits: Edit[]) => any,
 *   isStrings: boolean}} Target the document of some edits
 */

/** The maximum attempts of a save: another author may save between its read and its write. */
const maximumAttempts = 5;

/** @param {string} app @param {string} locale @returns {Target} */
const stringsTarget = (app, locale) => ({
  address: path("apps", app, "strings", locale),
  isStrings: true,
  read: (document, { id }) => {
    const slash = id.indexOf("/");
    return document[id.slice(0, slash)]?.[id.slice(slash + 1)] ?? "";
  },
  apply: applied,
});

/** @param {string} app @param {string} slug @param {Map<string, Row>} rows @returns {Target} */
const flowTarget = (app, slug, rows) => ({
  address: path("apps", app, "recipes", slug),
  isStrings: false,
  read: (document, edit) => {
    const place = flowPlace(document, rows.get(edit.id), edit.locale);
    return place ? valueAt(document, place) ?? "" : "";
  },
  apply: (document, edits) => {
    const changed = structuredClone(document);
    for (const edit of edits) put(changed, flowPlace(changed, rows.get(edit.id), edit.locale), edit.text);
    return changed;
  },
});

/**
 * The pointer of a text in a flow's document, even if the text is missing.
 * @param {API.Document} document
 * @param {Row | undefined} row
 * @param {string} locale
 */
function flowPlace(document, row, locale) {
  const { step: id, key } = row?.flow ?? { step: "", key: "" };
  const place = document.steps?.findIndex((step) => step?.id === id) ?? -1;
  if (place < 0) return undefined;
  const step = document.steps[place];
  const tables = tablesOf(step);
  const own = row?.ownLocale === locale && !tables.value[locale]?.[key] ? textAt(step.config, key) : undefined;
  if (own) return `/steps/${place}/config${own.pointer}`;
  const escaped = [locale, key].map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"));
  return `/steps/${place}${tables.pointer}/${escaped.join("/")}`;
}

/** @param {API.Document} document @param {string | undefined} pointer @param {string} text */
function put(document, pointer, text) {
  if (pointer === undefined) return;
  const keys = pointer.slice(1).split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop() ?? "";
  const outer = keys.reduce((value, key) => value[key] ??= {}, document);
  if (text === "") delete outer[last];
  else outer[last] = text;
}

/**
 * The documents that edits change, each with its edits.
 * @param {string} app
 * @param {Edit[]} edits
 * @param {Map<string, Row>} rows
 */
export function targetsOf(app, edits, rows) {
  /** @type {Map<string, {target: Target, edits: Edit[]}>} */
  const targets = new Map();
  for (const edit of edits) {
    const flow = rows.get(edit.id)?.flow;
    const target = flow ? flowTarget(app, flow.slug, rows) : stringsTarget(app, edit.locale);
    const entry = targets.get(target.address) ?? { target, edits: [] };
    entry.edits.push(edit);
    targets.set(target.address, entry);
  }
  return [...targets.values()];
}

/**
 * Saves edits of one document as a draft. If the daemon reports a fault (a `Problem`), nothing is stored.
 * @param {Target} target @param {Edit[]} edits @returns {Promise<Saved>}
 */
export async function saveDraft(target, edits) {
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const stored = await readText(target.address).catch(absent);
    const document = JSON.parse(stored.text);
    const { kept, same, meetings } = meet(edits, (edit) => target.read(document, edit));
    if (meetings.length > 0 || kept.length === 0) return { saved: same, meetings, warnings: [] };
    const text = patched(stored.text, target.apply(document, kept));
    try {
      const answer = await putDraft(target, text, stored.etag);
      return { saved: edits, meetings, warnings: answer.body?.warnings ?? [] };
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status !== 412) throw problem;
    }
  }
  throw new Problem(412, {});
}

/**
 * Stores a draft after a dry run, so that a fault is reported before anything is stored.
 * @param {Target} target
 * @param {string} text
 * @param {string} etag
 */
async function putDraft(target, text, etag) {
  /** @type {Record<string, string>} */
  const condition = etag === "" ? { "If-None-Match": "*" } : { "If-Match": etag };
  if (target.isStrings) await writeText("PUT", `${target.address}?dry_run=true`, text, condition);
  return writeText("PUT", `${target.address}?state=draft`, text, condition);
}

/** @param {unknown} error */
function absent(error) {
  if (error instanceof Problem && error.status === 404) return { text: "{}", etag: "" };
  throw error;
}

/** The daemon's findings for a publish of a language's draft. @param {string} app @param {string} locale */
export async function tryDraft(app, locale) {
  const address = path("apps", app, "strings", locale);
  const stored = await readText(address);
  const { body } = await writeText("PUT", `${address}?dry_run=true`, stored.text, { "If-Match": stored.etag });
  return body?.warnings ?? [];
}

/** Puts the draft live that the page shows. @param {string} app @param {string} locale @param {number} revision */
export const publishDraft = (app, locale, revision) =>
  write("POST", path("apps", app, "strings", locale, "state"), { state: "live", revision });

/** Discards the draft; the effective texts stay. @param {string} app @param {string} locale */
export async function discardDraft(app, locale) {
  const address = path("apps", app, "strings", locale);
  const { etag } = await readText(address);
  await write("DELETE", `${address}/draft`, undefined, { "If-Match": etag });
}

/** A recipe's document, for the preview. @param {string} app @param {string} slug @param {AbortSignal} signal */
export const loadDocument = (app, slug, signal) => get(path("apps", app, "recipes", slug), { signal });
