// Keys of the console. Single keys never act where a text may be typed: in a field, on a page of forms, and while a page
// loads.

import { h } from "../shared/dom.js";
import { show } from "./elements/dialog.js";
import { t } from "./texts.js";

/** @type {Map<string, () => void> | undefined} The keys of the current page; undefined: no single key acts. */
let pageKeys = new Map();
/** @type {Map<string, () => void>} */
const consoleKeys = new Map();
let prefix = "";
/** An open dialog, or a page that is loading: its next page may have a field in focus. */
const noSingleKeys = "dialog[open], main[aria-busy=true]";

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const paletteKey = isMac ? "⌘K" : "Ctrl K";

/** The setting that turns single-key shortcuts off (WCAG 2.1.4). This browser stores it. */
export const singleKeys = {
  areOn: () => localStorage.getItem("bellwether-keys") !== "off",
  /** @param {boolean} areOn */
  turn: (areOn) => areOn ? localStorage.removeItem("bellwether-keys") : localStorage.setItem("bellwether-keys", "off"),
};

/** @param {Record<string, () => void>} keys `g h` means two presses */
export function setConsoleKeys(keys) {
  for (const [key, run] of Object.entries(keys)) consoleKeys.set(key, run);
}

/**
 * @param {Record<string, () => void> | undefined} keys undefined: the page is a form, where the next key may be a text
 */
export function setPageKeys(keys) {
  pageKeys = keys && new Map(Object.entries(keys));
}

/** @param {() => void} openPalette */
export function listen(openPalette) {
  document.addEventListener("keydown", (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return openPalette();
    }
    const target = event.target instanceof Element ? event.target : null;
    if (!singleKeys.areOn() || !pageKeys || event.defaultPrevented || event.isComposing) return;
    if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector(noSingleKeys)) return;
    if (target?.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]")) return;
    const key = prefix ? `${prefix} ${event.key}` : event.key;
    prefix = "";
    if (event.key === "g" && key === "g") {
      prefix = "g";
      setTimeout(() => prefix = "", 1000);
      return;
    }
    // The focused element handles Enter.
    if (event.key === "Enter" && target?.closest("a, button")) return;
    const run = pageKeys.get(key) ?? consoleKeys.get(key);
    if (!run) return;
    event.preventDefault();
    run();
  });
}

export function showHelp() {
  const rows = [
    [paletteKey, "help.palette"],
    ["g h", "help.home"],
    ["g r", "help.recipes"],
    ["g e", "help.explain"],
    ["g t", "help.texts"],
    ["/", "help.search"],
    ["j k", "help.move"],
    ["⏎", "help.open"],
    ["x", "help.select"],
    ["p", "help.pause"],
    ["e", "help.edit"],
    ["1 2 3 4", "help.triage"],
    ["n", "help.note"],
    [isMac ? "⌘S" : "Ctrl S", "help.save"],
    [isMac ? "⌘⏎" : "Ctrl ⏎", "help.review"],
    [isMac ? "⌘Z  ⇧⌘Z" : "Ctrl Z  Ctrl Shift Z", "help.undo"],
    ["Alt ↑  Alt ↓", "help.item"],
    ["Alt Shift D", "help.copy"],
    ["?", "help.help"],
  ];
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-label": t("help.title") });
  const close = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.close"));
  // The focus on the heading keeps the first rows visible if the list is higher than the screen.
  const heading = h("h2", { tabindex: "-1" }, t("help.title"));
  dialog.append(
    heading,
    h("dl", { class: "facts" }, rows.map(([keys, text]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, t(text))])),
    h("div", { class: "dialog-actions" }, close),
  );
  show(dialog, heading);
}
