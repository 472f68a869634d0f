// The panel of conflicting changes: the older value, mine and theirs, and a choice for each.

import { h, uniqueId } from "../../shared/dom.js";
import { decided } from "../document/merge.js";
import { keysOf } from "../document/pointers.js";
import { t } from "../texts.js";
import { button } from "./parts.js";

/** @typedef {import("../document/merge.js").Meeting} Meeting */

/**
 * @param {unknown} merged the document with all changes; conflicts have my value
 * @param {Meeting[]} meetings
 * @param {(value: unknown) => void} done called with the decided document
 */
export function mergePanel(merged, meetings, done) {
  /** @type {Map<Meeting, boolean>} Whether their value was chosen. */
  const choices = new Map();
  const heading = h("h2", { tabindex: "-1" }, t("merge.title", { count: meetings.length }));
  const finish = button(t("merge.do"), "check", () => {
    const open = meetings.find((meeting) => !choices.has(meeting));
    if (open) return rows[meetings.indexOf(open)].querySelector("input")?.focus();
    done(decided(merged, meetings, choices));
  }, "primary");
  const left = h("p", { class: "hint", role: "status" });
  const tell = () => {
    const count = meetings.length - choices.size;
    finish.setAttribute("aria-disabled", String(count > 0));
    left.textContent = count > 0 ? t("merge.left", { count }) : "";
  };
  const rows = meetings.map((meeting) =>
    row(meeting, (isTheirs) => {
      choices.set(meeting, isTheirs);
      tell();
    })
  );
  tell();
  const element = h(
    "section",
    { class: "panel merge" },
    heading,
    h("p", {}, t("merge.body")),
    rows,
    h("div", { class: "merge-actions" }, finish, left),
  );
  return { element, focus: () => heading.focus() };
}

/** @param {Meeting} meeting @param {(isTheirs: boolean) => void} choose @returns {HTMLElement} */
function row({ pointer, base, mine, theirs }, choose) {
  const name = uniqueId("merge");
  const place = keysOf(pointer).map((key) => /^\d+$/.test(key) ? String(Number(key) + 1) : key).join(" › ");
  const option = (/** @type {string} */ key, /** @type {unknown} */ value, /** @type {boolean} */ isTheirs) =>
    h(
      "label",
      { class: "merge-choice" },
      h("input", { type: "radio", name, onchange: () => choose(isTheirs) }),
      h("span", {}, t(key)),
      h("bdi", {}, textOf(value)),
    );
  return h(
    "fieldset",
    {},
    h("legend", {}, h("code", {}, place || "{}")),
    h("div", { class: "merge-base" }, h("span", {}, t("merge.base")), h("bdi", {}, textOf(base))),
    option("merge.mine", mine, false),
    option("merge.theirs", theirs, true),
  );
}

/** @param {unknown} value */
const textOf = (value) =>
  value === undefined ? t("merge.nothing") : typeof value === "string" ? value : JSON.stringify(value, null, 2);
