// Differences in sentences: each names the question, message or other item that changed, and links to its field.

import { below, keysOf, valueAt } from "../document/pointers.js";
import { isObject } from "../document/difference.js";
import { h } from "../../shared/dom.js";
import { addTexts, known, list, quoted, t } from "../texts.js";
import english from "../texts/en_changes.js";
import { triggersInWords } from "./sentences.js";
import { branchShare, drawnShare, stagesInWords } from "./shares.js";
import { audienceInWords } from "./words.js";

addTexts(english);

/**
 * @typedef {import("../document/difference.js").Change} Change
 * @typedef {{document: API.Document, triggers: Record<string, unknown>, pointer: string, keys: string[]}} Told the place of a value
 * @typedef {{link?: (pointer: string) => string, textOf?: (id: string) => string | undefined, triggers?: Record<string, unknown>}} Known
 *   the address of a field, the default language's text of an id, the triggers of the manifest
 */

/** The members by which people know an item, and then those by which documents do. */
const texts = ["title", "question", "label", "text"];
const names = ["id", "slug", "featureId", "key", "name"];
/** The members that only hold others, and are no things for people. */
const holders = ["schema", "config", "value", "messaging", "settings", "strings"];
/** The length from which a value is shown below its sentence. */
const shortText = 48;

/**
 * The values that have words of their own, by their pointers. A value that is absent has words, too.
 * @type {[RegExp, (value: unknown, of: Told) => string][]}
 */
const told = [
  [/^\/(targeting|expression)$/, (value) => audienceInWords(value)],
  [/^\/bucketConfig\/count$/, (_, { document }) => drawnShare(document)],
  [/^\/bucketConfig\/total$/, (value, { document }) => `${shortOf(value)} (${drawnShare(document)})`],
  [/^\/branches\/\d+\/ratio$/, (_, { document, keys }) => branchShare(document, Number(keys[1]))],
  [/^\/stages$/, (_, { document }) => stagesInWords(document) ?? t("stage.none")],
  [/\/trigger-if-all$/, (value, of) => listed(triggersInWords(value, triggersAt(of)), "sentence.everybody")],
  [/\/except-if-any$/, (value, of) => listed(triggersInWords(value, triggersAt(of)), "change.nothing")],
  [/(^|\/value|\/messaging)\/triggers\/[^/]+$/, (value) => value === undefined ? "" : audienceInWords(value)],
];

/** @param {string} pointer */
const tellerAt = (pointer) => told.find(([pattern]) => pattern.test(pointer))?.[1];

/** @param {string[]} words @param {string} otherwise */
const listed = (words, otherwise) => words.length > 0 ? list(words) : t(otherwise);

/** The triggers at a message: those of its value, and of the manifest. @param {Told} of @returns {Record<string, unknown>} */
const triggersAt = ({ document, triggers, pointer }) => ({
  ...triggers,
  ...valueAt(document, pointer.replace(/\/messages\/[^/]+\/[^/]+$/, "/triggers")),
});

/** The word for a member. @param {string} key */
const wordOf = (key) => known(`member.${key}`) ?? quoted(key);

/** @param {string} text */
const shortened = (text) => quoted(text.length <= shortText ? text : `${text.slice(0, shortText - 1).trimEnd()}…`);

/** The name of an item of a list, or its place from 1. @param {any} item @param {string} key @param {Known["textOf"]} textOf */
function nameOf(item, key, textOf) {
  if (typeof item === "string") return shortened(textOf?.(item) ?? item);
  const values = [
    ...texts.flatMap((name) => [item?.[name], item?.config?.[name]]),
    ...names.map((name) => item?.[name]),
  ];
  const name = values.find((value) => typeof value === "string" && value !== "");
  return name ? shortened(textOf?.(name) ?? name) : String(Number(key) + 1);
}

/**
 * The target of a pointer in words: the things from the outside to the inside, then the member, as in
 * "Question “What is new?”, answer “Maps”: text".
 * @param {string} pointer
 * @param {unknown} document the document of the pointer
 * @param {Known["textOf"]} [textOf]
 * @param {unknown} [formerly] the item at the pointer, as it was
 */
