// The notices above the form of the editor, each with its actions.

import { h } from "../../shared/dom.js";
import { position } from "../document/cst.js";
import { difference } from "../document/difference.js";
import { mergePanel } from "../elements/merge.js";
import { notice } from "../elements/notice.js";
import { takingOver } from "../elements/take-over.js";
import { sentence } from "../recipes.js";
import { ago, later, t } from "../texts.js";

/**
 * @typedef {{copy: () => void, save: () => void, takeOver: () => void, goOn: () => void, discard: () => void,
 *   goThere: (start: number, end: number) => void, decided: (value: unknown) => void}} NoticeActions
 */

/**
 * The notice about invalid JSON: its position, and the way back to valid JSON.
 * @param {import("./editing.js").Editing} editing
 * @param {(start: number, end: number) => void} goThere
 */
function brokenNotice({ document }, goThere) {
  const fault = document.faults[0];
  const { line } = position(document.text, fault.start);
  return notice("fault", t("edit.broken", { line, message: fault.message }), [
    { label: t("edit.gothere"), icon: "search", run: () => goThere(fault.start, fault.end) },
    {
      label: t("edit.takeback"),
      icon: "undo",
      run: () => {
        while (!document.isSound && document.past.length > 0) document.undo();
      },
    },
  ], "is-fault");
}

/**
 * Offers the text that this browser stored.
 * @param {import("../document/drafts.js").Draft} draft
 * @param {string} current the daemon's text
 * @param {{goOn: () => void, discard: () => void}} actions
 */
function offerNotice(draft, current, { goOn, discard }) {
  const compared = h("div", { class: "notice-more" });
  const compare = async () => {
    const { changeLine } = await later(() => import("../language/changes.js"), "changes");
    const [older, newer] = [current, draft.text].map(read);
    const lines = difference(older, newer).map((change) => changeLine(change, newer, older));
    compared.replaceChildren(
      lines.length === 0 ? h("p", {}, t("edit.samevalue")) : h("ul", { class: "changes" }, lines),
    );
  };
  const element = notice("clock", t("edit.offer", { time: ago(new Date(draft.at)) }), [
    { label: t("edit.goon"), icon: "pencil", run: goOn, look: "primary" },
    { label: t("edit.compare"), icon: "swap", run: () => void compare() },
    { label: t("edit.discard"), icon: "trash", run: discard },
  ]);
  element.append(compared);
  return element;
}

/** The value of a text, or the text itself if it is no JSON. @param {string} text @returns {any} */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The notice about a failed save. No typed text is lost.
 * @param {import("../api.js").Problem} problem
 * @param {() => void} again
 */
function failureNotice(problem, again) {
  if (problem.status === 422) return notice("fault", t("edit.refused"), [], "is-fault");
  const text = problem.status === 0 ? t("edit.offline") : sentence(problem);
  return notice(
    "fault",
    `${text} ${t("edit.safe")}`,
    [{ label: t("action.retry"), icon: "undo", run: again }],
    "is-fault",
  );
}

/**
 * @param {"file" | "scope" | "ended" | "tab"} reader @param {import("./editing.js").Editing} editing
 * @param {NoticeActions} actions
 */
function readerNotice(reader, { app, isManifest }, { copy, takeOver }) {
  if (reader === "scope") return notice("lock", t("edit.scope"));
  if (reader === "tab") {
    return notice("lock", t("edit.tab"), [{ label: t("edit.here"), icon: "pencil", run: takeOver }]);
  }
  const words = t(reader === "ended" ? "recipe.over" : "recipe.file");
  const copying = isManifest ? [] : [{ label: t("edit.copy"), icon: "copy", run: copy }];
  return notice("lock", words, [...copying, ...(reader === "file" ? takingOver(app) : [])]);
}

/** All notices of the editor. They are drawn again only if they change, so that the focus stays. */
export class Notices {
  constructor() {
    this.element = h("div", { class: "notices" });
    this.shown = "";
  }

  /** @param {import("./page.js").EditorPage} page @param {NoticeActions} actions */
  update({ editing, reader, offer, isMerged }, actions) {
    const { merged, problem, document, base } = editing;
    const fault = document.faults[0];
    const shape = JSON.stringify([
      reader,
      offer?.at,
      merged?.theirs.etag,
      fault && [fault.message, position(document.text, fault.start)],
      problem && [problem.status, problem.message],
      isMerged,
    ]);
    if (shape === this.shown) return;
    this.shown = shape;
    const panel = merged && mergePanel(merged.value, merged.meetings, actions.decided);
    this.element.replaceChildren(...[
      reader && readerNotice(reader, editing, actions),
      offer && offerNotice(offer, base.text, actions),
      fault && brokenNotice(editing, actions.goThere),
      problem && failureNotice(problem, actions.save),
      isMerged && notice("info", t(editing.isNew ? "merge.gone" : "merge.done")),
      panel?.element,
    ].filter((element) => element instanceof HTMLElement));
    panel?.focus();
  }
}
