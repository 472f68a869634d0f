// A condition as rows "question, comparison, value", joined by all or any, with one nested group, and as a sentence
// below.

import { isSame } from "../document/document.js";
import { change } from "../document/patch.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import { h } from "../../shared/dom.js";
import { t } from "../texts.js";
import { firstValue, valueControl, valueFor } from "./condition-value.js";
import { groupInWords, subjectName } from "./condition-words.js";
import { fresh } from "./dialects.js";
import { subjectOf } from "./subjects.js";

/**
 * @typedef {import("./dialects.js").Dialect} Dialect
 * @typedef {import("./dialects.js").Group} Group
 * @typedef {import("./dialects.js").Part} Part
 * @typedef {import("./dialects.js").Row} Row
 * @typedef {import("./subjects.js").Subject} Subject
 * @typedef {{document: import("../document/document.js").JSONDocument, pointer: string, dialect: Dialect, name: string,
 *   subjects: () => Subject[], openLocked: () => void, lockedLabel?: string, announce: (text: string) => void,
 *   blank?: unknown}} Options
 * `name` is the name of the dialect in keys of texts; `openLocked` leads to the text of what rows cannot say; `blank`
 * is the value without any row.
 */

export class ConditionRows {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.dialect = options.dialect;
    this.body = h("div", { class: "when-body" });
    this.words = h("p", { class: "hint when-words" });
    this.element = h("div", { class: "when" }, this.body, this.words);
    this.shown = "";
    /** @type {Subject[]} */
    this.subjects = [];
    /** @type {Group} */
    this.group = { kind: "group", join: "all", parts: [] };
    /** @type {{value: unknown, group: Group} | undefined} Rows that the document cannot hold as they are shown. */
    this.made = undefined;
    this.update();
  }

  update() {
    this.group = this.read();
    this.subjects = this.options.subjects();
    const shape = JSON.stringify([this.group, this.subjects]);
    if (shape === this.shown) return;
    this.shown = shape;
    const held = this.element.contains(globalThis.document.activeElement) &&
      /** @type {HTMLElement} */ (globalThis.document.activeElement).closest("[data-row]")?.getAttribute("data-row");
    if (!this.isTyping) this.draw();
    this.isTyping = false;
    if (held) this.focus(held);
    const words = this.dialect.words?.(this.group) ?? groupInWords(this.group, this.subjects);
    this.words.textContent = words === "" ? "" : t(`when.lead.${this.options.name}`, { what: words });
    this.words.hidden = words === "";
  }

  /** The rows of the document's value; a group with one row has no text of its own. @private @returns {Group} */
  read() {
    const value = plain(this.options.document.get(this.options.pointer));
    return this.made && isSame(this.made.value, value) ? plain(this.made.group) : this.dialect.read(value);
  }

  /** @private */
  draw() {
    const { parts } = this.group;
    const isEmpty = parts.length === 0;
    // Without a frame, a locked part is the whole value, and no row can be added to it.
    const isOnlyLocked = parts.length === 1 && parts[0].kind === "locked" && this.group.raw === undefined;
    const { name } = this.options;
    const hasSubject = this.subjects.some(({ kind }) => this.offers(kind).length > 0);
    const always = [t(`when.always.${name}`), !hasSubject && t(`when.nothing.${name}`)].filter(Boolean).join(" ");
    this.body.replaceChildren(
      ...(isEmpty ? [h("p", { class: "muted" }, always)] : []),
      ...(isEmpty || this.dialect.most === 1 || isOnlyLocked ? [] : [this.joinControl([], this.group)]),
      ...(isEmpty
        ? []
        : [h("ol", { class: "when-rows" }, parts.map((part, place) => this.partElement(part, [place])))]),
      ...(isOnlyLocked ? [] : [this.buttons([], this.group)]),
    );
  }

  /** @private @param {number[]} path @param {Group} group */
  joinControl(path, group) {
    if (group.parts.length < 2) return "";
    const select = h("select", {
      class: "field when-join",
      "data-row": key(path, "join"),
      "aria-label": t("when.join"),
      onchange: () => this.edit((root) => at(root, path).join = select.value),
    }, ["all", "any"].map((join) => h("option", { value: join }, t(`when.${join}`))));
    select.value = group.join;
    return h("p", { class: "when-head" }, select, t("when.hold"));
  }

  /** @private @param {number[]} path @param {Group} group */
  buttons(path, group) {
    const isFull = group.parts.length >= this.dialect.most;
    const subject = this.subjects.find(({ kind }) => this.offers(kind).length > 0);
    if (isFull) return "";
    if (!subject) return "";
    const add = button(t(group.parts.length === 0 ? "when.add" : "when.add.more"), "plus", () => {
      this.edit((root) => at(root, path).parts.push(this.blank(subject)));
      this.focus(key([...path, group.parts.length], "subject"));
    });
    const nest = path.length === 0 && this.dialect.nests && group.parts.length > 0 &&
      button(t("when.add.group"), "plus", () => {
        const inner = { kind: /** @type {const} */ ("group"), join: other(group.join), parts: [this.blank(subject)] };
        this.edit((root) => root.parts.push(inner));
        this.focus(key([group.parts.length, 0], "subject"));
      }, "quiet");
    return h("div", { class: "list-actions" }, add, nest);
  }

  /** @private @param {Part} part @param {number[]} path @returns {HTMLElement} */
  partElement(part, path) {
    if (part.kind === "row") return this.rowElement(part, path);
    if (part.kind === "locked") return this.lockedElement(part, path);
    return h(
      "li",
      { class: "when-group" },
      h(
        "div",
        { class: "when-row" },
        this.joinControl(path, part) || h("p", { class: "when-head muted" }, t("when.group")),
        this.remove(path, t("when.remove.group")),
      ),
      h("ol", { class: "when-rows" }, part.parts.map((inner, place) => this.partElement(inner, [...path, place]))),
      this.buttons(path, part),
    );
  }

  /** @private @param {Row} row @param {number[]} path */
  rowElement(row, path) {
    const subject = subjectOf(row.subject, this.subjects);
    const name = subjectName(row.subject, this.subjects);
    const change = (/** @type {unknown} */ value, /** @type {boolean} */ isTyped = false) =>
      this.edit((root) => rowAt(root, path).value = value, isTyped ? key(path, "value") : "", isTyped);
    const control = valueControl(row, subject, change);
    control?.setAttribute("data-row", key(path, "value"));
    return h(
      "li",
      { class: "when-row" },
      h(
        "div",
        { class: "when-cells" },
        this.subjectControl(row, path, name),
        subject?.isOpen && this.nameControl(row, subject, path),
        this.comparisonControl(row, subject, path),
        control,
      ),
      this.remove(path, t("when.remove", { name })),
    );
  }

  /** @private @param {Row} row @param {number[]} path @param {string} name */
  subjectControl(row, path, name) {
    const own = subjectOf(row.subject, this.subjects);
    const offered = this.subjects.filter((subject) => subject === own || this.offers(subject.kind).length > 0);
    const select = h("select", {
      class: "field when-subject",
      "data-row": key(path, "subject"),
      "aria-label": t("when.subject"),
      onchange: () => this.edit((root) => this.turn(rowAt(root, path), select.value, row.comparison)),
    }, this.subjectOptions(offered));
    if (!own) select.append(h("option", { value: row.subject }, t("when.unknown", { name })));
    select.value = own?.id ?? row.subject;
    return select;
  }

  /** The subjects by their groups. @private @param {Subject[]} offered */
  subjectOptions(offered) {
    const names = [...new Set(offered.map(({ group }) => group))];
    return names.flatMap((name) => {
      const options = offered.filter(({ group }) => group === name)
        .map(({ id }) => h("option", { value: id }, subjectName(id, this.subjects)));
      return name === undefined ? options : [h("optgroup", { label: name }, options)];
    });
  }

  /** The name of a subject that is not among the known ones. @private @param {Row} row @param {Subject} subject @param {number[]} path */
  nameControl(row, { id, pattern = "" }, path) {
    const input = h("input", {
      class: "field",
      value: row.subject.slice(id.length),
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": t("when.name"),
      "data-row": key(path, "name"),
      oninput: () => {
        const isName = new RegExp(pattern).test(input.value);
        input.setAttribute("aria-invalid", String(!isName));
        if (isName) this.edit((root) => rowAt(root, path).subject = id + input.value, key(path, "name"), true);
      },
    });
    return input;
  }

  /** @private @param {Row} row @param {Subject | undefined} subject @param {number[]} path */
  comparisonControl(row, subject, path) {
    const offered = this.offers(subject?.kind ?? "text");
    const all = offered.includes(row.comparison) ? offered : [...offered, row.comparison];
    const select = h(
      "select",
      {
        class: "field when-comparison",
        "data-row": key(path, "comparison"),
        "aria-label": t("when.comparison"),
        onchange: () => this.edit((root) => this.turn(rowAt(root, path), row.subject, select.value)),
      },
      all.map((comparison) => h("option", { value: comparison }, t(`when.is.${comparison}`))),
    );
    select.value = row.comparison;
    return select;
  }

  /** @private @param {import("./dialects.js").Locked} part @param {number[]} path */
  lockedElement({ raw }, path) {
    const text = this.dialect.show?.(raw) ?? JSON.stringify(raw);
    const { lockedLabel = t("edit.asjson"), openLocked } = this.options;
    return h(
      "li",
      { class: "when-row is-locked" },
      icon("lock"),
      h("span", { class: "hidden-text" }, t("when.locked")),
      h("code", { class: "excerpt" }, text.length > 120 ? `${text.slice(0, 120)}…` : text),
      button(lockedLabel, "pencil", openLocked, "quiet"),
      path.length > 0 && this.group.parts.length > 1 && this.remove(path, t("when.remove.locked")),
    );
  }

  /** @private @param {number[]} path @param {string} label */
  remove(path, label) {
    const element = button(label, "close", () => {
      this.edit((root) => {
        const outer = at(root, path.slice(0, -1));
        outer.parts.splice(path[path.length - 1], 1);
        // An empty group is removed.
        if (outer !== root && outer.parts.length === 0) root.parts.splice(path[0], 1);
      });
      this.options.announce(t("when.removed"));
      /** @type {HTMLElement | null} */
      const next = this.body.querySelector("[data-row], button");
      next?.focus();
    }, "quiet icon-only when-remove");
    element.title = label;
    return element;
  }

  /** @private @param {import("./subjects.js").Kind} kind @returns {string[]} */
  offers(kind) {
    return this.dialect.offers[kind] ?? [];
  }

  /** @private @param {Subject} subject @returns {Row} */
  blank(subject) {
    const [comparison] = this.offers(subject.kind);
    return { kind: "row", subject: named(subject), comparison, value: firstValue(subject, comparison) };
  }

  /**
   * Changes the subject or comparison of a row; its value stays if it fits.
   * @private
   * @param {Row} row
   * @param {string} id
   * @param {string} wanted
   */
  turn(row, id, wanted) {
    const subject = subjectOf(id, this.subjects);
    const offered = this.offers(subject?.kind ?? "text");
    row.subject = subject?.id === id ? named(subject) : id;
    row.comparison = offered.includes(wanted) ? wanted : offered[0] ?? wanted;
    row.value = valueFor(row.value, subject, row.comparison);
  }

  /** @private @param {(root: Group) => void} change_ @param {string} [place] @param {boolean} [isTyped] */
  edit(change_, place = "", isTyped = false) {
    const { document, pointer, blank } = this.options;
    const root = this.read();
    change_(root);
    this.isTyping = isTyped;
    change(document, pointer, this.dialect.write(root) ?? blank, place && `${pointer} ${place}`);
    const value = plain(document.get(pointer));
    this.made = isLone(root) && !isSame(fresh(this.dialect.read(value)), fresh(root))
      ? { value, group: plain(root) }
      : undefined;
    this.update();
  }

  /** @private @param {string} row */
  focus(row) {
    /** @type {HTMLElement | null} */
    const element = this.body.querySelector(`[data-row="${row}"]`);
    if (element !== document.activeElement && !element?.contains(document.activeElement)) element?.focus();
  }
}

/** @param {number[]} path @param {string} part */
const key = (path, part) => `${path.join(".")} ${part}`;

/** @param {Group} root @param {number[]} path @returns {Group} */
const at = (root, path) => path.reduce((group, place) => /** @type {Group} */ (group.parts[place]), root);

/** @param {Group} root @param {number[]} path @returns {Row} */
const rowAt = (root, path) => /** @type {Row} */ (/** @type {unknown} */ (at(root, path)));

/** @param {"all" | "any"} join @returns {"all" | "any"} */
const other = (join) => join === "all" ? "any" : "all";

/** @param {Subject} subject */
const named = ({ id, start = "" }) => id + start;

/** Whether a group within has one row. @param {Group} root */
const isLone = ({ parts }) => parts.some((part) => part.kind === "group" && part.parts.length < 2);

/** @template T @param {T} value @returns {T} */
const plain = (value) => value === undefined ? value : JSON.parse(JSON.stringify(value));
