// Differences in words: each change is a sentence with a link to its field.

import { keysOf } from "../document/pointers.js";
import { h } from "../../shared/dom.js";
import { quoted, t } from "../texts.js";

/** @typedef {import("../document/difference.js").Change} Change */

const names = ["id", "slug", "featureId", "key"];
/** The length from which a value is shown below its sentence. */
const shortText = 48;

/**
 * The target of a pointer in words: items by their ids, keys as words.
 * @param {string} pointer
 * @param {unknown} document the document of the pointer
 */
export function placeInWords(pointer, document) {
  /** @type {any} */
  let value = document;
  const words = keysOf(pointer).map((key) => {
    const isItem = Array.isArray(value);
    value = value?.[key];
    if (!isItem) return key.replaceAll("_", " ");
    const name = names.find((name) => typeof value?.[name] === "string");
    return name ? quoted(value[name]) : String(Number(key) + 1);
  });
  return words.join(" › ") || t("change.whole");
}

/**
 * @param {Change} change
 * @param {unknown} document the newer one
 * @param {(pointer: string) => string} link
 * @param {unknown} [older] the document of removed values
 * @param {(id: string) => string | undefined} [nameOf] the default language's text of an id
 */
export function changeLine(change, document, link, older = document, nameOf = () => undefined) {
  const { kind, pointer, before, after, from, to } = change;
  const place = placeInWords(pointer, kind === "removed" ? older : document);
  const what = kind === "removed" ? h("code", {}, place) : h("a", { href: link(pointer) }, place);
  const isNamed = kind === "changed" && typeof before === "string" && nameOf(String(after)) === before;
  const isShort = isNamed || kind === "changed" && [before, after].every(isBrief);
  const key = isNamed ? "change.named" : isShort ? "change.fromto" : `change.${kind}`;
  const numbers = { from: (from ?? 0) + 1, to: (to ?? 0) + 1 };
  const [start, end = ""] = t(key, { what: "\u0000", was: textOf(before), is: textOf(after), ...numbers }).split(
    "\u0000",
  );
  const value = (/** @type {string} */ look, /** @type {unknown} */ shown) =>
    shown === undefined || kind === "moved" || isShort ? null : h(
      "div",
      { class: look },
      h("span", {}, t(look === "before" ? "change.was" : "change.is")),
      h("bdi", {}, textOf(shown)),
    );
  return h("li", { "data-pointer": pointer }, start, what, end, value("before", before), value("after", after));
}

/** @param {unknown} value */
const isBrief = (value) => !(value instanceof Object) && textOf(value).length <= shortText;

/** @param {unknown} value */
const textOf = (value) => value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 2);
