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
  const element = h("p", { class: "text-note" }, told, offer);
  const update = () => {
    const value = document.get(pointer);
    const text = typeof value === "string" ? value : "";
    const known = texts.textOf(text);
    offer.hidden = text.trim() === "" || known !== undefined || idPattern.test(text) || !can("publish");
    told.hidden = known === undefined;
    told.textContent = known === undefined ? "" : t("textid.of", { text: known, ...texts.countOf(text) });
    element.hidden = offer.hidden && told.hidden;
  };
  return { element, update };
}

/**
 * A suggested id from the position of the text.
 * @param {import("../document/document.js").JSONDocument} document
 * @param {string} pointer
 * @param {import("./app-texts.js").AppTexts} texts
 */
function suggestion(document, pointer, texts) {
  const keys = keysOf(pointer);
  const last = keys[keys.length - 1];
  const item = document.get(pointerOf([...keys.slice(0, -1), "id"]));
  const isMain = ["title", "question", "text"].includes(last);
  const name = typeof item === "string"
    ? (isMain ? item : `${item}.${last}`)
    : keys.filter((key) => !/^\d+$/.test(key)).slice(-2).join(".");
  const title = String(document.get("/name") ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "");
  const table = texts.tables[0] ??
    (title.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, next) => next.toUpperCase()).replace(/^[^A-Za-z]+/, "") || "Texts");
  let id = `${table}/${name}`;
  for (let number = 2; texts.textOf(id) !== undefined; number += 1) id = `${table}/${name}_${number}`;
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
