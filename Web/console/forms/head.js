// The head of the editor: the name of the document, its save state, and the actions.

import { h } from "../../shared/dom.js";
import { button } from "../elements/parts.js";
import { clock, t } from "../texts.js";

/**
 * @typedef {{name: string, back: string | undefined, isManifest: boolean, findings: HTMLElement, tabs: HTMLElement,
 *   save: () => void, review: () => void, step: (direction: "undo" | "redo") => void}} HeadOptions
 */

export class EditorHead {
  /** @param {HeadOptions} options */
  constructor({ name, back, isManifest, findings, tabs, save, review, step }) {
    this.isManifest = isManifest;
    this.status = h("span", { class: "edit-status muted" });
    this.undo = button(t("action.undo"), "undo", () => step("undo"), "quiet icon-only");
    this.redo = button(t("edit.redo"), "redo", () => step("redo"), "quiet icon-only");
    this.save = button(t(isManifest ? "manifest.do" : "edit.save"), "check", save, isManifest ? "primary" : "");
    this.review = button(t("edit.review"), "eye", review, "primary");
    const heading = h("h1", { tabindex: "-1" }, name);
    this.element = h(
      "div",
      { class: "edit-head" },
      h("div", { class: "edit-name" }, back ? h("a", { href: back }, heading) : heading, this.status),
      findings,
      h("div", { class: "edit-tools" }, tabs, h("div", {}, this.undo, this.redo), this.save, this.review),
    );
  }

  /** @param {import("./editing.js").Editing} editing @param {boolean} isEditable @param {boolean} isReader */
  update(editing, isEditable, isReader) {
    const { past, future, isSound } = editing.document;
    const disable = (/** @type {HTMLElement} */ element, /** @type {boolean} */ isDisabled) =>
      element.setAttribute("aria-disabled", String(isDisabled));
    this.status.textContent = statusOf(editing);
    this.save.hidden = isReader;
    this.review.hidden = isReader || this.isManifest;
    this.save.setAttribute("aria-busy", String(editing.isSaving));
    disable(this.save, !isEditable || !isSound || !(editing.isChanged || editing.isNew));
    disable(this.review, !isEditable || !isSound);
    disable(this.undo, past.length === 0);
    disable(this.redo, future.length === 0);
  }
}

/** The text about where the typed text is stored. @param {import("./editing.js").Editing} editing */
function statusOf(editing) {
  if (editing.isSaving) return t("edit.saving");
  if (!editing.isStored) return t("edit.notkept");
  if (!editing.isChanged && !editing.isNew) return t("edit.clean");
  if (!editing.keptAt) return t("edit.changed");
  return t("edit.kept", { time: clock(new Date(editing.keptAt)) });
}
