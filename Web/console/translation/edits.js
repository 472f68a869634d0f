// Typed texts that are not saved, and their merge with another author's newer texts.

/**
 * @typedef {{id: string, locale: string, text: string, base: string}} Edit `base` is the original text; an empty text
 *   means that there was none
 * @typedef {{id: string, locale: string, base: string, mine: string, theirs: string}} Meeting both have changed a text
 */

export class Edits {
  constructor() {
    /** @type {Map<string, Edit>} By language and id. */
    this.all = new Map();
  }

  /** @param {string} id @param {string} locale */
  of(id, locale) {
    return this.all.get(keyOf(id, locale));
  }

  /**
   * Records a typed text, or removes the edit if the text is the original.
   * @param {string} id
   * @param {string} locale
   * @param {string} text
   * @param {string} stored
   */
  set(id, locale, text, stored) {
    const base = this.of(id, locale)?.base ?? stored;
    if (text === base) this.all.delete(keyOf(id, locale));
    else this.all.set(keyOf(id, locale), { id, locale, text, base });
  }

  /** @param {Edit} edit */
  drop({ id, locale }) {
    this.all.delete(keyOf(id, locale));
  }

  get list() {
    return [...this.all.values()];
  }

  /** The number of changed texts by language. */
  get counts() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { locale } of this.all.values()) counts.set(locale, (counts.get(locale) ?? 0) + 1);
    return counts;
  }

  /** The edits in their stored format. */
  get text() {
    return JSON.stringify(this.list);
  }

  /** @param {string} text a value of `text` @returns {Edit[]} */
  static read(text) {
    try {
      const list = JSON.parse(text);
      return Array.isArray(list) ? list.filter(isEdit) : [];
    } catch {
      return [];
    }
  }
}

/** @param {string} id @param {string} locale */
const keyOf = (id, locale) => `${locale}\n${id}`;

/** @param {any} edit */
const isEdit = (edit) => ["id", "locale", "text", "base"].every((name) => typeof edit?.[name] === "string");

/**
 * Compares edits with the stored texts, by id. A meeting is an edit of a text that both authors changed differently.
 * @param {Edit[]} edits
 * @param {(edit: Edit) => string} stored the text as it is stored now; empty: none
 * @returns {{kept: Edit[], meetings: Meeting[], same: Edit[]}} `same`: the stored text is already the same
 */
export function meet(edits, stored) {
  /** @type {{kept: Edit[], meetings: Meeting[], same: Edit[]}} */
  const met = { kept: [], meetings: [], same: [] };
  for (const edit of edits) {
    const theirs = stored(edit);
    if (theirs === edit.text) met.same.push(edit);
    else if (theirs === edit.base) met.kept.push(edit);
    else met.meetings.push({ id: edit.id, locale: edit.locale, base: edit.base, mine: edit.text, theirs });
  }
  return met;
}

/**
 * A document of strings with other texts. An empty text removes the key.
 * @param {Record<string, Record<string, string>>} document by table and key
 * @param {Edit[]} edits
 */
export function applied(document, edits) {
  /** @type {Record<string, Record<string, string>>} */
  const changed = Object.assign(Object.create(null), document);
  for (const { id, text } of edits) {
    const [table, key] = partsOf(id);
    const keys = changed[table] = Object.assign(Object.create(null), changed[table]);
    if (text === "") delete keys[key];
    else keys[key] = text;
    if (Object.keys(keys).length === 0) delete changed[table];
  }
  return changed;
}

/** The table and key of an id. @param {string} id @returns {[string, string]} */
export function partsOf(id) {
  const slash = id.indexOf("/");
  return slash < 0 ? ["", id] : [id.slice(0, slash), id.slice(slash + 1)];
}
