// The page of the editor: its layout, and the effects of changes.

import { h, uniqueId } from "../../shared/dom.js";
import { draftKey, drop } from "../document/drafts.js";
import { contains, keysOf } from "../document/pointers.js";
import { JSONField } from "../elements/json.js";
import { lookOf, lookText, previewPane } from "../elements/preview.js";
import { sizePane } from "../elements/segment-size.js";
import { isMac } from "../keys.js";
import { kindNamed } from "../kinds.js";
import { released } from "../press.js";
import { recipeLink } from "../recipes.js";
import { t } from "../texts.js";
import { formContext, suggestionLists } from "./context.js";
import { Visited } from "./findings.js";
import { FindingsList } from "./findings_list.js";
import { Form } from "./form.js";
import { EditorHead } from "./head.js";
import { itemsOf } from "./items.js";
import { Notices } from "./notices.js";
import { Outline } from "./outline.js";
import { labelOf } from "./fields.js";
import { expand, placeOf } from "./sections.js";
import { views, viewTabs } from "./tabs.js";

/**
 * @typedef {{heading?: boolean, first?: boolean, pointer?: string, button?: string}} Wanted the focus: the heading,
 *   the first field, the field of a pointer, or a button of the item
 * @typedef {"file" | "scope" | "ended" | "tab" | undefined} Reader the reason why this page is read-only
 * @typedef {{save: () => void, review: () => void, takeOver: () => void}} Actions
 * @typedef {{app: string, name: string, editing: import("./editing.js").Editing, manifest: any, vocabulary: any, lists: string[],
 *   all: import("../recipes.js").Recipe[], shell: import("../main.js").Shell, sections: () => import("./fields.js").Section[], format: () => import("./schema.js").Format | undefined,
 *   offer: import("../document/drafts.js").Draft | undefined, reader: Reader,
 *   texts: import("../ask/app-texts.js").AppTexts | undefined}} Options
 */

/**
 * Whether a form for one place also shows another: the place is the same, and has no further fields.
 * @param {import("./sections.js").Place | undefined} old @param {import("./sections.js").Place} place
 */
const isSameForm = (old, place) =>
  old?.at === place.at && old.section === place.section && old.kind === place.kind && old.type === place.type &&
  place.pointers.every((pointer) => old.pointers.includes(pointer));

export class EditorPage {
  /** @param {Options} options */
  constructor(options) {
    const { editing, manifest, all } = options;
    this.options = options;
    this.editing = editing;
    this.offer = /** @type {import("../document/drafts.js").Draft | undefined} */ (options.offer);
    this.reader = options.reader;
    this.at = "";
    this.view = "form";
    this.isMerged = false;
    /** @type {Wanted | undefined} The focus after the place is shown. */
    this.wanted = undefined;
    this.live = h("p", { class: "hidden-text", role: "status" });
    this.lists = suggestionLists(manifest, all, editing.document);
    this.form = new Form(formContext(this), { go: (at, isReplaced, wanted) => this.go(at, isReplaced, wanted) });
    this.outline = new Outline((place) =>
      itemsOf(place, this.form.context, (pointer) => this.go(pointer, false, { first: true })).insert(
        structuredClone(place.section.blank ?? {}),
      )
    );
    this.json = new JSONField(editing.document, (pointer) => this.followCaret(pointer), this.options.format);
    this.findings = new FindingsList(editing.document, (finding) => this.goTo(finding));
    this.places = this.expanded();
    this.visited = new Visited(editing.document);
    this.frame = 0;
    /** @type {string | undefined} The pointer that the preview shows instead of the form's place. */
    this.followed = undefined;
  }

  /** The places of the document; a title that is an id of the app's tables is replaced by its text. @private */
  expanded() {
    const { sections, texts } = this.options;
    return expand(sections(), this.editing.document)
      .map((place) => ({ ...place, title: texts?.textOf(place.title) ?? place.title }));
  }

  /** @param {Actions} actions @param {URLSearchParams} query */
  start(actions, query) {
    this.actions = actions;
    const { isManifest, isNew, slug } = this.editing;
    const panel = uniqueId("panel");
    this.tabs = viewTabs(panel, () => this.view, (view) => this.setView(view));
    this.head = new EditorHead({
      name: this.options.name,
      back: isManifest || isNew ? undefined : recipeLink(this.options.app, slug),
      isManifest,
      findings: this.findings.element,
      tabs: this.tabs,
      save: actions.save,
      review: actions.review,
      step: (direction) => this.step(direction),
      choose: isNew && !isManifest ? (slug) => this.editing.choose(slug) : undefined,
    });
    this.notices = new Notices();
    this.panel = h("div", { id: panel, class: "edit-panel", role: "tabpanel" }, this.form.element, this.json.element);
    this.preview = this.makePreview(query);
    const slot = h("div", { "data-slot": "preview" }, this.preview);
    this.element = h(
      "div",
      { class: "editor" },
      this.head.element,
      this.notices.element,
      h("div", { class: "edit-body" }, this.outline.element, this.panel, slot),
      this.lists.elements,
      this.live,
    );
    this.listen();
    this.show(query);
    if (!isManifest) this.editing.checker.changed();
  }

