// Differences in sentences: each names the question, message or other item that changed, and links to its field.

import { keysOf } from "../document/pointers.js";
import { h } from "../../shared/dom.js";
import { addTexts, list, quoted, t } from "../texts.js";
import english from "../texts/en_changes.js";

addTexts(english);

/** @typedef {import("../document/difference.js").Change} Change */

const names = ["id", "slug", "featureId", "key", "name"];
/** The members that only hold others, and are no things for people. */
const holders = ["schema", "config", "value", "messaging", "settings", "strings"];
/** The length from which a value is shown below its sentence. */
const shortText = 48;

/** The word for a text of the table; undefined if it has none. @param {string} key */
function known(key) {
  const text = t(key);
  return text === key ? undefined : text;
}

/** The word for a member. @param {string} key */
const wordOf = (key) => known(`member.${key}`) ?? quoted(key);

/** The name of an item of a list, or its place from 1. @param {any} item @param {string} key */
function nameOf(item, key) {
  if (typeof item === "string" && item.length <= shortText) return quoted(item);
  const name = names.find((name) => typeof item?.[name] === "string" && item[name] !== "");
  return name ? quoted(item[name]) : String(Number(key) + 1);
}

/**
 * The target of a pointer in words: the things from the outside to the inside, then the member, as in
 * "Question “first”, answer “a”: text".
 * @param {string} pointer
 * @param {unknown} document the document of the pointer
 */
export function placeInWords(pointer, document) {
  /** @type {string[]} */
  const things = [];
  /** @type {string[]} */
  let members = [];
  /** @type {any} */
  let value = document;
  /** @type {string | undefined} the noun for what is in the list or table that the last key named */
  let noun;
  for (const key of keysOf(pointer)) {
    const isItem = Array.isArray(value);
    value = value?.[key];
    if (noun !== undefined || isItem) {
      // The members before belong to the thing: "labels, set 2".
      const name = isItem ? nameOf(value, key) : quoted(key);
      things.push(...members, noun === undefined ? name : `${noun} ${name}`);
      [members, noun] = [[], undefined];
      continue;
    }
    noun = Object(value) === value ? known(`thing.${key}`) : undefined;
    if (noun === undefined && !holders.includes(key)) members.push(wordOf(key));
  }
  // The pointer of a whole list or table.
  if (noun !== undefined) members.push(wordOf(keysOf(pointer).at(-1) ?? ""));
  const words = [things.join(", "), members.join(", ")].filter(Boolean).join(": ");
  return words === "" ? t("change.whole") : words[0].toUpperCase() + words.slice(1);
}

/**
 * @param {Change} change
 * @param {unknown} document the newer one
 * @param {unknown} older the document of removed values
 * @param {(pointer: string) => string} [link] the address of a field
 * @param {(id: string) => string | undefined} [nameOf] the default language's text of an id
 */
export function changeLine(change, document, older, link, nameOf = () => undefined) {
  const { kind, pointer, before, after, from, to } = change;
  const isRemoved = kind === "removed";
  const place = placeInWords(pointer, isRemoved ? older : document);
  const what = isRemoved || !link ? h("strong", {}, place) : h("a", { href: link(pointer) }, place);
  const isNamed = kind === "changed" && typeof before === "string" && nameOf(String(after)) === before;
  const isShort = isNamed || kind === "changed" && [before, after].every(isBrief);
  const key = isNamed ? "change.named" : isShort ? "change.fromto" : `change.${kind}`;
  const marks = { what: "\u0000what\u0000", was: "\u0000was\u0000", is: "\u0000is\u0000" };
  /** @type {Record<string, Node>} */
  const parts = {
    what,
    was: h("bdi", { class: "before" }, shortOf(before)),
    is: h("bdi", { class: "after" }, shortOf(after)),
  };
  const sentence = t(key, { ...marks, from: (from ?? 0) + 1, to: (to ?? 0) + 1 }).split("\u0000")
    .map((part) => parts[part] ?? part);
  const value = (/** @type {string} */ look, /** @type {unknown} */ shown) =>
    shown === undefined || kind === "moved" || isShort ? null : h(
      "div",
      { class: look },
      h("span", {}, t(look === "before" ? "change.was" : "change.is")),
      h("bdi", {}, textOf(shown)),
    );
  return h("li", { "data-pointer": pointer }, sentence, value("before", before), value("after", after));
}

/** @param {unknown} value */
const isBrief = (value) => Object(value) !== value && shortOf(value).length <= shortText;

/** A value in a sentence: texts in quotation marks, and words for yes, no and nothing. @param {unknown} value */
function shortOf(value) {
  if (value === undefined || value === null || value === "") return t("change.nothing");
  if (typeof value === "boolean") return t(value ? "change.yes" : "change.no");
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

/** A value below a sentence. @param {unknown} value */
function textOf(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")) return list(value);
  return Object(value) === value ? JSON.stringify(value, null, 2) : shortOf(value);
}
