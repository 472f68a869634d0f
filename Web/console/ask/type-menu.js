// The type of a question or step, as a menu with a drawn example of each.

import { change } from "../document/patch.js";
import { keysOf, pointerOf } from "../document/pointers.js";
import { listen } from "../elements/menu.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { h, uniqueId } from "../../shared/dom.js";
import { list, quoted, t } from "../texts.js";
import { drawing } from "./drawings.js";

/** @typedef {import("../forms/fields.js").Field} Field */

/**
 * @param {Field} field
 * @param {string} pointer
 * @param {import("../forms/fields.js").FormContext} context
 * @returns {import("../forms/fields.js").Raw}
 */
export function typeField(
  { options = [], retyped, textsOf = (type) => ({ title: String(type), sentence: "" }) },
  pointer,
  { document },
) {
  const id = uniqueId("types");
  const entries = options.map((type) => entry(type, textsOf(type), () => choose(type)));
  const menu = h(
    "div",
    { id, class: "menu type-menu", role: "menu", popover: "auto", "aria-label": t("type.menu") },
    entries,
  );
  const button = h("button", {
    type: "button",
    class: "button type-button",
    "aria-haspopup": "menu",
    "aria-expanded": "false",
    popovertarget: id,
  });
  const choose = (/** @type {string} */ type) => {
    menu.hidePopover();
    button.focus();
    if (retyped) turnInto(document, pointer, retyped, type, textsOf(type).title);
  };
  listen(menu, button, () => place(menu, button));
  /** @type {unknown} */
  let shown;
  const update = () => {
    const type = document.get(pointer);
    if (type === shown) return;
    shown = type;
    const name = textsOf(type).title;
    button.replaceChildren(drawing(String(type)), h("span", { class: "ellipsis" }, name), icon("chevron"));
    button.setAttribute("aria-label", t("type.is", { name }));
    entries.forEach((element, place) => element.setAttribute("aria-checked", String(options[place] === type)));
  };
  return { element: h("div", { class: "type-field" }, button, menu), input: button, update };
}

/** @param {string} type @param {{title: string, sentence: string}} texts @param {() => void} run @returns {HTMLElement} */
function entry(type, { title, sentence }, run) {
  return h(
    "button",
    { type: "button", role: "menuitemradio", class: "button quiet type-entry", onclick: run },
    drawing(type),
    h("span", {}, h("strong", {}, title), h("small", {}, sentence)),
  );
}

/** Positions the menu below its button, within the window. @param {HTMLElement} menu @param {HTMLElement} button */
function place(menu, button) {
  const box = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = globalThis.document.documentElement;
  const width = Math.min(480, clientWidth - 16);
  const below = clientHeight - box.bottom;
  const isBelow = below > 260 || below > box.top;
  menu.style.setProperty("position", "fixed");
  menu.style.setProperty("inline-size", `${width}px`);
  menu.style.setProperty("left", `${Math.max(8, Math.min(box.left, clientWidth - width - 8))}px`);
  menu.style.setProperty("top", isBelow ? `${box.bottom + 4}px` : "auto");
  menu.style.setProperty("bottom", isBelow ? "auto" : `${clientHeight - box.top + 4}px`);
  menu.style.setProperty("max-block-size", `${Math.max(160, (isBelow ? below : box.top) - 16)}px`);
}

/**
 * Gives an object another type: one step of the history, with a message if keys are lost.
 * @param {import("../document/document.js").JSONDocument} document @param {string} pointer of the type
 * @param {NonNullable<Field["retyped"]>} retyped @param {string} type @param {string} name of the type
 */
export function turnInto(document, pointer, retyped, type, name) {
  const at = pointerOf(keysOf(pointer).slice(0, -1));
  const { value, lost } = retyped(JSON.parse(JSON.stringify(document.get(at) ?? {})), type);
  change(document, at, value);
  if (lost.length === 0) return;
  toast(t("type.lost", { names: list(lost.map(quoted)), count: lost.length, type: name }), {
    label: t("action.undo"),
    run: () => document.undo(),
  });
}
