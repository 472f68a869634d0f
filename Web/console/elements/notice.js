// A notice above its subject: a sentence and actions.

import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { button } from "./parts.js";

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
