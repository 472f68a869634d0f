// The slug of a new recipe, which follows its name until the first save.

import { below } from "./pointers.js";

/** A slug that is made from a name. @param {string} name */
export function slugOf(name) {
  return name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "").slice(0, 64);
}

/** Whether a text may be a slug. @param {string} text */
export const isSlug = (text) => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);

/** A slug that is not used. @param {string} wanted @param {string[]} taken */
export function freeSlug(wanted, taken) {
  if (!taken.includes(wanted)) return wanted;
  let number = 2;
  while (taken.includes(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

/**
 * The slug of a new document that has a name: the present one, if it was made from this name.
 * @param {string} present
 * @param {string} name
 * @param {string[]} taken
 */
export function slugFor(present, name, taken) {
  const made = slugOf(name);
  if (made === "" || new RegExp(`^${made}(-\\d+)?$`).test(present)) return present;
  return freeSlug(made, taken);
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
