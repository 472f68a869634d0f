// A list of a document, or the members of an object: add, copy, delete, up, down, paste. A screen reader announces each
// change.

import { h, uniqueId } from "../../shared/dom.js";
import { below, keysOf } from "../document/pointers.js";
import { toast } from "./toast.js";
import { t } from "../texts.js";
import { show } from "./dialog.js";
import { menu } from "./menu.js";
import { button } from "./parts.js";

/**
 * @typedef {{element: HTMLElement, update: () => void, pointer?: string, tell?: (findings: any[]) => void,
 *   leave?: () => void}} Cell
 * @typedef {{document: import("../document/document.js").JSONDocument, pointer: string, name: string, isMap?: boolean,
 *   hasKeys?: boolean, keyLabel?: string, cells: (pointer: string) => Cell[], nameOf: (pointer: string) => string,
 *   blank: () => unknown, fromLine?: (line: string) => unknown, announce: (text: string) => void,
 *   opened?: (pointer: string) => void, idKey?: string, taken?: () => string[], isCards?: boolean,
 *   hasMenu?: boolean}} ListOptions
 * `hasKeys`: keys of members are edited in their rows. `name` is the term for an item. `idKey` is the pointer in an
 * item to its unique value. `opened` is called for an added item. `taken` are further ids that an item may not have.
 * `hasMenu`: the rare actions on a row are in a menu, which can also add an item after the row.
 */

export class ListEditor {
  /** @param {ListOptions} options */
  constructor(options) {
    this.options = options;
    this.body = h("ol", { class: options.isCards ? "list-rows are-cards" : "list-rows" });
    /** @type {Cell[][]} */
    this.rows = [];
    this.shown = "";
    const { name, fromLine } = options;
    this.add = button(t("list.add", { name }), "plus", () => this.insert(options.blank()));
    this.element = h(
      "div",
      { class: "list" },
      this.body,
      h(
        "div",
        { class: "list-actions" },
        this.add,
        fromLine && button(t("list.paste"), "copy", () => this.paste(fromLine), "quiet"),
      ),
    );
    this.update();
  }

  get cells() {
    return this.rows.flat();
  }

  get keys() {
    return this.options.document.keys(this.options.pointer);
  }

  update() {
    const keys = this.keys;
    const shape = JSON.stringify(keys);
    if (shape !== this.shown) this.draw(keys);
    this.shown = shape;
    this.cells.forEach((cell) => cell.update());
    this.body.hidden = keys.length === 0;
    [...this.body.children].forEach((row, place) => this.label(row, keys[place]));
  }

