// The console's own texts, in the current language.

import en from "./texts/en.js";
import { languages } from "./texts/languages.js";

/** @type {Record<string, string>} The English texts, which are the fallback of every other language. */
let english = en;
/** @type {Record<string, string>} The texts of the current language, if it is not English. */
let own = {};
let language = "en";
const settingKey = "bellwether-language";

/** Adds the English texts of a page. @param {Record<string, string>} table */
export function addTexts(table) {
  english = { ...english, ...table };
}

/** Loads texts of pages in the current language. If they cannot be loaded, English is used. @param {...string} names */
async function needTexts(...names) {
  const load = languages[language];
  if (!load) return;
  const tables = await Promise.all(names.map((name) => load[name]?.().catch(() => undefined)));
  for (const table of tables) own = { ...own, ...table?.default };
}

/**
 * Loads a module on demand, with its texts in the current language.
 * @template T
 * @param {() => Promise<T>} load
 * @param {...string} names the names of its texts
 * @returns {Promise<T>}
 */
export async function later(load, ...names) {
  const [module] = await Promise.all([load(), needTexts(...names)]);
  return module;
}

export const currentLanguage = () => language;

/** The languages of the console. */
export const spoken = ["en", ...Object.keys(languages)];

/** The language that was chosen in this browser; empty: the browser's language. */
export const chosenLanguage = () => localStorage.getItem(settingKey) ?? "";

/** @param {string} tag empty: the browser's language; it applies from the next page load on */
export function chooseLanguage(tag) {
  if (tag) localStorage.setItem(settingKey, tag);
  else localStorage.removeItem(settingKey);
}

/** @param {string} chosen @param {readonly string[]} wanted the languages of the browser, the best first */
export function languageFor(chosen, wanted) {
  const bases = [chosen, ...wanted].map((tag) => tag.toLowerCase().split("-")[0]);
  return bases.find((tag) => spoken.includes(tag)) ?? "en";
}

/**
 * A text by its key. `{name}` is replaced; `{count|one text|other text}` becomes the plural form for a number.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const text = own[key] ?? english[key] ?? key;
  return text.replaceAll(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (whole, name, one, other) => {
    const value = values[name];
    if (value === undefined) return whole;
    const shown = typeof value === "number" ? number(value) : String(value);
    if (one === undefined) return shown;
    return (new Intl.PluralRules(language).select(Number(value)) === "one" ? one : other).replaceAll("#", shown);
  });
}

/** A text by its key; undefined if there is none. @param {string} key */
export function known(key) {
  const text = t(key);
  return text === key ? undefined : text;
}

/** A text in the quotation marks of the language. @param {unknown} text */
export const quoted = (text) => t("quoted", { text: String(text) });

/** The cached formats, because they are slow to make and tables need many. @type {Map<string, any>} */
const formats = new Map();

/** @template Format @param {string} kind @param {object} options @param {() => Format} make @returns {Format} */
function kept(kind, options, make) {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? make();
  formats.set(key, known);
  return known;
}

/** @param {Intl.DateTimeFormatOptions} options @param {Date} time */
const dated = (options, time) => kept("date", options, () => new Intl.DateTimeFormat(language, options)).format(time);

/** @param {number} value @param {Intl.NumberFormatOptions} [options] */
export function number(value, options = {}) {
  return kept("number", options, () => new Intl.NumberFormat(language, options)).format(value);
}

/** Joins items, as in "a, b and c". @param {string[]} items @param {"conjunction" | "disjunction"} [type] */
export function list(items, type = "conjunction") {
  return new Intl.ListFormat(language, { type }).format(items);
}

/** Compares texts by the rules of the language. @param {string} left @param {string} right */
export function compare(left, right) {
  return new Intl.Collator(language, { numeric: true }).compare(left, right);
}

/**
 * A relative time up to a day, such as "2 h ago", and after that the date.
 * @param {Date} time
 * @param {Date} [now]
 */
export function ago(time, now = new Date()) {
  const seconds = Math.round((now.getTime() - time.getTime()) / 1000);
  if (seconds < 60 && seconds > -60) return t("time.now");
  const hours = Math.trunc(seconds / 3600);
  if (Math.abs(hours) < 24) {
    const format = kept("ago", {}, () => new Intl.RelativeTimeFormat(language, { style: "short" }));
    return hours === 0 ? format.format(-Math.trunc(seconds / 60), "minute") : format.format(-hours, "hour");
  }
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { day: "numeric", month: "short" };
  if (time.getFullYear() !== now.getFullYear()) options.year = "numeric";
  return dated(options, time);
}

/**
 * How long something has lasted: "for 7 minutes" up to a day, and after that "since 3 Nov".
 * @param {Date} time
 * @param {Date} [now]
 */
export function lasting(time, now = new Date()) {
  const minutes = Math.max(0, Math.trunc((now.getTime() - time.getTime()) / 60_000));
  if (minutes >= 24 * 60) return t("time.since", { date: ago(time, now) });
  if (minutes === 0) return t("time.short");
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : [Math.trunc(minutes / 60), "hour"];
  return t("time.for", { duration: number(count, { style: "unit", unit, unitDisplay: "long" }) });
}

/** A day in UTC, such as "3 Nov". @param {Date} time */
export const day = (time) => dated({ day: "numeric", month: "short", timeZone: "UTC" }, time);

/** A month in UTC, such as "Nov 2026". @param {Date} time */
export const month = (time) => dated({ month: "short", year: "numeric", timeZone: "UTC" }, time);

/** A time in UTC with its year, such as "8 Dec 2026 08:00 UTC". @param {Date} time */
export function moment(time) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };
  const parts = kept("moment", {}, () => new Intl.DateTimeFormat(language, options)).formatToParts(time);
  return t("time.moment", {
    .../** @type {Record<string, string>} */ (Object.fromEntries(parts.map(({ type, value }) => [type, value]))),
    time: time.toISOString().slice(11, 16),
  });
}

/** The time of day, in the reader's time zone. @param {Date} time */
export const clock = (time) => dated({ timeStyle: "short" }, time);

/** The exact time, in the reader's time zone and in UTC. @param {Date} time */
export function exactly(time) {
  const local = dated({ dateStyle: "medium", timeStyle: "long" }, time);
  const utc = dated({ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }, time);
  return `${local} · ${utc} UTC`;
}

// Modules that import this module get the shell's texts in the current language.
if (globalThis.document) {
  language = languageFor(chosenLanguage(), navigator.languages);
  document.documentElement.lang = language;
  await needTexts("shell");
}
