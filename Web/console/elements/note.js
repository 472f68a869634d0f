// The note on a recipe: the responsible person and the labels.

import { h, uniqueId } from "../../shared/dom.js";
import * as recipes from "../recipes.js";
import { t } from "../texts.js";
import { show } from "./dialog.js";
import { toast } from "./toast.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/**
 * Asks for texts in a dialog. The result is undefined if the person cancels.
 * @param {{title: string, body: string, action: string,
 *   fields: {label: string, value: string, hint?: string, isLong?: boolean, maximum: number}[]}} of
 * @returns {Promise<string[] | undefined>}
 */
export async function ask({ title, body, action, fields }) {
  const heading = uniqueId("title");
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const inputs = fields.map(({ value, isLong, maximum, hint }) => {
    const id = uniqueId("field");
    const input = h(isLong ? "textarea" : "input", {
      class: "field",
      id,
      maxlength: maximum,
      rows: isLong ? 4 : undefined,
      autocomplete: "off",
      "aria-describedby": hint && `${id}-hint`,
    });
    input.value = value;
    return input;
  });
  const cancel = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.cancel"));
  const form = h(
    "form",
    {
      class: "ask",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        dialog.close("yes");
      },
    },
    fields.map(({ label, hint }, place) =>
      h(
        "div",
        { class: "form-field" },
        h("label", { for: inputs[place].id }, label),
        hint && h("p", { class: "hint", id: `${inputs[place].id}-hint` }, hint),
        inputs[place],
      )
    ),
    h("div", { class: "dialog-actions" }, cancel, h("button", { type: "submit", class: "button primary" }, action)),
  );
  dialog.append(h("h2", { id: heading }, title), h("p", {}, body), form);
  return await show(dialog, inputs[0]) === "yes" ? inputs.map(({ value }) => value.trim()) : undefined;
}

/** Changes the owner and the labels. @param {string} app @param {Recipe} recipe */
export async function editNote(app, recipe) {
  const name = recipes.nameOf(recipe);
  const typed = await ask({
    title: t("note.title", { name }),
    body: t("note.body"),
    action: t("note.do"),
    fields: [
      { label: t("note.owner"), value: recipe.owner ?? "", maximum: 64 },
      {
        label: t("note.labels"),
        value: (recipe.labels ?? []).join(", "),
        hint: t("note.labels.hint"),
        maximum: 1000,
      },
    ],
  });
  if (!typed) return;
  const labels = typed[1].split(",").map((label) => label.trim()).filter(Boolean);
  const isDone = await recipes.tried(app, recipes.putNote(app, recipe.slug, { owner: typed[0] || null, labels }));
  if (isDone) toast(t("toast.noted", { name }));
}

/** The labels of a recipe, each a link to the recipes with this label. @param {string} app @param {Recipe} recipe */
export const labelChips = (app, recipe) =>
  (recipe.labels ?? []).map((label) =>
    h("a", {
      class: "chip",
      dir: "auto",
      href: `/console/a/${encodeURIComponent(app)}/recipes?label=${encodeURIComponent(label)}`,
    }, label)
  );
