// The form of one place of a document: the fields of a section or an item, or the items of a list.

import { h } from "../../shared/dom.js";
import { below, contains, keysOf, nearest } from "../document/pointers.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import { toast } from "../elements/toast.js";
import { t } from "../texts.js";
import { FlowMap } from "../ask/flow-map.js";
import { makeFields } from "./groups.js";
import { address, itemsOf } from "./items.js";
import { holds, pathTo, titleOf, unknownKeys } from "./sections.js";

/**
 * @typedef {import("./sections.js").Place} Place
 * @typedef {import("./fields.js").Control} Control
 * @typedef {import("./fields.js").FormContext} FormContext
 * @typedef {import("./findings.js").Finding} Finding
 */

/** A control, and the controls in its rows. @param {Control} control @returns {Control[]} */
const withCells = (control) => [control, ...(control.cells?.() ?? []).flatMap(withCells)];

export class Form {
  /**
   * @param {FormContext} context
   * @param {{go: (at: string, isReplaced?: boolean, wanted?: import("./page.js").Wanted) => void}} shell
   */
  constructor(context, shell) {
    this.context = context;
    this.shell = shell;
    /** @type {HTMLFieldSetElement} */
    this.element = h("fieldset", { class: "form", "aria-label": t("edit.form") });
    /** @type {Control[]} */
    this.controls = [];
    /** @type {[import("./fields.js").Field, HTMLElement][]} */
    this.conditional = [];
    /** @type {{update: () => void, tell?: (findings: Finding[]) => void, leave?: () => void}[]} */
    this.others = [];
    /** @type {Place | undefined} */
    this.place = undefined;
    /** @type {HTMLElement | undefined} */
    this.heading = undefined;
    this.general = h("ul", { class: "form-findings" });
  }

  /** @param {Place} place @param {Place[]} places */
  show(place, places) {
    this.place = place;
    this.leave();
    this.controls = [];
    this.conditional = [];
    this.others = [];
    const content = place.kind === "items" ? this.list(place) : this.fields(place, places);
    this.element.replaceChildren(this.head(place, places), this.general, ...content);
    this.update();
  }

  /** Ends the updates of its controls. */
  leave() {
    this.controls.forEach((control) => control.leave());
    this.others.forEach((other) => other.leave?.());
  }

  /** @private @param {Place} place @param {Place[]} places */
  head(place, places) {
    const path = pathTo(places, place);
    /** @type {HTMLElement} */
    const heading = h("h2", { class: "form-title", tabindex: "-1" }, place.title);
    this.heading = heading;
    this.others.push({ update: () => heading.textContent = this.titleNow(place) });
    const trail = path.length > 0 && h(
      "p",
      { class: "trail" },
      path.map((
        above,
      ) => [h("a", { href: address(above.at) }, above.title), h("span", { "aria-hidden": "true" }, " › ")]),
    );
    return h("div", { class: "form-head" }, h("div", {}, trail, heading), place.kind === "item" && this.actions(place));
  }

  /** @private @param {Place} place */
  titleNow(place) {
    const { document, nameOf } = this.context;
    return place.kind === "item" ? nameOf(titleOf(place.section, document, place.base)) : place.title;
  }

  /** @private @param {Place} place */
  list(place) {
    if (place.section.view === "flow") {
      const map = new FlowMap(this.context, place);
      this.others.push(map);
      return [map.element];
    }
    const list = itemsOf(place, this.context, (pointer) => this.context.open(pointer));
    this.others.push(list);
    const none = h("p", { class: "empty" }, t("item.none", { name: t(`item.${place.section.label}`) }));
    this.others.push({ update: () => none.hidden = list.keys.length > 0 });
    return [h("div", { class: "panel" }, none, list.element)];
  }

  /** @private @param {Place} place @param {Place[]} places */
  fields(place, places) {
    const name = place.kind === "item" && place.section.items === "map" && this.keyField(place);
    const made = makeFields(place.fields, place.base, this.context);
    this.controls.push(...made.controls);
    this.conditional.push(...made.conditional);
    this.others.push(...made.folded);
    return [name, ...made.elements, this.unknown(place, places)].filter((element) => !!element);
  }

  /** The keys without a field in the form. @private @param {Place} place @param {Place[]} places */
  unknown(place, places) {
    const { document, openJSON } = this.context;
    const element = h("p", { class: "hint more" });
    this.others.push({
      update: () => {
        const keys = unknownKeys(place, places, document);
        element.hidden = keys.length === 0;
        element.replaceChildren(
          t("edit.more", { count: keys.length, keys: keys.join(", ") }),
          " ",
          button(t("edit.asjson"), "pencil", () => openJSON(place.base), "quiet"),
        );
      },
    });
    return element;
  }