  /** @private @param {string[]} keys */
  draw(keys) {
    const { pointer, cells, hasKeys } = this.options;
    this.cells.forEach((cell) => cell.leave?.());
    this.rows = keys.map((key) => cells(below(pointer, key)));
    this.body.replaceChildren(...keys.map((key, place) =>
      h(
        "li",
        { class: "list-row", onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event, place) },
        hasKeys && this.keyField(key),
        this.options.isCards && h("strong", { class: "card-title ellipsis" }),
        h("div", { class: "list-cells" }, this.rows[place].map((cell) => cell.element)),
        h("div", { class: "list-buttons" }, this.buttons(place, keys.length)),
      )
    ));
  }

  /** @private @param {number} place @param {number} count */
  buttons(place, count) {
    const make = (/** @type {string} */ what, /** @type {string} */ picture, /** @type {() => void} */ run) => {
      const element = button("", picture, run, "quiet icon-only");
      element.dataset.do = what;
      return element;
    };
    const up = make("up", "up", () => this.move(place, place - 1));
    const down = make("down", "down", () => this.move(place, place + 1));
    // A button stays at the end of the list, so that it can keep the focus.
    up.setAttribute("aria-disabled", String(place === 0));
    down.setAttribute("aria-disabled", String(place === count - 1));
    const moves = this.options.isMap ? [] : [up, down];
    if (this.options.hasMenu) return [...moves, ...this.menu(place)];
    return [...moves, make("copy", "copy", () => this.copy(place)), make("remove", "trash", () => this.remove(place))];
  }

  /** The menu of further actions on a row, for narrow lists. @private @param {number} place */
  menu(place) {
    const name = () => this.options.nameOf(below(this.options.pointer, this.keys[place]));
    const item = (/** @type {string} */ what, /** @type {string} */ picture, /** @type {() => void} */ run) => ({
      label: t(`list.${what}`, { name: name() }),
      icon: picture,
      run,
    });
    const [open, list] = menu("", () => [
      item("after", "plus", () => this.insertAfter(place)),
      item("copy", "copy", () => this.copy(place)),
      item("remove", "trash", () => this.remove(place)),
    ]);
    open.dataset.do = "menu";
    return [open, list];
  }

  /** @private @param {Element} row @param {string} key */
  label(row, key) {
    const name = this.options.nameOf(below(this.options.pointer, key));
    const title = row.querySelector(":scope > .card-title");
    if (title) title.textContent = name;
    for (const element of row.querySelectorAll(".list-buttons [data-do]")) {
      const what = /** @type {HTMLElement} */ (element).dataset.do;
      const text = t(what === "menu" ? "action.more" : `list.${what}`, { name });
      element.setAttribute("aria-label", text);
      /** @type {HTMLElement} */ (element).title = text;
    }
  }

  /** The key of a member: leaving the field renames it. @private @param {string} key */
  keyField(key) {
    const { document, pointer, keyLabel = "" } = this.options;
    const input = h("input", {
      class: "field list-key",
      value: key,
      "aria-label": keyLabel,
      spellcheck: "false",
      onchange: () => {
        const name = input.value.trim();
        if (name === key) return;
        if (name === "" || this.keys.includes(name)) {
          toast(t("list.taken", { name }));
          input.value = key;
        } else document.rename(below(pointer, key), name);
      },
    });
    return input;
  }

  /** @private @param {KeyboardEvent} event @param {number} place */
  press(event, place) {
    if (!event.altKey || event.defaultPrevented) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step !== undefined && !this.options.isMap) this.move(place, place + step);
    else if (event.shiftKey && event.code === "KeyD") this.copy(place);
    else return;
    event.preventDefault();
  }

  /** @param {number} from @param {number} to */
  move(from, to) {
    const { document, pointer, announce } = this.options;
    const count = this.keys.length;
    if (to < 0 || to >= count) return;
    const label = this.options.nameOf(below(pointer, from));
    const held = /** @type {HTMLElement | null} */ (this.body.children[from].querySelector(":focus"))?.dataset.do;
    document.move(pointer, from, to);
    this.focus(to, held ?? "up");
    announce(t("list.moved", { name: label, place: to + 1, count }));
  }

  /** @param {number} place @returns {string} the key of the copy */
  copy(place) {
    const { document, pointer, isMap, announce } = this.options;
    const key = this.keys[place];
    const label = this.options.nameOf(below(pointer, key));
    const value = structuredClone(plain(document.get(below(pointer, key))));
    const at = isMap ? this.freeKey(key) : String(place + 1);
    document.insert(below(pointer, at), this.named(value));
    this.focus(this.keys.indexOf(at));
    announce(t("list.copied", { name: label }));
    return at;
  }

  /** @param {number} place */
  remove(place) {
    const { document, pointer, announce } = this.options;
    const key = this.keys[place];
    const label = this.options.nameOf(below(pointer, key));
    document.remove(below(pointer, key));
    if (this.keys.length === 0) this.add.focus();
    else this.focus(Math.min(place, this.keys.length - 1), this.options.hasMenu ? "menu" : "remove");
    announce(t("list.removed", { name: label }));
  }

  /** Adds an item at the end. @param {unknown} value */
  insert(value) {
    const { document, pointer, isMap, opened } = this.options;
    const key = isMap ? this.freeKey(this.keys.at(-1) ?? t("list.key")) : String(this.keys.length);
    document.insert(below(pointer, key), isMap ? value : this.named(value));
    const place = this.keys.indexOf(key);
    if (opened) opened(below(pointer, key));
    else this.focus(place);
  }

  /** Adds an item after another. @param {number} place */
  insertAfter(place) {
    const { document, pointer, blank, opened } = this.options;
    const at = below(pointer, place + 1);
    document.insert(at, this.named(blank()));
    if (opened) opened(at);
    else this.focus(place + 1);
  }

  /** The item with a unique id. @private @param {any} value */
  named(value) {
    const { document, pointer, idKey, isMap, taken: others = () => [] } = this.options;
    const key = idKey && keysOf(idKey)[0];
    if (isMap || !key || typeof value !== "object" || typeof value?.[key] !== "string" || value[key] === "") {
      return value;
    }
    const taken = [...others(), ...this.keys.map((place) => document.get(below(below(pointer, place), key)))];
    return { ...value, [key]: free(value[key], (id) => taken.includes(id), key === "id" ? "_" : "-") };
  }

  /** @private @param {string} key */
  freeKey(key) {
    return free(key, (name) => this.keys.includes(name), "-");
  }

  /** Focuses the first field of a row, or one of its buttons. @param {number} place @param {string} [what] */
  focus(place, what) {
    this.update();
    const row = this.body.children[place];
    const target = what ? row?.querySelector(`[data-do=${what}]`) : row?.querySelector("input, textarea, select, a");
    if (target instanceof HTMLElement) target.focus();
  }

  /** Adds many items at once, one per line. @private @param {(line: string) => unknown} fromLine */
  async paste(fromLine) {
    const id = uniqueId("paste");
    const area = h("textarea", { class: "field", rows: 8, "aria-labelledby": id });
    /** @type {HTMLDialogElement} */
    const dialog = h("dialog", { class: "dialog", "aria-labelledby": id });
    dialog.append(
      h("h2", { id }, t("list.paste.title")),
      area,
      h(
        "div",
        { class: "dialog-actions" },
        button(t("action.cancel"), "close", () => dialog.close("")),
        button(t("list.paste.do"), "plus", () => dialog.close("yes"), "primary"),
      ),
    );
    if (await show(dialog, area) !== "yes") return;
    const { document, pointer } = this.options;
    const lines = area.value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
    const now = Date.now();
    for (const line of lines) document.insert(below(pointer, "-"), this.named(fromLine(line)), now, "paste");
    this.options.announce(t("list.pasted", { count: lines.length }));
  }
}

/** @param {string} name @param {(name: string) => boolean} isTaken @param {string} mark */
function free(name, isTaken, mark) {
  if (!isTaken(name)) return name;
  const stem = name.replace(/[-_]\d+$/, "");
  let number = 2;
  while (isTaken(`${stem}${mark}${number}`)) number += 1;
  return `${stem}${mark}${number}`;
}

/** A value of a document as plain objects. @param {unknown} value */
const plain = (value) => value === undefined ? undefined : JSON.parse(JSON.stringify(value));
