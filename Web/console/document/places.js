// Questions, steps and messages of a document: by the pointer of an edit, and by the id in a preview.

import { below, keysOf } from "./pointers.js";

/** @typedef {{get(pointer: string): any}} Readable a document by pointers */

const lists = [
  /^(\/schema\/questions\/\d+)/,
  /^(\/questions\/\d+\/sub_questions\/\d+)/,
  /^(\/questions\/\d+)/,
  /^(\/steps\/\d+)/,
];
const branchPattern = /^(\/branches\/\d+)/;

/** The id of the question or step, or the key of the message, in which a pointer lies. @param {Readable} document @param {string} pointer @returns {string | undefined} */
export function idAt(document, pointer) {
  for (const list of lists) {
    const place = list.exec(pointer)?.[1];
    if (place) return document.get(`${place}/id`);
  }
  const keys = keysOf(pointer);
  return keys[keys.indexOf("messages") + 1 || keys.length];
}

/** The branch in which a pointer lies. @param {Readable} document @param {string} pointer @returns {string | undefined} */
export function branchAt(document, pointer) {
  const place = branchPattern.exec(pointer)?.[1];
  return place && document.get(`${place}/slug`);
}

/**
 * The pointer of the question, step or message with an id.
 * @param {Readable} document
 * @param {string} id
 * @param {string} [branch]
 * @returns {string | undefined}
 */
export function pointerOfId(document, id, branch) {
  for (const list of ["/schema/questions", "/questions", "/steps"]) {
    for (const [at, item] of itemsOf(document, list)) {
      if (item?.id === id) return at;
      const inner = itemsOf(document, `${at}/sub_questions`).find(([, sub]) => sub?.id === id);
      if (inner) return inner[0];
    }
  }
  return messagings(document, branch).map((root) => below(below(root, "messages"), id))
    .find((pointer) => document.get(pointer) !== undefined);
}

/** @param {Readable} document @param {string} list @returns {[string, any][]} */
function itemsOf(document, list) {
  const items = document.get(list);
  return Array.isArray(items) ? items.map((item, place) => [`${list}/${place}`, item]) : [];
}

/**
 * The pointers of values that may have messages; the wanted branch first.
 * @param {Readable} document
 * @param {string} [branch]
 * @returns {string[]}
 */
function messagings(document, branch) {
  const branches = itemsOf(document, "/branches");
  const wanted = branches.filter(([, value]) => value?.slug === branch);
  return [
    "",
    ...[...wanted, ...branches].flatMap(([at]) => [
      ...itemsOf(document, `${at}/features`).map(([feature]) => `${feature}/value`),
      `${at}/feature/value`,
    ]),
  ];
}