export function placeInWords(pointer, document, textOf, formerly) {
  /** @type {string[]} */
  const things = [];
  /** @type {string[]} */
  let members = [];
  /** @type {any} */
  let value = document;
  /** @type {string | undefined} the noun for what is in the list or table that the last key named */
  let noun;
  const keys = pointer === "/bucketConfig/count" ? ["share"] : keysOf(pointer);
  for (const [place, key] of keys.entries()) {
    const isItem = Array.isArray(value);
    value = value?.[key];
    if (noun !== undefined || isItem) {
      const item = place === keys.length - 1 ? formerly ?? value : value;
      // The members before belong to the thing: "labels, set 2".
      const name = isItem ? nameOf(item, key, textOf) : quoted(key);
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
 * The item whose text is at a pointer, such as the question of a title; undefined if the text is no name of an item.
 * @param {string} pointer @param {unknown} document
 */
function namedBy(pointer, document) {
  const [whole, list, place, member] = /^(.*)\/(\d+)((?:\/config)?\/[^/]+)$/.exec(pointer) ?? [];
  if (whole === undefined || !Array.isArray(valueAt(document, list))) return undefined;
  const item = `${list}/${place}`;
  const first = texts.flatMap((name) => [`/${name}`, `/config/${name}`]).find((name) => valueAt(document, item + name));
  return first === member ? item : undefined;
}

/**
 * A change in words: its sentence, whose text has `{what}`, `{was}` and `{is}`.
 * @param {Change} change
 * @param {API.Document} document the newer one
 * @param {API.Document} older
 * @param {Known} [of]
 * @returns {{key: string, what: string, was: string, is: string, isWhole: boolean}} `isWhole`: nothing is below the sentence
 */
export function changeInWords(change, document, older, { textOf = () => undefined, triggers = {} } = {}) {
  const { kind, pointer, before, after } = change;
  const what = placeInWords(pointer, kind === "removed" ? older : document, textOf);
  const tell = tellerAt(pointer);
  if (tell && kind !== "moved") {
    const of = { pointer, keys: keysOf(pointer), triggers };
    const [was, is] = [tell(before, { ...of, document: older }), tell(after, { ...of, document })];
    const key = was === "" ? "change.new" : is === "" ? "change.removed" : "change.then";
    // Another spelling of the same condition is shown as it is written.
    if (was !== is) return { key, what, was, is, isWhole: true };
  }
  const [was, is] = [shortOf(before), shortOf(after)];
  if (kind === "changed" && typeof before === "string" && textOf(String(after)) === before) {
    return { key: "change.named", what, was, is, isWhole: true };
  }
  const item = kind === "changed" && typeof before === "string" ? namedBy(pointer, document) : undefined;
  if (item !== undefined) {
    const name = placeInWords(item, document, textOf, before);
    const text = String(after ?? "");
    return { key: "change.became", what: name, was, is: shortOf(textOf(text) ?? text), isWhole: true };
  }
  const isShort = kind === "changed" && [before, after].every(isBrief);
  return { key: isShort ? "change.fromto" : `change.${kind}`, what, was, is, isWhole: isShort || kind === "moved" };
}

/** @param {Change} change @param {API.Document} document @param {API.Document} older @param {Known} [of] */
export function changeLine(change, document, older, of = {}) {
  const { kind, pointer, before, after, from, to } = change;
  const { key, what, was, is, isWhole } = changeInWords(change, document, older, of);
  const marks = { what: "\u0000what\u0000", was: "\u0000was\u0000", is: "\u0000is\u0000" };
  /** @type {Record<string, Node>} */
  const parts = {
    what: kind === "removed" || !of.link ? h("strong", {}, what) : h("a", { href: of.link(pointer) }, what),
    was: h("bdi", { class: "before" }, was),
    is: h("bdi", { class: "after" }, is),
  };
  const sentence = t(key, { ...marks, from: (from ?? 0) + 1, to: (to ?? 0) + 1 }).split("\u0000")
    .map((part) => parts[part] ?? part);
  const value = (/** @type {string} */ look, /** @type {unknown} */ shown, /** @type {API.Document} */ whole) =>
    shown === undefined || isWhole ? null : h(
      "div",
      { class: look },
      h("span", {}, t(look === "before" ? "change.was" : "change.is")),
      h("bdi", {}, valueInWords(shown, of, pointer, whole)),
    );
  return h(
    "li",
    { "data-pointer": pointer },
    sentence,
    value("before", before, older),
    value("after", after, document),
  );
}

/** @param {unknown} value */
const isBrief = (value) => Object(value) !== value && shortOf(value).length <= shortText;

/** A value in a sentence: texts in quotation marks, and words for yes, no and nothing. @param {unknown} value */
function shortOf(value) {
  if (value === undefined || value === null || value === "") return t("change.nothing");
  if (typeof value === "boolean") return t(value ? "change.yes" : "change.no");
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

/**
 * A value below a sentence: a line for each member of an object.
 * @param {unknown} value
 * @param {Known} [of]
 * @param {string} [pointer] the value's
 * @param {API.Document} [document] the value's
 * @returns {string}
 */
export function valueInWords(value, of = {}, pointer = "", document = /** @type {API.Document} */ ({})) {
  if (typeof value === "string") return of.textOf?.(value) ?? value;
  if (Array.isArray(value)) {
    const item = (/** @type {unknown} */ one, /** @type {number} */ place) =>
      Object(one) === one || typeof one === "string" ? nameOf(one, String(place), of.textOf) : shortOf(one);
    return listed(value.map(item), "change.nothing");
  }
  return isObject(value) ? linesOf(value, "", of, pointer, document).join("\n") : shortOf(value);
}

/** @param {Record<string, unknown>} object @param {string} indent @param {Known} of @param {string} pointer @param {API.Document} document @returns {string[]} */
function linesOf(object, indent, of, pointer, document) {
  return Object.entries(object).flatMap(([key, member]) => {
    const at = below(pointer, key);
    if (isObject(member)) {
      if (holders.includes(key)) return linesOf(member, indent, of, at, document);
      return [`${indent}${wordOf(key)}:`, ...linesOf(member, `${indent}  `, of, at, document)];
    }
    const words = tellerAt(at)?.(member, { document, triggers: of.triggers ?? {}, pointer: at, keys: keysOf(at) }) ??
      valueInWords(member, of, at, document);
    return [`${indent}${wordOf(key)}: ${words}`];
  });
}
