// The bar below the grid: unsaved texts, drafts, and the actions on both.

import { Problem } from "../api.js";
import { h, uniqueId } from "../../shared/dom.js";
import { confirm, show as showDialog } from "../elements/dialog.js";
import { notice } from "../elements/notice.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { sentence } from "../recipes.js";
import { can, session } from "../session.js";
import { currentLanguage, list, t } from "../texts.js";
import { discardDraft, publishDraft, saveDraft, targetsOf, tryDraft } from "../translation/saving.js";

/**
 * @typedef {import("../translation/edits.js").Edit} Edit
 * @typedef {import("../translation/edits.js").Meeting} Meeting
 * @typedef {import("./texts.js").TextsPage} TextsPage
 */

/** The name of a language. @param {string} locale */
export function languageName(locale) {
  try {
    return new Intl.DisplayNames(currentLanguage(), { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

export class TextsBar {
  /** @param {TextsPage} page */
  constructor(page) {
    this.page = page;
    this.isBusy = false;
    this.notices = h("div", { class: "notices" });
    this.words = h("p", { role: "status" });
    this.actions = h("div", { class: "texts-actions" });
    this.element = h(
      "div",
      { class: "texts-bar", role: "group", "aria-label": t("texts.bar") },
      this.words,
      this.actions,
    );
  }

  get approves() {
    return !!session().settings?.require_approval;
  }

  update() {
    const { edits, texts, locale, canEdit, canReview } = this.page;
    const counts = [...edits.counts];
    const draft = texts.drafts.get(locale);
    this.words.textContent = counts.length > 0
      ? list(counts.map(([locale, count]) => t("texts.changes", { count, language: languageName(locale) })))
      : draft
      ? t("texts.draft", { language: languageName(locale), revision: draft })
      : "";
    this.element.hidden = counts.length > 0 ? !canEdit : !draft || !(canEdit || canReview);
    const publish = this.approves || !canEdit ? "texts.approve" : "texts.publish";
    const focused = this.actions.contains(document.activeElement);
    const buttons = counts.length > 0
      ? [
        button(t("texts.discard"), "undo", () => this.discard()),
        button(t(this.approves ? "texts.ask" : "texts.save"), "check", () =>
          void this.save(), this.approves ? "primary" : ""),
        !this.approves && button(t("texts.publish"), "upload", () =>
          void this.publishTyped(), "primary"),
      ]
      : draft
      ? [
        button(t("texts.draft.discard"), "trash", () => void this.discardDraft(), "danger"),
        button(t(publish), "upload", () => void this.publish([locale]), "primary"),
      ]
      : [];
    this.actions.replaceChildren(...buttons.filter((one) => one !== false));
    this.element.toggleAttribute("aria-busy", this.isBusy);
    if (focused) this.page.grid.element.focus({ preventScroll: true });
  }

  /** @private @param {() => Promise<void>} work */
  async busy(work) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.element.setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      this.fail(error);
    } finally {
      this.isBusy = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  /** @private @param {unknown} error */
  fail(error) {
    const faults = error instanceof Problem && error.status === 422 ? error.body.errors ?? [] : [];
    const words = faults.length > 0
      ? `${t("texts.refused", { count: faults.length })} ${faults[0].message}`
      : `${sentence(error)} ${t("texts.safe")}`;
    this.notices.replaceChildren(
      notice("fault", words, [{ label: t("action.retry"), icon: "undo", run: () => void this.save() }], "is-fault"),
    );
  }

  discard() {
    for (const edit of this.page.edits.list) this.page.edits.drop(edit);
    this.notices.replaceChildren();
    this.page.changed();
    this.page.filter();
    toast(t("texts.discarded"));
  }

  /** @returns {Promise<void>} */
  save() {
    return this.busy(async () => void await this.saveAll());
  }

  /** @private @returns {Promise<boolean>} whether all is saved */
  async saveAll() {
    const { app, edits, texts } = this.page;
    this.notices.replaceChildren();
    const rows = this.page.byId;
    const before = new Map(texts.rows.map((row) => [row.id, new Map(row.texts)]));
    const touched = edits.list;
    let count = 0;
    /** @type {Meeting[]} */
    const meetings = [];
    for (const { target, edits: own } of targetsOf(app, touched, rows)) {
      const outcome = await saveDraft(target, own);
      for (const edit of outcome.saved) edits.drop(edit);
      count += outcome.saved.length;
      meetings.push(...outcome.meetings);
    }
    await this.page.reload();
    this.tellOthers(before, touched);
    if (meetings.length > 0) return await this.choose(meetings);
    toast(t(this.approves ? "texts.asked" : "texts.saved", { count }));
    return true;
  }

  /**
   * Reports that another author's texts were merged.
   * @private
   * @param {Map<string, Map<string, string>>} before
   * @param {Edit[]} own
   */
  tellOthers(before, own) {
    const mine = new Set(own.map(({ id, locale }) => `${locale}\n${id}`));
    const locales = new Set(own.map(({ locale }) => locale));
    let count = 0;
    for (const { id, texts } of this.page.texts.rows) {
      for (const locale of locales) {
        const isOther = (texts.get(locale) ?? "") !== (before.get(id)?.get(locale) ?? "");
        if (isOther && !mine.has(`${locale}\n${id}`)) count += 1;
      }
    }
    if (count > 0) this.notices.replaceChildren(notice("info", t("texts.merged", { count })));
  }

  /**
   * Asks for a choice for each text that both authors have changed.
   * @private
   * @param {Meeting[]} meetings
   * @returns {Promise<boolean>}
   */
  async choose(meetings) {
    const chosen = await askMeetings(meetings);
    if (!chosen) return false;
    meetings.forEach((meeting, place) => {
      const { id, locale, mine, theirs } = meeting;
      this.page.edits.drop({ id, locale, text: mine, base: meeting.base });
      if (!chosen[place]) this.page.edits.set(id, locale, mine, theirs);
    });
    this.page.changed();
    if (this.page.edits.list.length > 0) return await this.saveAll();
    this.page.grid.refresh();
    return true;
  }

  /** Saves the typed texts, and then publishes them. */
  publishTyped() {
    const locales = [...this.page.edits.counts.keys()];
    return this.busy(async () => {
      if (!await this.saveAll()) return;
      await this.publishAll(locales.filter((locale) => this.page.texts.drafts.has(locale)));
    });
  }

  /** @param {string[]} locales */
  publish(locales) {
    return this.busy(() => this.publishAll(locales));
  }

  /** @private @param {string[]} locales */
  async publishAll(locales) {
    const { app, texts: { drafts } } = this.page;
    for (const locale of locales) {
      const revision = drafts.get(locale);
      if (revision === undefined) continue;
      // A reviewer may not write, and so cannot try to.
      const warnings = can("texts") ? await tryDraft(app, locale) : [];
      const isSure = warnings.length === 0 || await confirm({
        title: t("texts.warn.title", { language: languageName(locale), count: warnings.length }),
        body: warnings.slice(0, 5).map((/** @type {{message: string}} */ { message }) => message).join(" "),
        action: t("texts.publish"),
      });
      if (!isSure) return;
      await publishDraft(app, locale, revision).catch(async (problem) => {
        await this.page.reload();
        throw problem;
      });
    }
    await this.page.reload();
    if (locales.length > 0) toast(t("texts.published", { languages: list(locales.map(languageName)) }));
  }

  /** @private */
  discardDraft() {
    const { locale, app } = this.page;
    const language = languageName(locale);
    return this.busy(async () => {
      const isSure = await confirm({
        title: t("texts.draft.title", { language }),
        body: t("texts.draft.body"),
        action: t("texts.draft.discard"),
      });
      if (!isSure) return;
      await discardDraft(app, locale);
      await this.page.reload();
      toast(t("texts.draft.discarded", { language }));
    });
  }
}

/**
 * @param {Meeting[]} meetings
 * @returns {Promise<boolean[] | undefined>} for each meeting, whether their text was chosen
 */
async function askMeetings(meetings) {
  const heading = uniqueId("title");
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog texts-meet", "aria-labelledby": heading });
  const names = meetings.map(() => uniqueId("meet"));
  const choice = (/** @type {string} */ name, /** @type {string} */ side, /** @type {string} */ text) =>
    h(
      "label",
      { class: "merge-choice" },
      h("input", { type: "radio", name, value: side, required: true }),
      h("span", {}, t(`texts.meet.${side}`)),
      h("bdi", {}, text || t("texts.meet.none")),
    );
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
    meetings.map(({ id, base, mine, theirs }, place) =>
      h(
        "fieldset",
        {},
        h("legend", {}, h("code", {}, id.split("\n").slice(-2).join(" › "))),
        h(
          "div",
          { class: "merge-base" },
          h("span", {}, t("texts.meet.base")),
          h("bdi", {}, base || t("texts.meet.none")),
        ),
        choice(names[place], "mine", mine),
        choice(names[place], "theirs", theirs),
      )
    ),
    h(
      "div",
      { class: "dialog-actions" },
      cancel,
      h("button", { type: "submit", class: "button primary" }, t("texts.meet.do")),
    ),
  );
  dialog.append(
    h("h2", { id: heading }, t("texts.meet.title", { count: meetings.length })),
    h("p", {}, t("texts.meet.body")),
    form,
  );
  if (await showDialog(dialog, form.querySelector("input")) !== "yes") return undefined;
  return names.map((name) => form.elements.namedItem(name)?.value === "theirs");
}