  /**
   * Makes the preview. It follows the place in the form, and a press in it chooses a place.
   * @private
   * @param {URLSearchParams} query
   */
  makePreview(query) {
    const { app, shell } = this.options;
    const { slug, document, isManifest } = this.editing;
    if (kindNamed(document.get("/kind")).isNamed) return sizePane({ app, slug, document });
    const pane = isManifest ? undefined : previewPane({ app, slug, document, look: lookOf(query.get("preview")) });
    pane?.addEventListener("bw-look", () => shell.replace({ preview: lookText(pane.look) || undefined }));
    pane?.addEventListener("bw-choose", (event) => this.go(/** @type {CustomEvent} */ (event).detail.pointer));
    return pane;
  }

  /** @private */
  listen() {
    this.stop = this.editing.document.subscribe(() => this.changed());
    this.form.element.addEventListener("focusout", (event) => this.leaveField(event.target));
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
    this.onHide = () => void this.hide();
    document.addEventListener("keydown", this.onKey);
    addEventListener("pagehide", this.onHide);
  }

  leave() {
    this.json.flush();
    this.stop?.();
    if (this.onKey) document.removeEventListener("keydown", this.onKey);
    if (this.onHide) removeEventListener("pagehide", this.onHide);
    cancelAnimationFrame(this.frame);
    this.preview?.leave();
    this.form.leave();
  }

  /** @private */
  hide() {
    this.json.flush();
    return this.editing.keeper.flush();
  }

  /** A field that was left shows its fault. @private @param {EventTarget | null} target */
  leaveField(target) {
    const isField = target instanceof HTMLElement && target.matches("input, textarea, select") && target.isConnected;
    const pointer = isField ? target.closest("[data-pointer]")?.getAttribute("data-pointer") : undefined;
    if (typeof pointer !== "string") return;
    this.visited.leave(pointer);
    this.refresh();
  }

  /** The faults of a place that was left are shown. @private @param {import("./sections.js").Place} place */
  leavePlace({ kind, base, pointers }) {
    if (kind === "items") return;
    const own = kind === "item" ? [base] : pointers;
    const found = this.editing.checker.findings.map(({ pointer }) => pointer);
    this.visited.leave(...found.filter((pointer) => own.some((outer) => contains(outer, pointer))));
  }

  /** Shows all faults, after a save was refused. */
  showFaults() {
    this.visited.leave("");
  }

  /** The findings to show; the fault of an empty place is told by the name of its field. @private */
  shownFindings() {
    const { findings } = this.editing.checker;
    if (this.view !== "form") return findings;
    return this.visited.shown(findings).map((finding) => {
      if (!finding.isEmpty) return finding;
      const { base, fields } = placeOf(this.places, finding.pointer);
      const field = fields.find(({ pointer }) => base + pointer === finding.pointer);
      const what = field ? labelOf(field) : keysOf(finding.pointer).at(-1) ?? "";
      return { ...finding, message: t("finding.empty", { what }) };
    });
  }

  get isEditable() {
    return !this.reader && !this.offer && !this.editing.merged;
  }

  get canSave() {
    this.json.flush();
    return this.isEditable && this.editing.document.isSound;
  }

  // The current place.

  /** @private @param {string} view */
  setView(view) {
    this.options.shell.replace({ show: view === "form" ? undefined : view });
  }

  /** @param {string} at @param {boolean} [isReplaced] @param {Wanted} [wanted] */
  go(at, isReplaced = false, wanted = { heading: true }) {
    this.wanted = wanted;
    const url = new URL(location.href);
    url.searchParams.set("at", at);
    if (isReplaced) this.options.shell.replace({ at });
    else this.options.shell.go(url.href);
  }

  /**
   * Shows another place in the preview than in the form; undefined: the form's place again.
   * @param {string | undefined} pointer
   */
  follow(pointer) {
    this.followed = pointer;
    this.preview?.update({ pointer: pointer ?? this.at });
  }

  /** @private @param {import("./findings.js").Finding} finding */
  goTo(finding) {
    const place = this.editing.document.positionOf(finding.pointer);
    const start = finding.at ?? place?.start ?? 0;
    if (this.view === "json" || !this.editing.document.isSound) return this.goToText(start, place?.end ?? start);
    this.go(finding.pointer, false, { pointer: finding.pointer });
  }

  /** @private @param {number} start @param {number} end */
  goToText(start, end) {
    if (this.view === "form") this.setView("split");
    this.json.select(start, end);
  }

  /** @param {string} pointer */
  openJSON(pointer) {
    const range = this.editing.document.positionOf(pointer) ?? { start: 0, end: 0 };
    this.goToText(range.start, range.end);
  }

