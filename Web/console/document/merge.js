// Merges three versions of a document: the changes that both have made to a base. Changes that do not overlap are
// merged; a choice is needed where they do.

import { identities, isObject } from "./difference.js";
import { isSame } from "./document.js";
import { below, keysOf } from "./pointers.js";

/**
 * @typedef {{pointer: string, base: unknown, mine: unknown, theirs: unknown}} Meeting
 * Both have changed what stands there, in different ways; undefined is what is not there. `pointer` is that of the merged
 * document, which has mine.
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
 * Lists whose items have ids: mine in my order, with theirs that are new behind the item that they follow there.
 * @param {unknown[]} base
 * @param {unknown[]} mine
 * @param {unknown[]} theirs
 * @param {string} pointer
 * @param {Meeting[]} meetings
 * @returns {unknown[] | undefined} undefined: items without ids, or two orders
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
 * All ids in the merged order; undefined if both have put what they share into orders of their own.
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
 * The merged document with what was chosen where both met.
 * @param {unknown} merged
 * @param {Meeting[]} meetings
 * @param {Map<Meeting, boolean>} choices whether theirs was chosen
 */
export function decided(merged, meetings, choices) {
  let value = JSON.parse(JSON.stringify(merged ?? null));
  // From the end, so that what is taken out does not move what comes before.
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
