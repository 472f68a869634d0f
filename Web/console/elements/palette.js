// The command palette: recipes, pages and commands by their names, from the data in memory.

import { h, setAttribute } from "../../shared/dom.js";
import { matches, observe } from "../commands.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";
import { show } from "./dialog.js";

let isOpen = false;

export async function openPalette() {
  if (isOpen) return;
  isOpen = true;
  const palette = new Palette();
  palette.search();
  // A palette that was opened early is filled when the recipes are loaded.
  observe(() => palette.search());
  await show(palette.dialog, palette.input);
  observe(undefined);
  isOpen = false;
}

class Palette {
  constructor() {
    /** @type {import("../commands.js").Command[]} */
    this.found = [];
    this.chosen = 0;
    this.list = h("ul", { id: "palette-list", role: "listbox", "aria-label": t("palette.label") });
    this.none = h("p", { role: "status" });
    this.input = h("input", {
      type: "text",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("palette.open"),
      "aria-label": t("palette.label"),
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      "aria-autocomplete": "list",
      oninput: () => this.search(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
    });
    /** @type {HTMLDialogElement} */
    this.dialog = h(
      "dialog",
      { class: "palette", "aria-label": t("palette.label") },
      this.input,
      this.list,
      this.none,
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  search() {
    const { list, none, input } = this;
    this.found = matches(input.value);
    this.chosen = 0;
    list.replaceChildren(...this.found.map((command, place) =>
      h(
        "li",
        { id: `palette-${place}`, role: "option", onclick: () => this.run(place) },
        icon(command.icon),
        h("span", {}, command.label),
        h("span", { class: "sort" }, command.hint ?? t(`palette.${command.sort}`)),
      )
    ));
    const isNone = this.found.length === 0;
    none.textContent = isNone ? t("palette.none", { query: input.value }) : "";
    none.hidden = !isNone;
    list.hidden = isNone;
    this.mark();
  }

  /** @private */
  mark() {
    const { list, chosen, input } = this;
    [...list.children].forEach((entry, place) => entry.setAttribute("aria-selected", String(place === chosen)));
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
    setAttribute(input, "aria-activedescendant", this.found.length > 0 ? `palette-${chosen}` : null);
  }

  /** @private @param {number} place */
  run(place) {
    const command = this.found[place];
    if (!command) return;
    this.dialog.close();
    command.run();
  }

  /** @private @param {KeyboardEvent} event */
  press(event) {
    const count = this.found.length;
    const step = Reflect.get({ ArrowDown: 1, ArrowUp: -1 }, event.key);
    if (step && count > 0) {
      event.preventDefault();
      this.chosen = (this.chosen + step + count) % count;
      this.mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.run(this.chosen);
    }
  }
}
