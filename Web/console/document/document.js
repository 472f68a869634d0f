// A JSON document that is edited as text and by values. The text is authoritative. An edit by a value changes the
// smallest part of it, so that layout, the order of keys, the spelling of numbers and unknown keys stay.

import { parse, valueOf } from "./cst.js";
import { below, keysOf, pointerOf } from "./pointers.js";

/**
 * @typedef {import("./cst.js").Node} Node
 * @typedef {{start: number, end: number, text: string}} Edit replaces the text from start to end
 * @typedef {{undo: Edit[], redo: Edit[], place: string, at: number}} Step
 */

/** The milliseconds within which edits at the same place are one step of the history. */
const stepMilliseconds = 800;
const maximumSteps = 1000;

export class JSONDocument {
  /** @param {string} text */
  constructor(text) {
    /** @type {Step[]} */
    this.past = [];
    /** @type {Step[]} */
    this.future = [];
    /** @type {Set<() => void>} */
    this.observers = new Set();
    this.text = text;
    const { root, faults } = parse(text);
    this.tree = root;
    this.faults = faults;
    /** The tree of the last valid text. */
    this.sound = faults.length === 0 ? root : undefined;
  }

  /** Whether the text is JSON. While it is not, edits by values do nothing. */
  get isSound() {
    return this.faults.length === 0;
  }

