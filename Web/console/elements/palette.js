// The command palette: recipes, pages and commands by their names, from the data in memory.

import { h } from "../../shared/dom.js";
import { matches, observe } from "../commands.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";
import { show } from "./dialog.js";

let isOpen = false;

export async function openPalette() {
  if (isOpen) return;
  isOpen = true;
  /** @type {import("../commands.js").Command[]} */
  let found = [];
  let chosen = 0;
  const list = h("ul", { id: "palette-list", role: "listbox", "aria-label": t("palette.label") });
  const none = h("p", { role: "status" });
  const input = h("input", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: t("palette.open"),
    "aria-label": t("palette.label"),
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    "aria-autocomplete": "list",
    oninput: () => search(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => press(event),
  });
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "palette", "aria-label": t("palette.label") }, input, list, none);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

  function search() {
    found = matches(input.value);
    chosen = 0;
    list.replaceChildren(...found.map((command, place) => {
      const entry = h(
        "li",
        { id: `palette-${place}`, role: "option", onclick: () => run(place) },
        icon(command.icon),
        h("span", {}, command.label),
        h("span", { class: "sort" }, command.hint ?? t(`palette.${command.sort}`)),
      );
      return entry;
    }));
    none.textContent = found.length === 0 ? t("palette.none", { query: input.value }) : "";
    none.hidden = found.length > 0;
    list.hidden = found.length === 0;
    mark();
  }

  function mark() {
    [...list.children].forEach((entry, place) => entry.setAttribute("aria-selected", String(place === chosen)));
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
    if (found.length > 0) input.setAttribute("aria-activedescendant", `palette-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
  }

  /** @param {number} place */
  function run(place) {
    const command = found[place];
    if (!command) return;
    dialog.close();
    command.run();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = Reflect.get(steps, event.key);
    if (step && found.length > 0) {
      event.preventDefault();
      chosen = (chosen + step + found.length) % found.length;
      mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(chosen);
    }
  }

  search();
  // A palette that was opened early is filled when the recipes are loaded.
  observe(search);
  await show(dialog, input);
  observe(undefined);
  isOpen = false;
}
