// The request of an address to explain, and the possible suppositions for a closed gate.

/**
 * @typedef {{sort: "attribute" | "event" | "display" | "branch", name: string, value: string}} Supposition
 *   In the fragment `sort.name=value`, so that no server sees a supposed id; `value` of an attribute is JSON, or a text
 * @typedef {{surface?: string, feature?: string, at?: string, locale?: string, client?: string, persona?: any,
 *   suppose?: any[], supposed: Supposition[]}} Parts
 */

const sorts = ["attribute", "event", "display", "branch"];

/** @param {string} hash @returns {{client: string, supposed: Supposition[]}} */
export function readFragment(hash) {
  const supposed = [];
  let client = "";
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    const at = name.indexOf(".");
    const sort = /** @type {Supposition["sort"]} */ (name.slice(0, at));
    if (name === "client") client = value;
    else if (at > 0 && sorts.includes(sort)) supposed.push({ sort, name: name.slice(at + 1), value });
  }
  return { client, supposed };
}

/** @param {{client: string, supposed: Supposition[]}} parts @returns {string} without "#" */
export function fragment({ client, supposed }) {
  const query = new URLSearchParams();
  if (client) query.set("client", client);
  for (const { sort, name, value } of supposed) query.set(`${sort}.${name}`, value);
  return String(query);
}

/** A typed value: JSON if it can be parsed, or else a text. @param {string} text */
function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The request. `enrolled` are the client's enrollments, which are required if a branch is supposed.
 * @param {Parts} parts
 * @param {{slug: string, status: string, branch: string | null}[]} [enrolled]
 */
export function questionOf({ surface, feature, at, locale, client, persona = {}, suppose = [], supposed }, enrolled) {
  const of = (/** @type {string} */ sort) => supposed.filter((one) => one.sort === sort);
  const now = at || persona.now;
  const context = {
    ...persona.context,
    ...(locale ? { locale } : {}),
    ...Object.fromEntries(of("attribute").map(({ name, value }) => [name, valueOf(value)])),
  };
  const events = [
    ...(persona.events ?? []),
    ...of("event").map(({ name, value }) => ({
      name,
      ...(now ? { at: now } : {}),
      count: Math.max(1, Number(value) || 1),
    })),
  ];
  const ledger = {
    ...persona.ledger,
    ...Object.fromEntries(
      of("display").map(({ name, value }) => [name, { display_count: Math.max(0, Number(value) || 0) }]),
    ),
  };
  const enrollments = enrolled ? branches(enrolled, of("branch")) : persona.enrollments;
  return {
    ...(surface ? { surface } : {}),
    ...(feature ? { feature } : {}),
    ...(client ? { client_id: client } : {}),
    ...(now ? { now } : {}),
    ...(Object.keys(context).length > 0 ? { context } : {}),
    ...(events.length > 0 ? { events } : {}),
    ...(Object.keys(ledger).length > 0 ? { ledger } : {}),
    ...(enrollments ? { enrollments } : {}),
    ...(suppose.length > 0 ? { suppose } : {}),
  };
}

/** @param {{slug: string, status: string, branch: string | null}[]} enrolled @param {Supposition[]} supposed */
function branches(enrolled, supposed) {
  const all = new Map(
    enrolled.filter(({ status }) => status === "Enrolled").map(({ slug, branch }) => [slug, branch ?? ""]),
  );
  for (const { name, value } of supposed) {
    if (value) all.set(name, value);
    else all.delete(name);
  }
  return Object.fromEntries(all);
}

/** The event of an event query in an expression: `'page_viewed'|eventSum('Years', 1, 0)`. @param {string} text */
export const eventOf = (text) => /^(['"])((?:(?!\1)[^\\]|\\.)+)\1\s*\|\s*event/.exec(text.trim())?.[2];

/** @typedef {{sort: "event" | "attribute", name: string, value?: string}} Suggestion */

/**
 * The changes that would open a part of an expression: an event with a count, or an attribute with a value. A person
 * must choose a missing value.
 * @param {{expression?: string, values?: Record<string, unknown>, undefined?: string[]}} leaf
 * @returns {Suggestion[]}
 */
export function suggestions({ expression = "", values = {}, undefined: unknown = [] }) {
  const found = Object.entries(values).flatMap(([text, value]) => {
    const event = eventOf(text);
    /** @type {Suggestion[]} */
    const one = event
      ? [{ sort: "event", name: event, value: more(expression, value) }]
      : isName(text)
      ? [{ sort: "attribute", name: text, value: wanted(expression, text) }]
      : [];
    return one;
  });
  /** @type {Suggestion[]} */
  const others = unknown.filter(isName).map((name) => ({ sort: "attribute", name, value: wanted(expression, name) }));
  return [...found, ...others];
}

/** @param {string} text */
const isName = (text) => /^[A-Za-z_][\w.]*$/.test(text);

/** The count of further events that "… >= 2" or "… > 1" requires. @param {string} expression @param {unknown} value */
function more(expression, value) {
  const [, sign, bound] = /(>=|>|==)\s*(\d+)\s*$/.exec(expression.trim()) ?? [];
  if (!sign || typeof value !== "number") return undefined;
  const count = Number(bound) + (sign === ">" ? 1 : 0) - value;
  return count > 0 ? String(count) : undefined;
}

/**
 * The value with which an attribute is compared, as in "plan == 'pro'".
 * @param {string} expression
 * @param {string} name
 */
function wanted(expression, name) {
  const own = name.replaceAll(".", "\\.");
  const pattern = new RegExp(
    `^\\(?\\s*${own}\\s*(?:==|>=|<=)\\s*('[^'\\\\]*'|"[^"\\\\]*"|-?\\d+(?:\\.\\d+)?|true|false)\\s*\\)?$`,
  );
  const text = pattern.exec(expression.trim())?.[1];
  if (!text) return undefined;
  return /^['"]/.test(text) ? JSON.stringify(text.slice(1, -1)) : text;
}