  /** The key of a member: leaving the field renames it. @private @param {Place} place */
  keyField(place) {
    const { document } = this.context;
    const key = keysOf(place.base).at(-1) ?? "";
    const id = `key-of-${place.section.label}`;
    const input = h("input", {
      id,
      class: "field code",
      value: key,
      spellcheck: "false",
      autocomplete: "off",
      onchange: () => {
        const name = input.value.trim();
        if (name === "" || document.keys(place.list ?? "").includes(name)) {
          if (name !== key) toast(t("list.taken", { name }));
          input.value = key;
          return;
        }
        document.rename(place.base, name);
        this.shell.go(below(place.list ?? "", name), true);
      },
    });
    return h("div", { class: "form-field" }, h("label", { for: id }, t(`field.${place.section.key}`)), input);
  }

  /** The actions on an item. @private @param {Place} place */
  actions({ list = "", base, section }) {
    const { document } = this.context;
    const key = keysOf(base).at(-1) ?? "";
    const place = Number(key);
    const editor = () => itemsOf(/** @type {any} */ ({ section, base: list }), this.context, () => undefined);
    const count = document.keys(list).length;
    const move = (/** @type {number} */ to) => {
      if (to < 0 || to >= count) return;
      editor().move(place, to);
      this.shell.go(below(list, to), true, { button: to < place ? "up" : "down" });
    };
    const name = titleOf(section, document, base);
    const make = (/** @type {string} */ what, /** @type {string} */ picture, /** @type {() => void} */ run) => {
      const element = button(t(`list.${what}`, { name }), picture, run, "quiet icon-only");
      element.title = t(`list.${what}`, { name });
      element.dataset.do = what;
      return element;
    };
    const [up, down] = [make("up", "up", () => move(place - 1)), make("down", "down", () => move(place + 1))];
    up.setAttribute("aria-disabled", String(place === 0));
    down.setAttribute("aria-disabled", String(place === count - 1));
    return h(
      "div",
      { class: "form-actions" },
      section.items === "list" && [up, down],
      make("copy", "copy", () => {
        const at = editor().copy(document.keys(list).indexOf(key));
        this.shell.go(below(list, at));
      }),
      make("remove", "trash", () => {
        editor().remove(document.keys(list).indexOf(key));
        this.shell.go(list, true);
      }),
    );
  }

  update() {
    this.controls.forEach((control) => control.update());
    this.others.forEach((other) => other.update());
    for (const [field, element] of this.conditional) {
      element.hidden = !holds(field.when, this.context.document, this.place?.base ?? "");
    }
  }

  /** Every control with its own pointer. @private */
  get all() {
    return this.controls.flatMap(withCells).filter(({ tell }) => tell);
  }

  /** Shows each finding of the place at its field, or at the top. @param {Finding[]} findings */
  tell(findings) {
    const { all, place } = this;
    const shown = all.filter(({ element }) => !element.hidden);
    const pointers = shown.map(({ pointer }) => pointer);
    /** @type {Map<string, Finding[]>} */
    const byPointer = new Map();
    /** @type {Finding[]} */
    const rest = [];
    for (const finding of findings) {
      const pointer = nearest(pointers, finding.pointer);
      if (pointer !== undefined) byPointer.set(pointer, [...byPointer.get(pointer) ?? [], finding]);
      else if (place && this.isOwn(place, finding.pointer)) rest.push(finding);
    }
    for (const control of shown) control.tell(byPointer.get(control.pointer) ?? []);
    this.general.replaceChildren(
      ...rest.map(({ message, isWarning }) =>
        h(
          "li",
          { class: isWarning ? "finding is-warning" : "finding" },
          icon(isWarning ? "warning" : "fault"),
          message,
        )
      ),
    );
    this.general.hidden = rest.length === 0;
    this.others.forEach((other) => other.tell?.(findings));
  }

  /**
   * Whether a finding is of the place itself; findings of a list's items are shown at the items.
   * @private
   * @param {Place} place
   * @param {string} pointer
   */
  isOwn({ kind, base }, pointer) {
    if (kind === "items") return pointer === base;
    return base !== "" && contains(base, pointer);
  }

  /** The pointer of the field that has the focus. @returns {string | undefined} */
  get held() {
    const { activeElement } = globalThis.document;
    const field = this.element.contains(activeElement) ? activeElement?.closest("[data-pointer]") : undefined;
    return /** @type {HTMLElement | undefined} */ (field)?.dataset.pointer;
  }

  /**
   * Focuses the field to which a pointer belongs, or else the heading.
   * @param {string} pointer
   * @returns {boolean} whether there is such a field
   */
  focus(pointer) {
    const { all } = this;
    const owner = nearest(all.map((control) => control.pointer), pointer);
    const control = all.find((control) => control.pointer === owner);
    const details = control?.element.closest("details");
    if (details) details.open = true;
    if (control) control.focus();
    else this.heading?.focus();
    return control !== undefined;
  }

  /** Focuses the first field, or the heading of a list. */
  focusFirst() {
    const first = this.controls.find(({ element }) => !element.hidden);
    if (first) first.focus();
    else this.heading?.focus();
  }

  /** @param {string} what */
  focusButton(what) {
    /** @type {HTMLElement | null} */
    const button = this.element.querySelector(`.form-actions [data-do=${what}]`);
    button?.focus();
  }
}
