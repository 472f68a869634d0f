// The note below a text that may be an id of the app's tables: its languages, or a button that makes the text an id.

import { Problem } from "../api.js";
import { keysOf, pointerOf } from "../document/pointers.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { sentence } from "../recipes.js";
import { can } from "../session.js";
import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";
import { idPattern } from "./app-texts.js";
import { textPointers } from "./plain-texts.js";

/**
 * @param {string} pointer
 * @param {import("../forms/fields.js").FormContext} context
 * @returns {{element: HTMLElement, update: () => void} | undefined}
 */
export function textNote(pointer, { document, texts, announce }) {
  if (!texts) return undefined;
  const told = h("span", { class: "hint" });
  const offer = h("button", {
    type: "button",
    class: "link",
    onclick: async () => {
      const text = String(document.get(pointer));
      const id = await askID(texts, suggestion(document, pointer, texts), text);
      if (id === undefined) return;
      document.set(pointer, id);
      announce(t("textid.done", { id }));
    },
  }, t("textid.make"));
  const all = h("button", { type: "button", class: "link", onclick: () => makeAll(document, texts, announce) });
  const element = h("p", { class: "text-note" }, told, offer, " ", all);
  const update = () => {
    const value = document.get(pointer);
    const text = typeof value === "string" ? value : "";
    const known = texts.textOf(text);
    offer.hidden = !isPlain(text, texts) || !can("publish");
    const plain = offer.hidden ? [] : plainPointers(document, texts);
    all.hidden = plain.length < 2 || !plain.includes(pointer);
    all.textContent = t("textid.all", { count: plain.length });
    told.hidden = known === undefined;
    told.textContent = known === undefined ? "" : t("textid.of", { text: known, ...texts.countOf(text) });
    element.hidden = offer.hidden && told.hidden;
  };
  return { element, update };
}

/** @typedef {import("./app-texts.js").AppTexts} AppTexts @typedef {import("../document/document.js").JSONDocument} JSONDocument */

/** Whether a text is for people and no id. @param {string} text @param {AppTexts} texts */
const isPlain = (text, texts) => /\p{L}/u.test(text) && texts.textOf(text) === undefined && !idPattern.test(text);

/** The pointers of a document's texts that are no ids. @param {JSONDocument} document @param {AppTexts} texts */
const plainPointers = (document, texts) =>
  textPointers(document.get("")).filter((pointer) => isPlain(String(document.get(pointer)), texts));

/**
 * Makes every plain text of the document an id, which follows from its place, and stores the texts in one write.
 * @param {JSONDocument} document @param {AppTexts} texts @param {(words: string) => void} announce
 */
async function makeAll(document, texts, announce) {
  /** @type {Map<string, string>} */
  const added = new Map();
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const pointer of plainPointers(document, texts)) {
    const id = suggestion(document, pointer, texts, added);
    added.set(id, String(document.get(pointer)));
    ids.set(pointer, id);
  }
  try {
    const isLive = await texts.addAll(added);
    for (const [pointer, id] of ids) document.set(pointer, id);
    const words = t(isLive ? "textid.all.stored" : "textid.all.waits", { count: added.size });
    toast(words);
    announce(words);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    toast(sentence(error));
  }
}

/**
 * A suggested id from the position of the text.
 * @param {JSONDocument} document
 * @param {string} pointer
 * @param {AppTexts} texts
 * @param {Map<string, string>} [taken] ids that are taken besides those of the tables
 */
function suggestion(document, pointer, texts, taken = new Map()) {
  const keys = keysOf(pointer);
  const last = keys[keys.length - 1];
  const isMain = ["title", "question", "text"].includes(last);
  // The ids of the items around the text: of a question, and of its option.
  const owners = keys.slice(0, -1).flatMap((_, place) => {
    const id = document.get(pointerOf([...keys.slice(0, place + 1), "id"]));
    return typeof id === "string" ? [id.replaceAll(/\s+/g, "_")] : [];
  });
  const isLabel = last === "label" && owners.length > 1;
  const name = owners.length > 0
    ? [...owners, ...(isMain || isLabel ? [] : [last])].join(".")
    : keys.filter((key) => !/^\d+$/.test(key)).slice(-2).join(".");
  const title = String(document.get("/name") ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "");
  const table = texts.tables[0] ??
    (title.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, next) => next.toUpperCase()).replace(/^[^A-Za-z]+/, "") || "Texts");
  let id = `${table}/${name}`;
  for (let number = 2; texts.textOf(id) !== undefined || taken.has(id); number += 1) id = `${table}/${name}_${number}`;
  return id;
}

/**
 * Asks for the id, and stores the text under it.
 * @param {import("./app-texts.js").AppTexts} texts @param {string} suggested @param {string} text
 * @returns {Promise<string | undefined>}
 */
async function askID(texts, suggested, text) {
  const [heading, label, finding] = [uniqueId("title"), uniqueId("id"), uniqueId("finding")];
  const input = h("input", {
    class: "field code",
    id: label,
    value: suggested,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": finding,
  });
  const note = h("div", { class: "finding", id: finding, role: "alert" });
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const send = async () => {
    const id = input.value.trim();
    const problem = !idPattern.test(id) ? "textid.pattern" : texts.textOf(id) !== undefined ? "textid.taken" : "";
    note.textContent = problem && t(problem, { id });
    if (problem) return input.focus();
    try {
      const isLive = await texts.add(id, text);
      toast(t(isLive ? "textid.stored" : "textid.waits", { id }));
      dialog.close(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      note.textContent = sentence(error);
    }
  };
  const form = h(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void send();
      },
    },
    h("h2", { id: heading }, t("textid.title")),
    h("p", {}, t("textid.body", { text, locale: texts.locale })),
    h("div", { class: "form-field" }, h("label", { for: label }, t("textid.id")), input, note),
    h(
      "div",
      { class: "dialog-actions" },
      button(t("action.cancel"), "close", () => dialog.close("")),
      button(t("textid.do"), "check", () => void send(), "primary"),
    ),
  );
  dialog.append(form);
  return await show(dialog, input) || undefined;
}
