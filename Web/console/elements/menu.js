// A button that opens a menu of actions.

import { h, uniqueId } from "../../shared/dom.js";
import { icon } from "../icons.js";

/**
 * @param {string} label
 * @param {() => {label: string, icon: string, run: () => void, isDanger?: boolean}[]} items
 * @returns {HTMLElement[]} the button and the menu
 */
export function menu(label, items) {
  const id = uniqueId("menu");
  const list = h("div", { id, class: "menu", role: "menu", popover: "auto", "aria-label": label });
  const button = h("button", {
    type: "button",
    class: "button quiet icon-only",
    "aria-label": label,
    "aria-haspopup": "menu",
    "aria-expanded": "false",
    popovertarget: id,
  });
  button.append(icon("more"));
  listen(list, button, () => {
    list.replaceChildren(
      ...items().map((item) => {
        const entry = h("button", {
          type: "button",
          role: "menuitem",
          class: item.isDanger ? "button quiet danger" : "button quiet",
          onclick: () => {
            list.hidePopover();
            button.focus();
            item.run();
          },
        });
        entry.append(icon(item.icon), item.label);
        return entry;
      }),
    );
    place(list, button);
  });
  return [button, list];
}

/**
 * Marks the button of an open menu, and moves the focus in the menu by keys. The checked entry gets it first.
 * @param {HTMLElement} list @param {HTMLElement} button @param {() => void} opening called before the menu opens
 */
export function listen(list, button, opening) {
  const entries = () => [...list.querySelectorAll("button")];
  list.addEventListener("beforetoggle", (/** @type {ToggleEvent} */ event) => {
    if (event.newState === "open") opening();
  });
  list.addEventListener("toggle", (/** @type {ToggleEvent} */ event) => {
    const isOpen = event.newState === "open";
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) (entries().find((entry) => entry.getAttribute("aria-checked") === "true") ?? entries()[0])?.focus();
  });
  list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const all = entries();
    const at = all.findIndex((entry) => entry === document.activeElement);
    const next =
      { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  });
}

/**
 * Positions the menu below the button, or above it if there is no room below. Their ends are aligned.
 * @param {HTMLElement} list
 * @param {HTMLElement} button
 */
function place(list, button) {
  const box = button.getBoundingClientRect();
  // An entry has the height of the button; the menu's padding and border add 16 px.
  const height = list.childElementCount * box.height + 16;
  const isAbove = box.bottom + height > innerHeight && box.top > height;
  const isRight = getComputedStyle(button).direction === "rtl";
  const [inset, distance] = isRight ? ["left", box.left] : ["right", document.documentElement.clientWidth - box.right];
  list.style.setProperty("position", "fixed");
  list.style.setProperty("top", isAbove ? "auto" : `${box.bottom}px`);
  list.style.setProperty("bottom", isAbove ? `${innerHeight - box.top}px` : "auto");
  list.style.setProperty(inset, `${distance}px`);
}
