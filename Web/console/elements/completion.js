// A list of completions below a text field, which stays a text field. The arrow keys choose; Enter and Tab accept.

import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";

/**
 * @typedef {{label: string, detail: string}} Entry
 * @param {HTMLTextAreaElement} field
 * @param {(place: number) => void} take
 */
export function completionList(field, take) {
  const id = uniqueId("completions");
  const list = h("ul", { id, class: "completions", role: "listbox", "aria-label": t("jexl.label"), hidden: true });
  const count = h("span", { class: "hidden-text", role: "status" });
  let chosen = -1;
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", id);

  function mark() {
    [...list.children].forEach((entry, place) => entry.setAttribute("aria-selected", String(place === chosen)));
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
    if (chosen < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", `${id}-${chosen}`);
  }

  /** @param {Entry[]} entries */
  function show(entries) {
    list.replaceChildren(...entries.map(({ label, detail }, place) =>
      h(
        "li",
        {
          id: `${id}-${place}`,
          role: "option",
          onpointerdown: (/** @type {Event} */ event) => {
            event.preventDefault();
            take(place);
          },
        },
        h("bdi", {}, label),
        h("small", {}, detail),
      )
    ));
    list.hidden = entries.length === 0;
    chosen = entries.length > 0 ? 0 : -1;
    count.textContent = entries.length > 0 ? t("jexl.completions", { count: entries.length }) : "";
    mark();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the list has handled it */
  function press(event) {
    if (list.hidden || event.ctrlKey || event.metaKey || event.altKey) return false;
    const size = list.children.length;
    if (event.key === "ArrowDown") chosen = (chosen + 1) % size;
    else if (event.key === "ArrowUp") chosen = (chosen + size - 1) % size;
    else if (event.key === "Enter" || event.key === "Tab") take(chosen);
    else if (event.key === "Escape") show([]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    mark();
    return true;
  }

  return { elements: [list, count], show, press, hide: () => show([]) };
}
