// The head of the editor: the name of the document, its save state, and the actions.

import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { button } from "../elements/parts.js";
import { clock, t } from "../texts.js";

/**
 * @typedef {{name: string, back: string | undefined, isManifest: boolean, findings: HTMLElement, tabs: HTMLElement,
 *   save: () => void, review: () => void, step: (direction: "undo" | "redo") => void,
 *   choose?: (slug: string) => void}} HeadOptions `choose` sets the slug of a new recipe
 */

export class EditorHead {
  /** @param {HeadOptions} options */
  constructor({ name, back, isManifest, findings, tabs, save, review, step, choose }) {
    this.isManifest = isManifest;
    this.status = h("span", { class: "edit-status muted" });
    this.undo = button(t("action.undo"), "undo", () => step("undo"), "quiet icon-only");
    this.redo = button(t("edit.redo"), "redo", () => step("redo"), "quiet icon-only");
    this.save = button(t(isManifest ? "manifest.do" : "edit.save"), "check", save, isManifest ? "primary" : "");
    this.review = button(t("edit.review"), "eye", review, "primary");
    const heading = this.heading = h("h1", { tabindex: "-1" }, name);
    this.slug = choose && slugField(choose);
    this.element = h(
      "div",
      { class: "edit-head" },
      h(
        "div",
        { class: "edit-name" },
        back ? h("a", { href: back }, heading) : heading,
        this.status,
        this.slug?.element,
      ),
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
    if (this.slug) this.heading.textContent = editing.name || editing.slug;
    this.slug?.update(editing);
    this.save.hidden = isReader;
    this.review.hidden = isReader || this.isManifest;
    this.save.setAttribute("aria-busy", String(editing.isSaving));
    disable(this.save, !isEditable || !isSound || !(editing.isChanged || editing.isNew));
    disable(this.review, !isEditable || !isSound);
    disable(this.undo, past.length === 0);
    disable(this.redo, future.length === 0);
  }
}

/** The slug of a new recipe, until its first save. @param {(slug: string) => void} choose */
function slugField(choose) {
  const [id, faultID] = [uniqueId("slug"), uniqueId("fault")];
  const input = h("input", {
    id,
    class: "field code",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": faultID,
    oninput: () => choose(input.value.trim()),
  });
  const fault = h("span", { class: "finding", id: faultID });
  return {
    element: h("div", { class: "json-field" }, h("label", { for: id, class: "hint" }, t("edit.slug")), input, fault),
    /** @param {import("./editing.js").Editing} editing */
    update(editing) {
      const { wantedSlug: slug, slugFault } = editing;
      if (document.activeElement !== input) input.value = slug;
      fault.textContent = slugFault && t(slugFault, { slug });
      setAttribute(input, "aria-invalid", slugFault ? "true" : null);
      input.disabled = !editing.isNew;
    },
  };
}

/** The text about where the typed text is stored. @param {import("./editing.js").Editing} editing */
function statusOf(editing) {
  if (editing.isSaving) return t("edit.saving");
  if (!editing.isStored) return t("edit.notkept");
  if (!editing.isChanged && !editing.isNew) return t("edit.clean");
  if (!editing.keptAt) return t("edit.changed");
  return t("edit.kept", { time: clock(new Date(editing.keptAt)) });
}
