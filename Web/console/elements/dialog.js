// Dialogs, for example before an irreversible action.

import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";

/**
 * Asks for confirmation of an irreversible action. The safe button has the focus.
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
 * Shows a dialog until it is closed, and then restores the focus.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} [first] the element that gets the focus
 * @returns {Promise<string>} the return value of the dialog
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