  /** @private @param {string} pointer */
  followCaret(pointer) {
    const place = placeOf(this.places, pointer);
    if (this.view === "form" || place === this.form.place) return;
    this.wanted = {};
    this.options.shell.replace({ at: place.at });
  }

  /** Shows the view and the place of the address. @param {URLSearchParams} query */
  show(query) {
    const view = query.get("show") ?? "form";
    const isMoved = this.form.place !== undefined && (query.get("at") ?? "") !== this.at;
    this.at = query.get("at") ?? "";
    if (isMoved) this.followed = undefined;
    this.view = views.includes(view) ? view : "form";
    if (this.element) this.element.dataset.view = this.view;
    this.form.element.hidden = this.view === "json";
    this.json.element.hidden = this.view === "form";
    for (const tab of this.tabs?.children ?? []) {
      const isChosen = tab.id === `tab-${this.view}`;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.setAttribute("tabindex", isChosen ? "0" : "-1");
    }
    this.panel?.setAttribute("aria-labelledby", `tab-${this.view}`);
    this.refreshNow(true);
    /** @type {Wanted} */
    const wanted = this.wanted ?? (isMoved ? { heading: true } : {});
    this.wanted = undefined;
    if (wanted.first) this.form.focusFirst();
    else if (wanted.button) this.form.focusButton(wanted.button);
    else if (wanted.pointer !== undefined) this.form.focus(wanted.pointer);
    else if (wanted.heading && this.view === "json") this.openJSON(this.at);
    else if (wanted.heading) this.form.heading?.focus();
  }

  // The changes.

  /** @private */
  changed() {
    this.isMerged = false;
    this.refresh();
  }

  refresh() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.refreshUnlessPressed());
  }

  /** The fault of a field that a press has left is shown after the press. @private */
  refreshUnlessPressed() {
    this.frame = 0;
    const release = released();
    if (release) void release.then(() => this.element?.isConnected && this.refresh());
    else this.refreshNow(false);
  }

  /** @private @param {boolean} isShown whether the address has changed */
  refreshNow(isShown) {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { editing } = this;
    const { document } = editing;
    if (document.isSound) this.places = this.expanded();
    const place = placeOf(this.places, this.at);
    const old = this.form.place;
    const held = this.form.held;
    if (isShown || !isSameForm(old, place)) {
      if (old && old.at !== place.at) this.leavePlace(old);
      this.lists.update();
      this.form.show(place, this.places);
      // A field that changed what the form shows keeps the focus.
      if (!isShown && held) this.form.focus(held);
    } else this.form.update();
    const isReading = !this.isEditable || !document.isSound;
    this.form.element.disabled = isReading;
    this.element?.classList.toggle("is-reading", isReading);
    this.json.setReader(!this.isEditable);
    const findings = this.shownFindings();
    this.form.tell(findings);
    this.outline.update(this.places, place, findings);
    this.findings.update(findings, this.places, editing.checker.problem);
    if (this.view !== "form") {
      this.json.update();
      this.json.mark(findings);
    }
    this.preview?.update({ pointer: this.followed ?? this.at });
    this.head?.update(editing, this.isEditable, this.reader !== undefined && this.reader !== "tab");
    this.tellNotices();
  }

  /** @private */
  tellNotices() {
    const { actions, options } = this;
    const copy = () =>
      options.shell.go(
        `/console/a/${encodeURIComponent(options.app)}/new?from=${encodeURIComponent(this.editing.slug)}`,
      );
    this.notices?.update(this, {
      copy,
      save: () => actions?.save(),
      takeOver: () => actions?.takeOver(),
      goOn: () => this.offer && this.goOn(this.offer),
      discard: () => this.discardOffer(),
      goThere: (start, end) => this.goToText(start, end),
      decided: (value) => {
        this.editing.take(value);
        this.tellMerged();
      },
    });
  }

  tellMerged() {
    this.isMerged = true;
    this.refresh();
  }

  /** @param {Reader} reader */
  setReader(reader) {
    this.reader = reader;
    this.refresh();
  }

  /** Continues with the stored draft. @param {import("../document/drafts.js").Draft} draft */
  goOn(draft) {
    this.offer = undefined;
    this.editing.base = { text: draft.base, etag: draft.etag };
    this.editing.document.replaceText(draft.text);
    this.refresh();
  }

  /** @private */
  discardOffer() {
    this.offer = undefined;
    void drop(draftKey(this.options.app, this.editing.slug));
    this.refresh();
  }

  // Keys.

  /** @private @param {"undo" | "redo"} direction */
  step(direction) {
    this.json.flush();
    if (this.isEditable) this.editing.document[direction]();
  }

  /** @private @param {KeyboardEvent} event */
  press(event) {
    const isCommand = isMac ? event.metaKey : event.ctrlKey;
    if (!isCommand || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const run = {
      s: () => this.actions?.save(),
      enter: () => this.actions?.review(),
      z: () => this.step(event.shiftKey ? "redo" : "undo"),
      y: () => this.step("redo"),
    }[key];
    if (!run) return;
    event.preventDefault();
    run();
  }
}
