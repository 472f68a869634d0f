// Parts of the dialogs of the access page.

import { h, uniqueId } from "../../shared/dom.js";
import { copied } from "../elements/copy.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { t } from "../texts.js";

/** @param {string[][]} options */
export const select = (options) =>
  h("select", { class: "field" }, options.map(([value, label]) => h("option", { value }, label)));

/** @param {string} label @param {HTMLElement} input @param {string} [hint] @param {boolean} [isOptional] */
export function labelled(label, input, hint = "", isOptional = false) {
  const id = input.id = uniqueId("field");
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return h(
    "div",
    { class: "form-field" },
    h("label", { for: id }, label, isOptional && h("span", { class: "muted" }, ` (${t("access.form.optional")})`)),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
    input,
  );
}

/** The actions of a dialog: to leave it, or to do what it says. @param {HTMLDialogElement} dialog @param {string} action */
export const actionsOf = (dialog, action) =>
  h(
    "div",
    { class: "dialog-actions" },
    h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.cancel")),
    h("button", { type: "submit", class: "button primary" }, action),
  );

/**
 * Shows a secret, which the daemon tells only once.
 * @param {{title: string, once: string, label: string, text: string, hint?: string}} of
 */
export async function showOnce({ title, once, label, text, hint = "" }) {
  const heading = uniqueId("title");
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const close = () => dialog.close();
  const done = h("button", { type: "button", class: "button primary", onclick: close }, t("access.made.done"));
  const { element, copy } = secret(label, text, hint);
  dialog.append(
    h("h2", { id: heading }, title),
    h("p", {}, once),
    h("div", { class: "ask" }, element, h("div", { class: "dialog-actions" }, done)),
  );
  await show(dialog, copy);
}

/** @param {string} label @param {string} text @param {string} hint */
function secret(label, text, hint) {
  const field = h("input", { class: "field code", readonly: true, value: text, spellcheck: "false" });
  const copy = button(t("access.made.copy"), "copy", async () => {
    if (await copied(text)) toast(t("access.made.copied"));
    else field.select();
  });
  copy.setAttribute("aria-label", `${t("access.made.copy")}: ${label}`);
  const element = labelled(label, field, hint);
  field.remove();
  element.append(h("div", { class: "json-field" }, field, copy));
  return { element, copy };
}
