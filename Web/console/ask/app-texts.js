// The texts of an app's tables for forms: the text of an id, the number of its languages, and new ids.

import { get, path, Problem, readText, writeText } from "../api.js";
import { JSONDocument } from "../document/document.js";
import { pointerOf } from "../document/pointers.js";

/** An id: a table, "/" and a key. */
export const idPattern = /^([A-Za-z][\w-]*)\/([^\s/][^\s]*)$/;

export class AppTexts {
  /**
   * @param {string} app
   * @param {{locales: {locale: string, draft_revision?: number | null}[], texts: {id: string, in: Record<string, string>}[]}} body
   * @param {string} locale the app's default
   */
  constructor(app, body, locale) {
    this.app = app;
    this.locale = locale;
    this.locales = body.locales;
    this.texts = new Map(body.texts.map((text) => [text.id, text.in]));
  }

  /** @param {string} app @param {any} manifest @param {AbortSignal} signal @returns {Promise<AppTexts | undefined>} */
  static async load(app, manifest, signal) {
    const body = await get(path("apps", app, "texts"), { signal }).catch(() => undefined);
    return body && new AppTexts(app, body, manifest?.default_locale ?? "en");
  }

  get tables() {
    return [...new Set([...this.texts.keys()].map((id) => id.slice(0, id.indexOf("/"))))];
  }

  /** The text of an id in the default language; undefined if it is no id. @param {string} id */
  textOf(id) {
    const all = this.texts.get(id);
    return all && (all[this.locale] ?? Object.values(all)[0] ?? id);
  }

  /** The number of languages with a text for an id, and the number of all languages. @param {string} id */
  countOf(id) {
    const all = new Set([this.locale, ...this.locales.map(({ locale }) => locale)]);
    const own = this.texts.get(id) ?? {};
    return { count: [...all].filter((locale) => own[locale] !== undefined).length, all: all.size };
  }

  /**
   * Stores a text of the default language under a new id. It is in force at once, because no recipe refers to it yet.
   * If the language has a draft, the text becomes part of the draft.
   * @param {string} id @param {string} text @returns {Promise<boolean>} whether it is in force
   */
  add(id, text) {
    return this.addAll(new Map([[id, text]]));
  }

  /**
   * Stores texts of the default language under new ids, in one write.
   * @param {Map<string, string>} added the texts by their ids @returns {Promise<boolean>} whether they are in force
   */
  async addAll(added) {
    const address = path("apps", this.app, "strings", this.locale);
    const now = await readText(address).catch((error) => {
      if (error instanceof Problem && error.status === 404) return { text: "{}\n", etag: "" };
      throw error;
    });
    const isDraft = Boolean(this.locales.find(({ locale }) => locale === this.locale)?.draft_revision);
    const document = new JSONDocument(now.text);
    for (const [id, text] of added) {
      const [, table, key] = idPattern.exec(id) ?? [];
      document.set(pointerOf([table, key]), text);
    }
    /** @type {Record<string, string>} */
    const condition = now.etag === "" ? { "If-None-Match": "*" } : { "If-Match": now.etag };
    const { body } = await writeText("PUT", isDraft ? `${address}?state=draft` : address, document.text, condition);
    for (const [id, text] of added) this.texts.set(id, { [this.locale]: text });
    if (!this.locales.some(({ locale }) => locale === this.locale)) this.locales.push({ locale: this.locale });
    return !isDraft && body?.state !== "draft";
  }
}
