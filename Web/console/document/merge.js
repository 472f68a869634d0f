// Merges three versions of a document: both changes to a base. Changes that do not overlap are
// merged; overlapping changes need a choice.

import { identities, isObject } from "./difference.js";
import { isSame } from "./document.js";
import { below, keysOf } from "./pointers.js";

/**
 * @typedef {{pointer: string, base: unknown, mine: unknown, theirs: unknown}} Meeting
 * Both changed a value in different ways; undefined means that it is absent. `pointer` is a pointer of the merged
 * document, which has my value.
 */

/**
 * @param {unknown} base
 * @param {unknown} mine
 * @param {unknown} theirs
 * @returns {{value: unknown, meetings: Meeting[]}}
 */
export function merge(base, mine, theirs) {
  /** @type {Meeting[]} */
  const meetings = [];
  return { value: three(base, mine, theirs, "", meetings), meetings };
}

/**
 * @param {unknown} base
 * @param {unknown} mine
 * @param {unknown} theirs
 * @param {string} pointer
 * @param {Meeting[]} meetings
 * @returns {unknown}
 */
function three(base, mine, theirs, pointer, meetings) {
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  if (isSame(base, mine)) return theirs;
  if (isObject(mine) && isObject(theirs)) return objects(isObject(base) ? base : {}, mine, theirs, pointer, meetings);
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const merged = lists(Array.isArray(base) ? base : [], mine, theirs, pointer, meetings);
    if (merged) return merged;
  }
  meetings.push({ pointer, base, mine, theirs });
  return mine === undefined ? theirs : mine;
}

/**
 * @param {Record<string, unknown>} base
 * @param {Record<string, unknown>} mine
 * @param {Record<string, unknown>} theirs
 * @param {string} pointer
 * @param {Meeting[]} meetings
 */
function objects(base, mine, theirs, pointer, meetings) {
  /** @type {Record<string, unknown>} */
  const merged = Object.create(null);
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const value = three(own(base, key), own(mine, key), own(theirs, key), below(pointer, key), meetings);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** @param {Record<string, unknown>} object @param {string} key */
const own = (object, key) => Object.hasOwn(object, key) ? object[key] : undefined;

/**
 * Merges lists whose items have ids: my items in my order, and their new items after the item that they follow there.
 * @param {unknown[]} base
 * @param {unknown[]} mine
 * @param {unknown[]} theirs
 * @param {string} pointer
 * @param {Meeting[]} meetings
 * @returns {unknown[] | undefined} undefined if items have no ids, or if both changed the order
 */
function lists(base, mine, theirs, pointer, meetings) {
  const ids = [base, mine, theirs].map(identities);
  if (!ids[0] || !ids[1] || !ids[2]) return undefined;
  const [baseIDs, myIDs, theirIDs] = /** @type {string[][]} */ (ids);
  const order = orders(baseIDs, myIDs, theirIDs);
  if (!order) return undefined;
  /** @type {unknown[]} */
  const merged = [];
  for (const id of order) {
    const [old, my, their] = [base[baseIDs.indexOf(id)], mine[myIDs.indexOf(id)], theirs[theirIDs.indexOf(id)]];
    const value = three(old, my, their, below(pointer, merged.length), meetings);
    if (value !== undefined) merged.push(value);
  }
  return merged;
}

/**
 * All ids in the merged order; undefined if both changed the order of the shared ids differently.
 * @param {string[]} base
 * @param {string[]} mine
 * @param {string[]} theirs
 * @returns {string[] | undefined}
 */
function orders(base, mine, theirs) {
  const shared = new Set(base.filter((id) => mine.includes(id) && theirs.includes(id)));
  const [old, my, their] = [base, mine, theirs].map((ids) => ids.filter((id) => shared.has(id)));
  const isMineMoved = !isSame(old, my);
  if (isMineMoved && !isSame(old, their) && !isSame(my, their)) return undefined;
  const [first, second] = isMineMoved ? [mine, theirs] : [theirs, mine];
  const merged = [...first];
  second.forEach((id, place) => {
    if (merged.includes(id)) return;
    const after = second.slice(0, place).findLast((other) => merged.includes(other));
    merged.splice(after === undefined ? 0 : merged.indexOf(after) + 1, 0, id);
  });
  return merged;
}

/**
 * The merged document with the choices for its meetings.
 * @param {unknown} merged
 * @param {Meeting[]} meetings
 * @param {Map<Meeting, boolean>} choices whether their value was chosen
 */
export function decided(merged, meetings, choices) {
  let value = JSON.parse(JSON.stringify(merged ?? null));
  // The order is from the end, so that a removal does not move earlier items.
  for (const meeting of meetings.toReversed()) {
    const chosen = choices.get(meeting) ? meeting.theirs : meeting.mine;
    if (meeting.pointer === "") {
      value = chosen;
      continue;
    }
    const keys = keysOf(meeting.pointer);
    const outer = keys.slice(0, -1).reduce((inner, key) => inner?.[key], value);
    const key = keys[keys.length - 1];
    if (!outer) continue;
    if (chosen !== undefined) outer[key] = chosen;
    else if (Array.isArray(outer)) outer.splice(Number(key), 1);
    else delete outer[key];
  }
  return value;
}
