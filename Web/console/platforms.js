// A new app: the manifest that the page "New app" writes, and the lines that an app needs to ask the daemon.

import { isSlug } from "./document/slug.js";

/**
 * @typedef {{name: string, id: string, platform: string, origins: string, locale: string, locales: string,
 *   surfaces: string, attributes: [string, string][], events: string[]}} AppValues what the form has, as it was typed
 * @typedef {{surfaces: string[], attributes: [string, string][], dialect?: string, isWeb?: boolean}} Platform
 * @typedef {{origin: string, app: string, token: string, locale: string}} Connection `token` is empty before one is made
 */

/** A message on the surface `microsurvey` is a question. */
const surfaces = ["home", "microsurvey"];
/** @type {[string, string][]} */
const ofDevices = [["app_version", "string"], ["os_version", "string"]];

/** @type {Record<string, Platform>} What each platform has, if nothing else is said. */
export const platforms = {
  web: { surfaces, attributes: [], isWeb: true },
  ios: { surfaces, attributes: ofDevices, dialect: "ios" },
  android: { surfaces, attributes: ofDevices, dialect: "android" },
  server: { surfaces, attributes: [] },
};

export const attributeTypes = ["string", "number", "boolean", "object", "array"];

/** The names in a text, with spaces or commas between them, each once. @param {string} text */
export const namesIn = (text) => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** The origin of an address that somebody typed; undefined if it is none. @param {string} text */
export function originOf(text) {
  try {
    const scheme = /^[a-z]+:\/\//i.test(text) ? "" : /^localhost\b/i.test(text) ? "http://" : "https://";
    const { origin, protocol } = new URL(scheme + text);
    return /^https?:$/.test(protocol) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** A language tag in its usual form, `de-AT` for `de-at`; undefined for another text. @param {string} text */
export function tagOf(text) {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** @param {string[]} names */
const hasTwice = (names) => new Set(names).size < names.length;

/** The rows that are filled in, without spaces around their names. @param {[string, string][]} rows @returns {[string, string][]} */
const filled = (rows) =>
  rows.map(([name, type]) => /** @type {[string, string]} */ ([name.trim(), type])).filter(([name]) => name !== "");
/** @param {string[]} names */
const named = (names) => names.map((name) => name.trim()).filter(Boolean);

/** The keys of texts for what cannot be right, by the field. @param {AppValues} values @returns {Record<string, string>} */
export function faultsOf({ name, id, platform, origins, locale, locales, surfaces, attributes, events }) {
  /** @type {[string, boolean, string][]} */
  const rules = [
    ["name", name.trim() === "", "begin.noname"],
    ["id", !isSlug(id), "begin.noid"],
    ["origins", !!platforms[platform].isWeb && !namesIn(origins).every(originOf), "begin.noorigin"],
    ["locale", !tagOf(locale.trim()), "begin.nolocale"],
    ["locales", !namesIn(locales).every(tagOf), "begin.nolocale"],
    ["surfaces", namesIn(surfaces).length === 0, "begin.nosurface"],
    ["attributes", hasTwice(filled(attributes).map(([name]) => name)), "begin.twice"],
    ["events", hasTwice(named(events)), "begin.twice"],
  ];
  return Object.fromEntries(rules.flatMap(([field, isFault, key]) => isFault ? [[field, key]] : []));
}

/** The manifest; it has no member that says nothing. @param {AppValues} values */
export function manifestOf(values) {
  const { dialect, isWeb } = platforms[values.platform];
  const origins = isWeb ? namesIn(values.origins).flatMap((text) => originOf(text) ?? []) : [];
  const [attributes, events] = [filled(values.attributes), named(values.events)];
  return {
    app_name: values.name.trim(),
    default_locale: tagOf(values.locale.trim()) ?? "en",
    ...(dialect ? { dialect } : {}),
    surfaces: namesIn(values.surfaces),
    ...(origins.length > 0 ? { web: { origins: [...new Set(origins)] } } : {}),
    ...(attributes.length > 0 ? { attributes: Object.fromEntries(attributes) } : {}),
    ...(events.length > 0 ? { events: Object.fromEntries(events.map((name) => [name, {}])) } : {}),
  };
}

/** The languages beside the default language. @param {AppValues} values */
export function furtherLocales({ locale, locales }) {
  const all = new Set(namesIn(locales).flatMap((text) => tagOf(text) ?? []));
  all.delete(tagOf(locale.trim()) ?? "");
  return [...all];
}

/** @param {string} name */
export const isPlatform = (name) => Object.hasOwn(platforms, name);

/** The platform of an app that is there already. @param {{dialect?: string}} manifest */
export const platformOf = ({ dialect }) => dialect !== undefined && isPlatform(dialect) ? dialect : "web";

/** The fields of the members of a manifest. */
const fields = {
  app_name: "name",
  default_locale: "locale",
  web: "origins",
  surfaces: "surfaces",
  attributes: "attributes",
  events: "events",
};

/** The field of a fault. A fault of the whole document is one of the app's id. @param {string} pointer */
export const fieldOf = (pointer) => /** @type {string} */ (Reflect.get(fields, pointer.split("/")[1] ?? "") ?? "id");

/** The lines that make an app ask: the tag of web pages, or else a request. @param {string} platform @param {Connection} of */
export function linesOf(platform, { origin, app, token, locale }) {
  const shown = token || "…";
  if (platforms[platform]?.isWeb) {
    return `<script async src="${origin}/bellwether.js" data-app="${app}" data-token="${shown}"></script>`;
  }
  const address = `${origin}/v1/apps/${encodeURIComponent(app)}/messages?client_id=me&locale=${locale}`;
  return `curl "${address}" \\\n  -H "Authorization: Bearer ${shown}"`;
}
