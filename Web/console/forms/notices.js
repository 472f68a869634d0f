// What the editor has to say above the form, each with what can be done.

import { h } from "../../shared/dom.js";
import { position } from "../document/cst.js";
import { difference } from "../document/difference.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import { sentence } from "../recipes.js";
import { ago, t } from "../texts.js";
import { changeItem } from "../views/history.js";

/** @typedef {{label: string, icon: string, run: () => void, look?: string}} Action */

/**
 * @param {string} picture @param {string} text @param {Action[]} [actions] @param {string} [look]
 * @returns {HTMLElement}
 */
export function notice(picture, text, actions = [], look = "") {
  return h(
    "div",
    { class: `notice ${look}`, role: look === "is-fault" ? "alert" : "status" },
    icon(picture),
    h("p", {}, text),
    h(
      "div",
      { class: "notice-actions" },
      actions.map(({ label, icon, run, look = "" }) => button(label, icon, run, look)),
    ),
  );
}

/** Broken text: where, and the way back. @param {import("./editing.js").Editing} editing @param {(start: number, end: number) => void} goThere */
export function brokenNotice({ document }, goThere) {
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
 * What was kept in this browser is offered.
 * @param {import("../document/drafts.js").Draft} draft
 * @param {string} current the text of the daemon
 * @param {{goOn: () => void, discard: () => void}} actions
 */
export function offerNotice(draft, current, { goOn, discard }) {
  const compared = h("div", { class: "notice-more" });
  const compare = () => {
    const changes = differences(current, draft.text);
    compared.replaceChildren(
      changes.length === 0 ? h("p", {}, t("edit.samevalue")) : h("ul", { class: "changes" }, changes.map(changeItem)),
    );
  };
  const element = notice("clock", t("edit.offer", { time: ago(new Date(draft.at)) }), [
    { label: t("edit.goon"), icon: "pencil", run: goOn, look: "primary" },
    { label: t("edit.compare"), icon: "swap", run: compare },
    { label: t("edit.discard"), icon: "trash", run: discard },
  ]);
  element.append(compared);
  return element;
}

/** @param {string} before @param {string} after */
function differences(before, after) {
  try {
    return difference(JSON.parse(before), JSON.parse(after));
  } catch {
    return [/** @type {const} */ ({ kind: "changed", pointer: "", before, after })];
  }
}

/** A save that failed: nothing typed is lost. @param {import("../api.js").Problem} problem @param {() => void} again */
export function failureNotice(problem, again) {
  if (problem.status === 422) return notice("fault", t("edit.refused"), [], "is-fault");
  const text = problem.status === 0 ? t("edit.offline") : sentence(problem);
  return notice(
    "fault",
    `${text} ${t("edit.safe")}`,
    [{ label: t("action.retry"), icon: "undo", run: again }],
    "is-fault",
  );
}
