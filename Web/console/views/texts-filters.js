// The filters of the grid of texts.

import { h } from "../../shared/dom.js";
import { ask } from "../elements/note.js";
import { notice } from "../elements/notice.js";
import { compare, t } from "../texts.js";
import { check } from "../translation/checks.js";
import { languageName } from "./texts-bar.js";

/** @typedef {import("../translation/rows.js").Row} Row */

const names = /** @type {const} */ (["locale", "show", "table", "used_by"]);
const shows = ["all", "missing", "changed", "findings", "unused"];

export class TextFilters {
  /** @param {import("./texts.js").TextsPage} page */
  constructor(page) {
    this.page = page;
    /** @type {Record<string, HTMLSelectElement>} */
    this.selects = Object.fromEntries(names.map((name) => [
      name,
      h("select", { class: "field", onchange: () => this.choose(name, this.selects[name].value) }),
    ]));
    this.elements = names.map((name) =>
      h("label", {}, t(name === "used_by" ? "texts.used" : `texts.${name}`), this.selects[name])
    );
  }

  /** @private @param {string} name @param {string} value */
  async choose(name, value) {
    if (name === "locale" && value === "+") return void await this.addLocale();
    this.page.options.shell.replace({ [name]: value });
  }

  /** @private */
  async addLocale() {
    const typed = await ask({
      title: t("texts.locale.title"),
      body: t("texts.locale.body"),
      action: t("texts.locale.do"),
      fields: [{ label: t("texts.locale.tag"), hint: t("texts.locale.hint"), value: "", maximum: 35 }],
    });
    const tag = typed?.[0] ?? "";
    if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) this.page.added.push(tag);
    else if (tag) this.page.offer.replaceChildren(notice("warning", t("texts.locale.wrong", { tag })));
    this.page.options.shell.replace({ locale: this.page.added.at(-1) ?? this.page.locale });
  }

  /** Fills the fields with their choices and their current values. */
  fill() {
    const option = (/** @type {string} */ value, /** @type {string} */ label) => h("option", { value }, label);
    const { locale, show, table, used_by: used } = this.selects;
    locale.replaceChildren(
      ...this.page.others.map((tag) => option(tag, languageName(tag))),
      option(this.page.texts.fallback, t("texts.default", { language: languageName(this.page.texts.fallback) })),
      this.page.canEdit ? option("+", t("texts.locale.add")) : "",
    );
    locale.value = this.page.locale;
    show.replaceChildren(...shows.map((name) => option(name === "all" ? "" : name, t(`texts.show.${name}`))));
    const tables = [...new Set(this.page.texts.rows.map(({ table }) => table))].sort(compare);
    table.replaceChildren(option("", t("texts.all")), ...tables.map((name) => option(name, name)));
    const users = [...new Set(this.page.texts.rows.flatMap(({ uses }) => uses.map(({ recipe }) => recipe ?? "")))];
    const named = users.map((slug) => ({ slug, name: this.page.nameOf(slug || null) }));
    named.sort((left, right) => compare(left.name, right.name));
    used.replaceChildren(option("", t("texts.all")), ...named.map(({ slug, name }) => option(slug || "-", name)));
    for (const name of ["show", "table", "used_by"]) this.selects[name].value = this.page.query.get(name) ?? "";
  }

  /** Whether a row is listed. @param {Row} row @param {string[]} words @param {Set<Row>} absent */
  isWanted(row, words, absent) {
    const { fallback } = this.page.texts;
    const [table, used, show] = ["table", "used_by", "show"].map((name) => this.page.query.get(name) ?? "");
    if (table && row.table !== table) return false;
    if (used && !row.uses.some(({ recipe }) => (recipe ?? "-") === used)) return false;
    const own = [fallback, this.page.locale];
    if (show === "missing" && !absent.has(row)) return false;
    if (show === "changed" && !own.some((locale) => this.page.edits.of(row.id, locale))) return false;
    if (show === "unused" && row.uses.length > 0) return false;
    const original = this.page.textOf(row, fallback);
    if (show === "findings" && check(original, this.page.textOf(row, this.page.locale)).length === 0) return false;
    const text = `${row.id} ${original} ${this.page.textOf(row, this.page.locale)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  }
}
