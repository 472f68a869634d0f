// Dialogs, for what cannot be undone.

import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";

/**
 * Asks before something that cannot be undone. The safe button has the focus.
 * @param {{title: string, body: string, action: string}} texts
 * @returns {Promise<boolean>}
 */
export function confirm({ title, body, action }) {
  const [heading, text] = [uniqueId("title"), uniqueId("text")];
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading, "aria-describedby": text });
  const button = (/** @type {string} */ label, /** @type {string} */ value, /** @type {string} */ look) =>
    h("button", { type: "button", class: `button ${look}`, onclick: () => dialog.close(value) }, label);
  const cancel = button(t("action.cancel"), "", "");
  dialog.append(
    h("h2", { id: heading }, title),
    h("p", { id: text }, body),
    h("div", { class: "dialog-actions" }, cancel, button(action, "yes", "danger primary")),
  );
  return show(dialog, cancel).then((value) => value === "yes");
}

/**
 * Shows a dialog until it is closed, and gives the focus back.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} [first] what has the focus
 * @returns {Promise<string>} what it was closed with
 */
export function show(dialog, first) {
  const before = document.activeElement;
  document.body.append(dialog);
  dialog.showModal();
  first?.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      resolve(dialog.returnValue);
    })
  );
}
