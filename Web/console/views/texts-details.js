// The details next to the grid: the findings of the selected text, its uses, and its preview.

import { h } from "../../shared/dom.js";
import { previewPane } from "../elements/preview.js";
import { sectionHead } from "../elements/parts.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { list, t } from "../texts.js";
import { check } from "../translation/checks.js";
import { valueAt } from "../document/pointers.js";
import { loadDocument, targetsOf } from "../translation/saving.js";

/**
 * @typedef {import("../translation/rows.js").Row} Row
 * @typedef {import("../translation/edits.js").Edit} Edit
 * @typedef {{app: string, all: recipes.Recipe[], signal: AbortSignal, edits: import("../translation/edits.js").Edits,
 *   rows: () => Map<string, Row>}} Around
 */

/** The text of a finding. @param {import("../translation/checks.js").Finding} finding */
const findingText = ({ kind, values }) => t(`texts.check.${kind}`, { values: list(values) });

export class TextDetails {
  /** @param {Around} around */
  constructor(around) {
    this.around = around;
    this.words = h("div", { class: "texts-words" });
    this.stage = h("div", { class: "texts-stage" });
    this.element = h("div", { class: "texts-details panel" }, this.words, this.stage);
    /** @type {Map<string, any>} */
    this.documents = new Map();
    /** @type {{slug: string, pane: import("../elements/preview.js").PreviewPane, document: {text: string, isSound: boolean, value: any, get(pointer: string): any}} | undefined} */
    this.preview = undefined;
    this.number = 0;
  }

  leave() {
    this.preview?.pane.leave();
  }

  /**
   * @param {Row} row
   * @param {string} locale
   * @param {string | undefined} original the text of the default language, if another language is selected
   * @param {string} text
   */
  show(row, locale, original, text) {
    const findings = check(original, text);
    this.words.replaceChildren(
      h("h2", { dir: "auto" }, h("bdi", {}, row.table), " › ", h("bdi", {}, row.key)),
      findings.length === 0 ? h("p", { class: "muted" }, t("texts.sound")) : h(
        "ul",
        {},
        findings.map((finding) =>
          h("li", { class: "finding is-warning" }, icon("warning"), h("span", {}, findingText(finding)))
        ),
      ),
      sectionHead(t("texts.where"), row.uses.length),
      row.uses.length === 0
        ? h("p", { class: "muted" }, t("texts.where.none"))
        : h("ul", { class: "texts-uses" }, row.uses.slice(0, 8).map((use) => this.use(use))),
    );
    void this.draw(row, locale);
  }

  /** @private @param {import("../translation/rows.js").Use} use */
  use({ recipe, pointer }) {
    const { app, all } = this.around;
    if (recipe === null) {
      const address = `/console/a/${encodeURIComponent(app)}/app?at=${encodeURIComponent(pointer)}`;
      return h("li", {}, h("a", { href: address }, t("texts.manifest")));
    }
    const known = all.find(({ slug }) => slug === recipe);
    const place = pointer.split("/").slice(-2).join(" › ");
    return h(
      "li",
      {},
      h("a", { href: recipes.recipeLink(app, recipe) }, known ? recipes.nameOf(known) : recipe),
      " ",
      h("bdi", { class: "muted" }, place),
    );
  }

  /** @private @param {Row} row @param {string} locale */
  async draw(row, locale) {
    const number = this.number += 1;
    const use = row.uses.find(({ recipe }) => recipe !== null);
    if (!use?.recipe) return this.clear(row.uses.length > 0 ? t("texts.preview.none") : "");
    const { app, signal } = this.around;
    const slug = use.recipe;
    if (!this.documents.has(slug)) {
      const loaded = await loadDocument(app, slug, signal).catch(() => undefined);
      this.documents.set(slug, loaded);
    }
    const stored = this.documents.get(slug);
    if (number !== this.number) return;
    if (!stored) return this.clear("");
    this.draws(slug, this.typed(slug, stored, locale), { locale, pointer: use.pointer });
  }

  /**
   * The document with typed texts in place of their ids.
   * @private
   * @param {string} slug
   * @param {any} stored
   * @param {string} locale
   */
  typed(slug, stored, locale) {
    const rows = this.around.rows();
    const edits = this.around.edits.list.filter((edit) => edit.locale === locale);
    const own = edits.filter(({ id }) => rows.get(id)?.flow?.slug === slug);
    const [target] = targetsOf(this.around.app, own, rows);
    const document = target ? target.target.apply(stored, own) : structuredClone(stored);
    for (const { id, text } of edits) {
      for (const { recipe, pointer } of rows.get(id)?.uses ?? []) {
        if (recipe !== slug || rows.get(id)?.flow || text === "") continue;
        const slash = pointer.lastIndexOf("/");
        const outer = valueAt(document, pointer.slice(0, slash));
        const key = pointer.slice(slash + 1).replaceAll("~1", "/").replaceAll("~0", "~");
        if (outer && typeof outer[key] === "string") outer[key] = text;
      }
    }
    return document;
  }

  /** @private @param {string} slug @param {any} value @param {{locale: string, pointer: string}} look */
  draws(slug, value, look) {
    const text = JSON.stringify(value);
    if (this.preview?.slug !== slug) {
      this.preview?.pane.leave();
      const document = {
        text,
        value,
        isSound: true,
        get: (/** @type {string} */ pointer) => valueAt(document.value, pointer),
      };
      const pane = previewPane({ app: this.around.app, slug, document, look, isStill: true });
      this.preview = { slug, pane, document };
      const known = this.around.all.find((recipe) => recipe.slug === slug);
      const name = t("texts.preview.of", { name: known ? recipes.nameOf(known) : slug });
      this.stage.replaceChildren(h("h2", {}, name), pane);
      return;
    }
    Object.assign(this.preview.document, { text, value });
    this.preview.pane.update(look);
  }

  /** @private @param {string} words */
  clear(words) {
    this.preview?.pane.leave();
    this.preview = undefined;
    this.stage.replaceChildren(words ? h("p", { class: "muted" }, words) : "");
  }
}
