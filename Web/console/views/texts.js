// All texts of an app in the default language and one other, as an editable grid.

import { h } from "../../shared/dom.js";
import { directionOf } from "../../shared/languages.js";
import { loadApps } from "../api.js";
import { find, Keeper } from "../document/drafts.js";
import { Grid } from "../elements/grid.js";
import { notice } from "../elements/notice.js";
import { takingOver } from "../elements/take-over.js";
import { icon } from "../icons.js";
import { isMac, setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { can, session } from "../session.js";
import { addTexts, ago, compare, currentLanguage, number, t } from "../texts.js";
import english from "../texts/en_texts.js";
import { check } from "../translation/checks.js";
import { Edits } from "../translation/edits.js";
import { byPlace, isMissing, loadTexts } from "../translation/rows.js";
import { languageName, TextsBar } from "./texts-bar.js";
import { TextDetails } from "./texts-details.js";
import { filesMenu } from "./texts-files.js";
import { TextFilters } from "./texts-filters.js";

addTexts(english);

/**
 * @typedef {import("../translation/rows.js").Row} Row
 * @typedef {import("../elements/grid.js").Column} Column
 */

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function texts(context, shell) {
  const { app } = context.parameters;
  const { signal } = context;
  const [all, apps] = await Promise.all([recipes.reload(app, signal), loadApps({ signal })]);
  const key = /** @type {import("../document/drafts.js").Key} */ ([session().name, app, "the texts"]);
  const [loaded, kept] = await Promise.all([loadTexts(app, all, signal), find(key)]);
  const isFile = apps.find((item) => item.app === app)?.read_only ?? false;
  const page = new TextsPage({ app, all, shell, signal, key, isFile, query: context.query }, loaded);
  page.start(kept);
  setPageKeys({ "/": () => page.search.focus() });
  return {
    element: page.element,
    title: t("texts.title"),
    update: ({ query }) => page.show(query),
    // Whoever came to fill in texts types the first one.
    focus: page.canEdit && page.grid.rows.length > 0 && context.query.get("show") === "missing"
      ? () => page.grid.focus()
      : undefined,
    leave: () => page.leave(),
  };
}

export class TextsPage {
  /**
   * @param {{app: string, all: recipes.Recipe[], shell: import("../main.js").Shell, signal: AbortSignal,
   *   key: import("../document/drafts.js").Key, isFile: boolean, query: URLSearchParams}} options
   * @param {import("../translation/rows.js").Texts} loaded
   */
  constructor(options, loaded) {
    this.options = options;
    this.app = options.app;
    this.texts = loaded;
    this.query = options.query;
    this.edits = new Edits();
    this.locale = loaded.fallback;
    /** @type {string[]} The languages that were added here and have no text yet. */
    this.added = [];
    this.byId = new Map(loaded.rows.map((row) => [row.id, row]));
    const { app, all, signal, shell } = options;
    const around = { app, all, signal, edits: this.edits, rows: () => this.byId };
    this.details = new TextDetails(around);
    this.grid = new Grid({
      label: "",
      columns: [],
      onEdit: (row, column, text) =>
        this.edit(row, column.name === "default" ? this.texts.fallback : this.locale, text),
      onMove: (row, column) => this.look(row, column),
    });
    this.bar = new TextsBar(this);
    this.search = h("input", {
      type: "search",
      class: "field",
      placeholder: t("texts.search"),
      "aria-label": t("texts.search"),
      value: this.query.get("q") ?? "",
      oninput: () => shell.replace({ q: this.search.value }),
    });
    this.filters = new TextFilters(this);
    this.count = h("span", { class: "count", role: "status" });
    this.progress = h("progress", { class: "texts-progress" });
    this.offer = h("div", { class: "notices" });
    this.none = h("p", { class: "panel empty" });
    this.plain = h("div", {});
    this.keeper = new Keeper(options.key, () => this.draft(), () => undefined);
    this.onHide = () => void this.keeper.flush();
    addEventListener("pagehide", this.onHide);
    this.element = this.layout();
  }

  /** @private */
  layout() {
    return h(
      "div",
      { class: "texts" },
      h(
        "div",
        { class: "page-head" },
        h("h1", { tabindex: "-1" }, t("texts.title")),
        h("div", { class: "page-facts" }, this.progress, this.count, h("div", { class: "actions" }, filesMenu(this))),
      ),
      this.reader(),
      this.offer,
      this.bar.notices,
      h(
        "div",
        { class: "filters" },
        h("span", { class: "search" }, icon("search"), this.search),
        this.filters.elements,
      ),
      this.plain,
      this.grid.element,
      this.none,
      h("p", { class: "hint texts-keys" }, t("texts.keys", { key: isMac ? "⌘⏎" : "Ctrl ⏎" })),
      this.bar.element,
      this.details.element,
    );
  }

  leave() {
    this.grid.close(true);
    removeEventListener("pagehide", this.onHide);
    void this.keeper.flush();
    this.grid.leave();
    this.details.leave();
  }

  /** @private */
  draft() {
    return this.edits.list.length === 0 ? undefined : { text: this.edits.text, base: "", etag: "", at: Date.now() };
  }

  get canEdit() {
    return can("texts") && !this.options.isFile;
  }

  /** Whether drafts of others may be put live or discarded. */
  get canReview() {
    return can("review") && !this.options.isFile;
  }

  /** Chooses the language next to the default: the selected one, or else the first with missing texts. @private */
  chooseLocale() {
    const wanted = this.query.get("locale");
    const others = this.others;
    this.locale = wanted && (others.includes(wanted) || wanted === this.texts.fallback)
      ? wanted
      : others.find((locale) => this.missing(locale).length > 0) ?? others[0] ?? this.texts.fallback;
  }

  get others() {
    const all = new Set([...this.texts.locales, ...this.added]);
    all.delete(this.texts.fallback);
    return [...all].sort((left, right) => compare(languageName(left), languageName(right)));
  }

  /** The text of a cell. @param {Row} row @param {string} locale */
  textOf(row, locale) {
    return this.edits.of(row.id, locale)?.text ?? row.texts.get(locale) ?? "";
  }

  /** @param {string} locale */
  missing(locale) {
    return this.texts.rows.filter((row) => isMissing(row, locale, (other) => this.textOf(row, other)));
  }

  /** @param {import("../document/drafts.js").Draft | undefined} kept */
  start(kept) {
    this.offerKept(kept);
    this.show(this.query);
  }

  /** @private */
  reader() {
    if (this.options.isFile) return notice("lock", t("recipe.file"), takingOver(this.options.app));
    return can("texts") ? null : notice("lock", t("texts.reader"));
  }

  /** @private @param {import("../document/drafts.js").Draft | undefined} kept */
  offerKept(kept) {
    const edits = kept ? Edits.read(kept.text).filter(({ id }) => this.byId.has(id)) : [];
    if (!kept || edits.length === 0 || !this.canEdit) return;
    const done = () => {
      this.offer.replaceChildren();
      this.changed();
      this.filter();
      this.grid.element.focus();
    };
    const words = t("texts.offer", { count: edits.length, time: ago(new Date(kept.at)) });
    this.offer.replaceChildren(notice("clock", words, [
      {
        label: t("texts.goon"),
        icon: "pencil",
        look: "primary",
        run: () => {
          for (const { id, locale, text, base } of edits) this.edits.set(id, locale, text, base);
          done();
        },
      },
      { label: t("texts.discard"), icon: "trash", run: done },
    ]));
  }

  /** @param {URLSearchParams} query */
  show(query) {
    this.query = query;
    this.chooseLocale();
    if (document.activeElement !== this.search) this.search.value = query.get("q") ?? "";
    this.grid.setColumns(t("texts.label", { language: languageName(this.locale) }), this.columns());
    this.filters.fill();
    this.filter();
  }

  /** @private @returns {Column[]} */
  columns() {
    const { fallback } = this.texts;
    /** @type {Column} */
    const id = {
      name: "id",
      label: t("texts.id"),
      isHead: true,
      text: (row) => `${row.table}/${row.key}`,
      content: (row) => [h("bdi", { class: "muted" }, row.table, row.flow ? " › " : "/"), h("bdi", {}, row.key)],
    };
    const cells = [...new Set([fallback, this.locale])].map((locale) => ({
      name: locale === fallback ? "default" : "other",
      label: locale === fallback ? t("texts.default", { language: languageName(locale) }) : languageName(locale),
      isEditable: this.canEdit,
      canEdit: (/** @type {Row} */ row) => !row.flow || can("publish"),
      lang: locale,
      dir: directionOf(locale),
      text: (/** @type {Row} */ row) => this.textOf(row, locale),
      content: (/** @type {Row} */ row) => this.content(row, locale),
    }));
    return [id, ...cells, {
      name: "uses",
      label: t("texts.uses"),
      text: (row) => this.usesText(row),
      content: (row) => this.usesText(row),
    }];
  }

  /** @private @param {Row} row */
  usesText(row) {
    if (row.uses.length === 0) return "—";
    const names = row.uses.map(({ recipe }) => this.nameOf(recipe));
    return [...new Set(names)].join(", ");
  }

  /** @param {string | null} slug null: the manifest */
  nameOf(slug) {
    if (slug === null) return t("texts.manifest");
    const known = this.options.all.find((recipe) => recipe.slug === slug);
    return known ? recipes.nameOf(known) : slug;
  }

  /** @private @param {Row} row @param {string} locale */
  content(row, locale) {
    const text = this.textOf(row, locale);
    const isTyped = this.edits.of(row.id, locale) !== undefined;
    const findings = locale === this.texts.fallback ? [] : check(this.textOf(row, this.texts.fallback), text);
    const isAbsent = isMissing(row, locale, (other) => this.textOf(row, other));
    return [
      isTyped && h("span", { class: "texts-dot" }, h("span", { class: "hidden-text" }, t("texts.changed"))),
      findings.length > 0 && h("span", { class: "texts-warning" }, icon("warning")),
      isAbsent
        ? h("span", { class: "texts-missing", lang: currentLanguage(), dir: "auto" }, t("texts.missing"))
        : text || "—",
    ];
  }

  /** Selects and sorts the listed rows. Rows keep their positions while a person types. */
  filter() {
    const { locale } = this;
    const words = (this.query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const isAbsent = new Set(this.missing(locale));
    const found = this.texts.rows.filter((row) => this.filters.isWanted(row, words, isAbsent));
    found.sort((left, right) => Number(isAbsent.has(right)) - Number(isAbsent.has(left)) || byPlace(left, right));
    this.none.hidden = found.length > 0;
    this.grid.element.hidden = found.length === 0;
    const isDone = this.query.get("show") === "missing" && this.texts.rows.length > 0;
    this.none.textContent = isDone
      ? t("texts.done", { language: languageName(locale) })
      : t(this.texts.rows.length === 0 ? "texts.empty" : "texts.none");
    this.details.element.hidden = found.length === 0;
    this.grid.at.column = Math.min(this.texts.fallback === locale ? 1 : 2, this.grid.options.columns.length - 1);
    this.grid.setRows(found);
    this.tell();
    this.bar.update();
  }

  /**
   * Where the plain texts are, with the form in which they become translatable.
   * @private @param {import("../translation/rows.js").Plain[]} plain
   */
  plainWords(plain) {
    if (plain.length === 0) return [];
    const slugs = [...new Set(plain.map(({ recipe }) => recipe))];
    const links = slugs.flatMap((slug) => {
      const recipe = this.options.all.find((recipe) => recipe.slug === slug);
      return recipe ? [" ", h("a", { href: recipes.recipeLink(this.app, slug, "edit") }, recipes.nameOf(recipe))] : [];
    });
    return [h("p", { class: "muted" }, t("texts.plain", { count: plain.length }), links)];
  }

  /** @private */
  tell() {
    const named = this.texts.rows.filter(({ uses }) => uses.length > 0).length;
    // A plain text has no id, so no other language has it.
    const plain = this.locale === this.texts.fallback ? [] : this.texts.plain;
    const used = named + plain.length;
    const done = named - this.missing(this.locale).length;
    this.plain.replaceChildren(...this.plainWords(plain));
    const words = t("texts.progress", { language: languageName(this.locale), done, count: used });
    this.progress.max = Math.max(used, 1);
    this.progress.value = done;
    this.progress.setAttribute("aria-label", words);
    this.count.textContent = `${words} · ${
      t("texts.count", { shown: number(this.grid.rows.length), count: number(this.texts.rows.length) })
    }`;
  }

  // Typing.

  /** @param {Row} row @param {string} locale @param {string} text */
  edit(row, locale, text) {
    this.edits.set(row.id, locale, text, row.texts.get(locale) ?? "");
    this.changed();
    this.grid.refreshRow(row);
    this.tell();
  }

  /** Handles a change of the typed texts. */
  changed() {
    this.keeper.changed();
    this.bar.update();
  }

  /** @private @param {Row} row @param {Column} column */
  look(row, column) {
    const { fallback } = this.texts;
    const locale = column.name === "default" ? fallback : this.locale;
    const original = locale === fallback ? undefined : this.textOf(row, fallback);
    this.details.show(row, locale, original, this.textOf(row, locale));
  }

  /** Reloads the daemon's texts, and keeps the typed texts. */
  async reload() {
    const all = await recipes.reload(this.app, this.options.signal);
    this.texts = await loadTexts(this.app, all, this.options.signal);
    this.byId = new Map(this.texts.rows.map((row) => [row.id, row]));
    this.details.documents.clear();
    this.keeper.changed();
    await this.keeper.flush();
    recipes.changed(this.app);
    this.filters.fill();
    this.filter();
  }
}
