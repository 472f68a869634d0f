// JSON Pointers (RFC 6901) as lists of keys.

/**
 * The keys of a pointer: `/a/0` is `["a", "0"]`.
 * @param {string} pointer
 * @returns {string[]}
 */
export function keysOf(pointer) {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @param {readonly (string | number)[]} keys
 * @returns {string}
 */
export function pointerOf(keys) {
  return keys.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
}

/**
 * The pointer of a member or item.
 * @param {string} pointer
 * @param {string | number} key
 * @returns {string}
 */
export function below(pointer, key) {
  return pointer + pointerOf([key]);
}

/**
 * Whether a pointer is a prefix of another, or equal to it.
 * @param {string} outer
 * @param {string} inner
 * @returns {boolean}
 */
export function contains(outer, inner) {
  return inner === outer || inner.startsWith(outer + "/");
}

/**
 * The longest pointer that contains another: the field to which a finding belongs.
 * @param {Iterable<string>} candidates
 * @param {string} pointer
 * @returns {string | undefined}
 */
export function nearest(candidates, pointer) {
  /** @type {string | undefined} */
  let found;
  for (const candidate of candidates) {
    if (contains(candidate, pointer) && (found === undefined || candidate.length > found.length)) found = candidate;
  }
  return found;
}

/** The value at a pointer; undefined if there is none. @param {any} document @param {string} pointer */
export const valueAt = (document, pointer) => keysOf(pointer).reduce((value, key) => value?.[key], document);
