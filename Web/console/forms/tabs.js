// The views of a document, as tabs.

import { h } from "../../shared/dom.js";
import { t } from "../texts.js";

export const views = ["form", "split", "json"];

/**
 * @param {string} panel the id of the element that the tabs control
 * @param {() => string} current
 * @param {(view: string) => void} choose
 * @returns {HTMLElement}
 */
export function viewTabs(panel, current, choose) {
  const tabs = views.map((view) =>
    h("button", {
      type: "button",
      role: "tab",
      class: "tab",
      id: `tab-${view}`,
      "aria-controls": panel,
      onclick: () => choose(view),
    }, t(`edit.${view}`))
  );
  return h("div", {
    class: "tabs",
    role: "tablist",
    "aria-label": t("edit.views"),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (views.indexOf(current()) + step + views.length) % views.length;
      choose(views[next]);
      tabs[next].focus();
    },
  }, tabs);
}