  /**
   * Calls the observer after each change. Returns a function that removes the observer.
   * @param {() => void} observer
   */
  subscribe(observer) {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  // Reading. While the text is not JSON, values are from the last valid text.

  /** @param {string} pointer @returns {any} undefined if there is none */
  get(pointer) {
    const node = this.sound && find(this.sound, pointer);
    return node && valueOf(node);
  }

  /** The keys of an object, in their order, or the indexes of an array. @param {string} pointer @returns {string[]} */
  keys(pointer) {
    const node = this.sound && find(this.sound, pointer);
    return node?.members?.map((member) => String(member.key.value)) ?? node?.items?.map((_, place) => `${place}`) ?? [];
  }

  /** The position of a value in the text, or of its key if the value is missing. @param {string} pointer */
  positionOf(pointer) {
    const node = find(this.tree, pointer);
    return node && { start: node.start, end: node.end };
  }

  /** The pointer of the innermost value at an offset of the text. @param {number} offset @returns {string} */
  pointerAt(offset) {
    let pointer = "";
    let node = this.tree;
    for (;;) {
      const member = node.members?.find(({ key, value }) =>
        key.start <= offset && offset <= Math.max(value.end, key.end)
      );
      const item = node.items?.findIndex(({ start, end }) => start <= offset && offset <= end) ?? -1;
      if (member) [pointer, node] = [below(pointer, String(member.key.value)), member.value];
      else if (item >= 0 && node.items) [pointer, node] = [below(pointer, item), node.items[item]];
      else return pointer;
    }
  }

  // Writing.

  /** Replaces the text. @param {string} text @param {number} [now] @param {string} [place] as in `apply` */
  replaceText(text, now = Date.now(), place = "text") {
    if (text === this.text) return;
    let start = 0;
    const shorter = Math.min(text.length, this.text.length);
    while (start < shorter && text[start] === this.text[start]) start += 1;
    let tail = 0;
    while (tail < shorter - start && text[text.length - 1 - tail] === this.text[this.text.length - 1 - tail]) tail += 1;
    const edit = { start, end: this.text.length - tail, text: text.slice(start, text.length - tail) };
    this.apply([edit], place, now);
  }

  /**
   * Writes a value. A missing member is added after the others, and a missing item at the end of its list.
   * @param {string} pointer
   * @param {unknown} value undefined removes the value
   * @param {number} [now]
   */
  set(pointer, value, now = Date.now()) {
    if (value === undefined) return this.remove(pointer, now);
    if (!this.isSound) return;
    const node = find(this.tree, pointer);
    if (!node) return this.insert(pointer, value, now, pointer);
    if (isSame(valueOf(node), value)) return;
    const style = this.styleAt(node);
    this.apply([{ start: node.start, end: node.end, text: write(value, style) }], pointer, now);
  }

  /**
   * Adds an item before the item at its index, or adds a member.
   * @param {string} pointer
   * @param {unknown} value
   * @param {number} [now]
   * @param {string} [place] as in `apply`
   * @returns {void}
   */
  insert(pointer, value, now = Date.now(), place = "") {
    if (!this.isSound || pointer === "") return;
    const keys = keysOf(pointer);
    const key = keys[keys.length - 1];
    const outer = pointerOf(keys.slice(0, -1));
    const parent = find(this.tree, outer);
    if (!parent) {
      // A missing outer object is added with the value.
      return this.insert(outer, key === "0" || key === "-" ? [value] : { [key]: value }, now, place);
    }
    const children = childrenOf(parent);
    if (!children) return;
    const isLong = this.isLong(parent);
    const style = { ...this.styleAt(parent), isLong };
    const inner = { ...style, indent: style.indent + style.unit };
    const written = write(value, inner);
    const element = parent.items ? written : `${JSON.stringify(key)}: ${written}`;
    const index = parent.items
      ? Math.min(key === "-" ? children.length : Number(key), children.length)
      : children.length;
    const separator = isLong ? style.newline + inner.indent : " ";
    if (children.length === 0) {
      const text = isLong ? `${separator}${element}${style.newline}${style.indent}` : element;
      this.apply([{ start: parent.start + 1, end: parent.end - 1, text }], place, now);
    } else if (index === children.length) {
      const end = children[index - 1].end;
      this.apply([{ start: end, end, text: `,${separator}${element}` }], place, now);
    } else {
      const start = children[index].start;
      this.apply([{ start, end: start, text: `${element},${separator}` }], place, now);
    }
  }

  /** Removes a member or an item. @param {string} pointer @param {number} [now] */
  remove(pointer, now = Date.now()) {
    const found = this.isSound ? this.childAt(pointer) : undefined;
    if (!found) return;
    const { parent, children, place } = found;
    const [start, end] = children.length === 1
      ? [parent.start + 1, parent.end - 1]
      : place === 0
      ? [children[0].start, children[1].start]
      : [children[place - 1].end, children[place].end];
    this.apply([{ start, end, text: "" }], "", now);
  }

  /**
   * Moves an item of a list to another index; the items between move by one.
   * @param {string} pointer the pointer of the list
   * @param {number} from
   * @param {number} to the new index
   * @param {number} [now]
   */
  move(pointer, from, to, now = Date.now()) {
    const list = this.isSound ? find(this.tree, pointer) : undefined;
    const items = list?.items;
    if (!items || from === to || !items[from] || !items[to]) return;
    const order = items.map((_, place) => place);
    order.splice(to, 0, ...order.splice(from, 1));
    // The text between the items keeps its position.
    const texts = items.map((item) => this.text.slice(item.start, item.end));
    /** @type {Edit[]} */
    const edits = [];
    items.forEach((item, place) => {
      if (order[place] !== place) edits.push({ start: item.start, end: item.end, text: texts[order[place]] });
    });
    this.apply(edits, "", now);
  }

  /**
   * Gives a member another key, at the same position.
   * @param {string} pointer
   * @param {string} name
   * @param {number} [now]
   */
  rename(pointer, name, now = Date.now()) {
    const keys = keysOf(pointer);
    const members = (this.isSound && find(this.tree, pointerOf(keys.slice(0, -1)))?.members) || [];
    const key = members.find((member) => member.key.value === keys[keys.length - 1])?.key;
    if (!key || members.some((member) => member.key.value === name)) return;
    this.apply([{ start: key.start, end: key.end, text: JSON.stringify(name) }], pointer, now);
  }

  undo() {
    this.step(this.past, this.future, "undo");
  }

  redo() {
    this.step(this.future, this.past, "redo");
  }

  // Text.

  /** @private @param {Step[]} from @param {Step[]} to @param {"undo" | "redo"} direction */
  step(from, to, direction) {
    const step = from.pop();
    if (!step) return;
    let text = this.text;
    for (const edit of step[direction]) text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    to.push({ ...step, at: -Infinity });
    this.changed(text);
  }

  /**
   * @private
   * @param {Edit[]} edits edits that do not overlap, in the order of the text
   * @param {string} place soon repeated edits at the same place are one step, except at ""
   * @param {number} now milliseconds
   */
  apply(edits, place, now) {
    /** @type {Edit[]} */
    const undo = [];
    /** @type {Edit[]} */
    const redo = [];
    let text = this.text;
    for (const edit of edits.toReversed()) {
      undo.unshift({ start: edit.start, end: edit.start + edit.text.length, text: text.slice(edit.start, edit.end) });
      redo.push(edit);
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    }
    const last = this.past[this.past.length - 1];
    if (last && place !== "" && last.place === place && now - last.at < stepMilliseconds) {
      [last.undo, last.redo, last.at] = [[...undo, ...last.undo], [...last.redo, ...redo], now];
    } else {
      this.past.push({ undo, redo, place, at: now });
      if (this.past.length > maximumSteps) this.past.shift();
    }
    this.future = [];
    this.changed(text);
  }

  /** @private @param {string} text */
  changed(text) {
    this.text = text;
    const { root, faults } = parse(text);
    this.tree = root;
    this.faults = faults;
    if (faults.length === 0) this.sound = root;
    for (const observer of this.observers) observer();
  }

  /** @private @param {string} pointer */
  childAt(pointer) {
    if (pointer === "") return undefined;
    const keys = keysOf(pointer);
    const key = keys[keys.length - 1];
    const parent = find(this.tree, pointerOf(keys.slice(0, -1)));
    const children = parent && childrenOf(parent);
    if (!parent || !children) return undefined;
    const place = parent.items ? indexOf(key) : (parent.members ?? []).findIndex((member) => member.key.value === key);
    return children[place] && { parent, children, place };
  }

  /** @private @param {Node} node a node: whether its members have separate lines */
  isLong(node) {
    const children = childrenOf(node) ?? [];
    if (children.length === 0) return node === this.tree || this.text.includes("\n");
    return this.text.slice(node.start, children[0].start).includes("\n");
  }

  /** @private The layout of the text at a value. @param {Node} node @returns {Style} */
  styleAt(node) {
    const newline = this.text.includes("\r\n") ? "\r\n" : "\n";
    const unit = /\n([ \t]+)\S/.exec(this.text)?.[1] ?? "  ";
    const lineStart = this.text.lastIndexOf("\n", node.start - 1) + 1;
    const indent = /^[ \t]*/.exec(this.text.slice(lineStart, node.start))?.[0] ?? "";
    return { newline, unit, indent, isLong: this.text.includes("\n") };
  }
}

/** @typedef {{newline: string, unit: string, indent: string, isLong: boolean}} Style */

/**
 * A value as text in the document's style. Short lists of plain values are on one line.
 * @param {unknown} value
 * @param {Style} style
 * @returns {string}
 */
function write(value, style) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((item) => ["", item])
    : Object.entries(value).filter(([, item]) => item !== undefined).map((
      [key, item],
    ) => [`${JSON.stringify(key)}: `, item]);
  const [open, close] = isList ? "[]" : "{}";
  if (entries.length === 0) return open + close;
  const isPlain = entries.every(([, item]) => item === null || typeof item !== "object");
  const short = `${open}${entries.map(([key, item]) => key + JSON.stringify(item)).join(", ")}${close}`;
  if (!style.isLong || (isPlain && short.length <= 72)) {
    return isPlain ? short : `${open}${entries.map(([key, item]) => key + write(item, style)).join(", ")}${close}`;
  }
  const inner = { ...style, indent: style.indent + style.unit };
  const lines = entries.map(([key, item]) => style.newline + inner.indent + key + write(item, inner));
  return open + lines.join(",") + style.newline + style.indent + close;
}

/** @param {Node} root @param {string} pointer @returns {Node | undefined} */
function find(root, pointer) {
  /** @type {Node | undefined} */
  let node = root;
  for (const key of keysOf(pointer)) {
    node = node?.items ? node.items[indexOf(key)] : node?.members?.find((member) => member.key.value === key)?.value;
    if (!node) return undefined;
  }
  return node;
}

/**
 * The ranges of members with their keys, or of items.
 * @param {Node} node
 * @returns {{start: number, end: number}[] | undefined}
 */
function childrenOf(node) {
  return node.items ?? node.members?.map(({ key, value }) => ({ start: key.start, end: value.end }));
}

/** @param {string} key @returns {number} -1 if it is no index */
function indexOf(key) {
  return /^(0|[1-9][0-9]*)$/.test(key) ? Number(key) : -1;
}

/**
 * Whether two values are equal, independent of the order of their keys.
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
export function isSame(left, right) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length &&
      left.every((item, place) => isSame(item, right[place]));
  }
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(Reflect.get(left, key), Reflect.get(right, key)));
}
