// The slug of a new recipe, which follows its name until the first save.

import { below } from "./pointers.js";

/** A slug that is made from a name. @param {string} name @param {boolean} [isNamed] whether expressions read it */
export function slugOf(name, isNamed = false) {
  const slug = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "").slice(0, 64);
  return isNamed ? slug.replaceAll("-", "_").replace(/^(?=\d)/, "_").slice(0, 64) : slug;
}

/** Whether a text may be a slug. @param {string} text @param {boolean} [isNamed] whether expressions read it */
export const isSlug = (text, isNamed = false) =>
  isNamed
    ? /^[a-z_][a-z0-9_]{0,63}$/.test(text) && !["true", "false", "null", "in"].includes(text)
    : /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);

/** A slug that is not used. @param {string} wanted @param {string[]} taken @param {string} [dash] */
export function freeSlug(wanted, taken, dash = "-") {
  if (!taken.includes(wanted)) return wanted;
  let number = 2;
  while (taken.includes(`${wanted}${dash}${number}`)) number += 1;
  return `${wanted}${dash}${number}`;
}

/**
 * The slug of a new document that has a name: the present one, if it was made from this name.
 * @param {string} present
 * @param {string} name
 * @param {string[]} taken
 * @param {boolean} [isNamed] whether expressions read it
 */
export function slugFor(present, name, taken, isNamed = false) {
  const made = slugOf(name, isNamed);
  const dash = isNamed ? "_" : "-";
  if (made === "" || new RegExp(`^${made}(${dash}\\d+)?$`).test(present)) return present;
  return freeSlug(made, taken, dash);
}

/**
 * Replaces the slug in the members of a document that repeat it: `slug`, `id`, the namespace, the experiment and the
 * keys of messages.
 * @param {import("./document.js").JSONDocument} document
 * @param {string} from
 * @param {string} to
 */
export function renameSlug(document, from, to) {
  const values = ["/slug", "/id", "/bucketConfig/namespace"];
  /** @type {string[]} */
  const keys = [];
  const visit = (/** @type {any} */ value, /** @type {string} */ pointer) => {
    for (const key of document.keys(pointer)) {
      const inner = below(pointer, key);
      if (key === "experiment") values.push(inner);
      if (pointer.endsWith("/messages") && key === from) keys.push(inner);
      if (Object(value?.[key]) === value?.[key]) visit(value[key], inner);
    }
  };
  visit(document.get(""), "");
  for (const pointer of values) if (document.get(pointer) === from) document.set(pointer, to);
  for (const pointer of keys) document.rename(pointer, to);
}
