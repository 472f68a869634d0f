// A tolerant JSON parser. It makes a tree with the position of each value in the text, and all faults with their
// positions. A text with faults also has a tree, of its readable parts.

/**
 * @typedef {"object" | "array" | "string" | "number" | "literal" | "missing"} Kind
 * @typedef {{key: Node, value: Node}} Member
 * @typedef {{kind: Kind, start: number, end: number, value?: unknown, members?: Member[], items?: Node[]}} Node
 * Offsets are in UTF-16 units; `end` is exclusive. `value` is defined for strings, numbers and literals.
 * @typedef {{start: number, end: number, message: string}} Fault
 */

/** The maximum depth of values, which is the same in the daemon. */
const maximumDepth = 64;

/**
 * @param {string} text
 * @returns {{root: Node, faults: Fault[]}}
 */
export function parse(text) {
  const parser = new Parser(text);
  const root = parser.value(0);
  parser.space();
  if (parser.at < text.length && root.kind !== "missing") {
    parser.fault(parser.at, text.length, "There is more text after the document's end.");
  }
  return { root, faults: parser.faults };
}

/**
 * The value of a node.
 * @param {Node} node
 * @returns {unknown}
 */
export function valueOf(node) {
  switch (node.kind) {
    case "object": {
      /** @type {Record<string, unknown>} */
      const object = Object.create(null);
      for (const member of node.members ?? []) object[String(member.key.value)] = valueOf(member.value);
      return object;
    }
    case "array":
      return (node.items ?? []).map(valueOf);
    case "missing":
      return undefined;
    default:
      return node.value;
  }
}

/**
 * The line and column of an offset, both from 1.
 * @param {string} text
 * @param {number} offset
 * @returns {{line: number, column: number}}
 */
export function position(text, offset) {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
}

const literals = new Map([["true", true], ["false", false], ["null", null]]);
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const spacePattern = /[ \t\r\n]*/y;
/** The characters of a text without quotes, escapes and control characters. */
const plainPattern = /[^"\\\p{Cc}]*/uy;
const wordPattern = /[^\s,:[\]{}"]+/y;
/** @type {Record<string, string>} */
const escapes = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    /** @type {Fault[]} */
    this.faults = [];
  }

  /** @param {number} start @param {number} end @param {string} message */
  fault(start, end, message) {
    this.faults.push({ start, end: Math.max(end, start), message });
  }

  space() {
    spacePattern.lastIndex = this.at;
    this.at += spacePattern.exec(this.text)?.[0].length ?? 0;
  }

  /** @param {number} depth @returns {Node} */
  value(depth) {
    this.space();
    const start = this.at;
    const character = this.text[start];
    if (character === undefined || ",:]}".includes(character)) {
      this.fault(start, start, "A value is missing.");
      return { kind: "missing", start, end: start };
    }
    if (depth >= maximumDepth && (character === "{" || character === "[")) {
      this.fault(start, this.text.length, `A document is at most ${maximumDepth} levels deep.`);
      this.at = this.text.length;
      return { kind: "missing", start, end: this.at };
    }
    if (character === "{") return this.object(depth);
    if (character === "[") return this.array(depth);
    if (character === '"') return this.string();
    return this.word();
  }

  /** @param {number} depth @returns {Node} */
  object(depth) {
    const start = this.at;
    /** @type {Member[]} */
    const members = [];
    const names = new Set();
    this.list("}", () => {
      const key = this.text[this.at] === '"' ? this.string() : this.bareKey();
      if (names.has(key.value)) this.fault(key.start, key.end, `The key "${key.value}" stands here twice.`);
      names.add(key.value);
      this.space();
      if (this.text[this.at] === ":") this.at += 1;
      else this.fault(key.end, key.end, "A colon is missing after the key.");
      members.push({ key, value: this.value(depth + 1) });
    });
    return { kind: "object", start, end: this.at, members };
  }

  /** @param {number} depth @returns {Node} */
  array(depth) {
    const start = this.at;
    /** @type {Node[]} */
    const items = [];
    this.list("]", () => items.push(this.value(depth + 1)));
    return { kind: "array", start, end: this.at, items };
  }

  /**
   * Parses members or items up to the closing bracket, with a fault for a missing or superfluous comma.
   * @param {string} close
   * @param {() => void} element
   */
  list(close, element) {
    const start = this.at;
    this.at += 1;
    let commaAt = -1;
    for (let isFirst = true;; isFirst = false) {
      this.space();
      const character = this.text[this.at];
      if (character === close) {
        if (commaAt >= 0) this.fault(commaAt, commaAt + 1, "Nothing follows this comma.");
        this.at += 1;
        return;
      }
      if (character === undefined || character === "}" || character === "]") {
        this.fault(start, start + 1, `This ${this.text[start]} is not closed.`);
        // A bracket of another kind closes an outer value, whose parser reads it.
        return;
      }
      if (!isFirst && commaAt < 0) this.fault(this.at, this.at, "A comma is missing before this.");
      commaAt = -1;
      const before = this.at;
      element();
      this.space();
      if (this.text[this.at] === ",") {
        commaAt = this.at;
        this.at += 1;
      } else if (this.at === before) {
        // A character that no rule accepts is skipped, so that the loop ends.
        this.at += 1;
      }
    }
  }

  /** A key without its quotes. @returns {Node} */
  bareKey() {
    const start = this.at;
    wordPattern.lastIndex = start;
    const word = wordPattern.exec(this.text)?.[0] ?? "";
    this.at += word.length;
    this.fault(start, this.at, word === "" ? "A key is missing." : `The key ${word} needs quotes.`);
    return { kind: "string", start, end: this.at, value: word };
  }

  /** @returns {Node} */
  word() {
    const start = this.at;
    wordPattern.lastIndex = start;
    const word = wordPattern.exec(this.text)?.[0] ?? this.text[start];
    this.at += word.length;
    if (literals.has(word)) return { kind: "literal", start, end: this.at, value: literals.get(word) };
    numberPattern.lastIndex = 0;
    if (numberPattern.exec(word)?.[0] === word) return { kind: "number", start, end: this.at, value: Number(word) };
    this.fault(start, this.at, `${word} is no value. A text needs quotes.`);
    return { kind: "missing", start, end: this.at };
  }

  /** @returns {Node} */
  string() {
    const start = this.at;
    let value = "";
    this.at += 1;
    for (;;) {
      plainPattern.lastIndex = this.at;
      const plain = plainPattern.exec(this.text)?.[0] ?? "";
      value += plain;
      this.at += plain.length;
      const character = this.text[this.at];
      if (character === undefined || character === "\n" || character === "\r") {
        this.fault(start, this.at, "This text has no closing quote.");
        break;
      }
      this.at += 1;
      if (character === '"') break;
      if (character === "\\") value += this.escape();
      else {
        if (character < " ") this.fault(this.at - 1, this.at, "A control character has to be escaped.");
        value += character;
      }
    }
    return { kind: "string", start, end: this.at, value };
  }

  /** Reads the character after a backslash. @returns {string} */
  escape() {
    const start = this.at - 1;
    const character = this.text[this.at] ?? "";
    if (character === "u") {
      const digits = this.text.slice(this.at + 1, this.at + 5);
      if (/^[0-9a-fA-F]{4}$/.test(digits)) {
        this.at += 5;
        return String.fromCharCode(parseInt(digits, 16));
      }
    } else if (character in escapes) {
      this.at += 1;
      return escapes[character];
    }
    this.fault(start, this.at, "This is no escape.");
    return "";
  }
}
