// Texts as files: CSV for sheets, JSON in the stored format of strings.

import { mark } from "../csv.js";
import { partsOf } from "./edits.js";

/** Spreadsheets read such a cell as a formula. An export adds an apostrophe, and an import removes it. */
const formula = /^[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

/** @param {string} text */
function cell(text) {
  const safe = formula.test(text) || guarded.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * @param {string[][]} rows the rows with the header
 * @returns {string} RFC 4180, with a byte order mark for spreadsheets
 */
export const csv = (rows) => mark + rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

/** @param {string} text @returns {string[][]} */
export function readCSV(text) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let row = [];
  const source = text.replace(/^\ufeff/, "");
  const separator = /^[^\n]*;/.test(source) && !/^[^\n;]*,/.test(source) ? ";" : ",";
  let at = 0;
  while (at < source.length) {
    const [value, next] = source[at] === '"' ? quoted(source, at + 1) : plain(source, at, separator);
    row.push(guarded.test(value) ? value.slice(1) : value);
    at = next;
    if (source[at] === separator) {
      at += 1;
      if (at === source.length) row.push("");
      continue;
    }
    at += source.startsWith("\r\n", at) ? 2 : 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((cells) => cells.some((value) => value !== ""));
}

/** @param {string} source @param {number} start @returns {[string, number]} */
function quoted(source, start) {
  let value = "";
  for (let at = start; at < source.length; at += 1) {
    if (source[at] !== '"') value += source[at];
    else if (source[at + 1] === '"') value += source[at++];
    else return [value, at + 1];
  }
  return [value, source.length];
}

/** @param {string} source @param {number} start @param {string} separator @returns {[string, number]} */
function plain(source, start, separator) {
  let end = start;
  while (end < source.length && source[end] !== separator && source[end] !== "\n" && source[end] !== "\r") end += 1;
  return [source.slice(start, end), end];
}

/**
 * The texts of a language by table and key.
 * @param {[string, string][]} texts id and text
 * @returns {Record<string, Record<string, string>>}
 */
export function tables(texts) {
  /** @type {Record<string, Record<string, string>>} */
  const found = Object.create(null);
  for (const [id, text] of texts) {
    const [table, key] = partsOf(id);
    (found[table] ??= Object.create(null))[key] = text;
  }
  return found;
}

/**
 * The texts of a file.
 * @param {string} name the name of the file
 * @param {string} text
 * @param {string} locale the language of a JSON file that does not declare it
 * @param {readonly string[]} locales the allowed languages of a column
 * @returns {{id: string, locale: string, text: string}[]} throws the fault of the file as the key of a text
 */
export function readFile(name, text, locale, locales) {
  if (!/\.json$/i.test(name)) return readSheet(text, locales);
  const value = parsed(text);
  const entries = Object.entries(value).flatMap(([table, keys]) => {
    if (typeof keys !== "object" || keys === null) throw new Error("texts.import.shape");
    return Object.entries(keys).map(([key, text]) => ({ id: `${table}/${key}`, locale, text }));
  });
  if (entries.some(({ text }) => typeof text !== "string")) throw new Error("texts.import.shape");
  return entries;
}

/** @param {string} text @returns {Record<string, any>} */
function parsed(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("texts.import.json");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("texts.import.shape");
  return value;
}

/** @param {string} text @param {readonly string[]} locales */
function readSheet(text, locales) {
  const [heads = [], ...rows] = readCSV(text);
  const columns = heads.map((head, place) => ({ locale: head.trim(), place })).filter(({ locale }) =>
    locales.includes(locale)
  );
  if (heads[0]?.trim() !== "id" || columns.length === 0) throw new Error("texts.import.heads");
  return rows.flatMap((row) =>
    columns.filter(({ place }) => row[place] !== undefined && row[place] !== "").map(({ locale, place }) => ({
      id: row[0],
      locale,
      text: row[place],
    }))
  );
}
