// The export of texts to a file, and the import from a file.

import { h } from "../../shared/dom.js";
import { menu } from "../elements/menu.js";
import { toast } from "../elements/toast.js";
import { t } from "../texts.js";
import { csv, readFile, tables } from "../translation/exchange.js";
import { can } from "../session.js";
import { languageName } from "./texts-bar.js";

/** @typedef {import("./texts.js").TextsPage} TextsPage */

const largestFile = 4 << 20;

/** @param {TextsPage} page @returns {HTMLElement[]} */
export function filesMenu(page) {
  const input = h("input", {
    type: "file",
    accept: ".csv,.json,text/csv,application/json",
    hidden: true,
    onchange: () => void take(page, input),
  });
  return [
    input,
    ...menu(t("texts.files"), () => [
      {
        label: t("texts.export.csv"),
        icon: "download",
        run: () => save(`${page.app}-texts.csv`, sheet(page), "text/csv"),
      },
      {
        label: t("texts.export.json", { language: languageName(page.locale) }),
        icon: "download",
        run: () => save(`${page.locale}.json`, document_(page), "application/json"),
      },
      ...(page.canEdit ? [{ label: t("texts.import"), icon: "upload", run: () => input.click() }] : []),
    ]),
  ];
}

/** The listed texts, in the default language and the other one. @param {TextsPage} page */
function sheet(page) {
  const locales = [...new Set([page.texts.fallback, page.locale])];
  const rows = page.grid.rows.filter((row) => !row.flow);
  return csv([
    ["id", ...locales],
    ...rows.map((row) => [row.id, ...locales.map((locale) => page.textOf(row, locale))]),
  ]);
}

/** All texts of the language, in the stored format. @param {TextsPage} page */
function document_(page) {
  const rows = page.texts.rows.filter((row) => !row.flow && page.textOf(row, page.locale) !== "");
  return JSON.stringify(tables(rows.map((row) => [row.id, page.textOf(row, page.locale)])), null, 2) + "\n";
}

/** @param {string} name @param {string} text @param {string} type */
function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {TextsPage} page @param {HTMLInputElement} input */
async function take(page, input) {
  const [file] = input.files ?? [];
  input.value = "";
  if (!file) return;
  if (file.size > largestFile) return toast(t("texts.import.size"));
  try {
    const locales = [page.texts.fallback, ...page.others];
    const found = readFile(file.name, await file.text(), page.locale, locales);
    const known = found.filter(({ id }) => page.byId.has(id) && (!page.byId.get(id)?.flow || can("publish")));
    let count = 0;
    for (const { id, locale, text } of known) {
      const row = page.byId.get(id);
      if (!row || page.textOf(row, locale) === text) continue;
      page.edits.set(id, locale, text, row.texts.get(locale) ?? "");
      count += 1;
    }
    page.changed();
    page.filter();
    const left = found.length - known.length;
    toast([
      t("texts.imported", { count }),
      ...(left > 0 ? [t("texts.imported.unknown", { count: left })] : []),
    ].join(" "));
  } catch (error) {
    toast(t(error instanceof Error ? error.message : "texts.import.shape"));
  }
}
