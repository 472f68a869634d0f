// The daemon's syntax of expressions (docs/reference/expressions.md#tokens): tokens, and a tree with the position of
// each part. Positions are UTF-16 offsets.

/**
 * @typedef {"number" | "string" | "identifier" | "literal" | "operator" | "symbol" | "end"} TokenKind
 * @typedef {{kind: TokenKind, text: string, value?: any, start: number, end: number}} Token
 * @typedef {{start: number, end: number, message: string}} Fault
 * @typedef {{start: number, end: number, inner?: Node} & (
 *   | {kind: "literal", value: any}
 *   | {kind: "identifier", name: string}
 *   | {kind: "array", items: Node[]}
 *   | {kind: "object", members: {key: string, value: Node}[]}
 *   | {kind: "binary", operator: string, left: Node, right: Node, at: number}
 *   | {kind: "conditional", test: Node, then: Node, otherwise: Node}
 *   | {kind: "transform", subject: Node, name: string, items: Node[], at: number}
 *   | {kind: "member", subject: Node, name: string}
 *   | {kind: "index", subject: Node, index: Node}
 *   | {kind: "filter", subject: Node, name: string, operator: string, right: Node}
 * )} Node `at` is the position of the operator or the transform's name. A node in brackets has their
 *   positions, and `inner` is the same node without them.
 */

/** The precedence of each operator. @type {Record<string, number>} */
const levels = {
  "&&": 1,
  "||": 1,
  "==": 2,
  "!=": 2,
  ">=": 2,
  "<=": 2,
  ">": 2,
  "<": 2,
  in: 2,
  "+": 3,
  "-": 3,
  "*": 4,
  "//": 4,
  "/": 4,
  "%": 5,
  "^": 5,
};

const spacePattern = /\p{White_Space}+/uy;
const numberPattern = /[0-9]+(?:\.[0-9]+)?|\.[0-9]+/y;
const wordPattern = /[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}\p{Nl}\p{No}_]*/uy;
const operatorPattern = /&&|\|\||==|!=|>=|<=|\/\/|[<>+\-*/%^]/y;
const symbols = "(),.:?[]{|}";
const literals = new Map([["true", true], ["false", false], ["null", null]]);
/** @type {Record<string, string>} */
const hints = {
  "!": 'There is no "!". Write x == false.',
  "=": '"=" is no operator. Did you mean "=="?',
  "&": '"&" is no operator. Did you mean "&&"?',
};
const maximumBytes = 10_000;
const maximumDepth = 64;

/** The fault that ends the parsing of an expression. */
class Stop extends Error {
  /** @param {number} start @param {number} end @param {string} message */
  constructor(start, end, message) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

/**
 * The tokens up to the first fault; the last token is `end`, or the token at the fault.
 * @param {string} text
 * @returns {{tokens: Token[], fault: Fault | null}}
 */
export function tokenize(text) {
  /** @type {Token[]} */
  const tokens = [];
  let at = 0;
  try {
    do {
      tokens.push(tokenAt(text, skip(spacePattern, text, at)));
      at = tokens[tokens.length - 1].end;
    } while (tokens[tokens.length - 1].kind !== "end");
    return { tokens, fault: null };
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    return { tokens, fault: { start: stop.start, end: stop.end, message: stop.message } };
  }
}

/**
 * @param {RegExp} pattern a sticky one
 * @param {string} text
 * @param {number} at
 * @returns {number} the offset after the match
 */
function skip(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** @param {string} text @param {number} start @returns {Token} */
function tokenAt(text, start) {
  if (start >= text.length) return { kind: "end", text: "", start, end: start };
  const make = (
    /** @type {TokenKind} */ kind,
    /** @type {number} */ end,
    /** @type {unknown} */ value = undefined,
  ) => ({
    kind,
    text: text.slice(start, end),
    value,
    start,
    end,
  });
  if (text[start] === "'" || text[start] === '"') return stringAt(text, start);
  const number = skip(numberPattern, text, start);
  if (number > start) return make("number", number, Number(text.slice(start, number)));
  const operator = skip(operatorPattern, text, start);
  if (operator > start) return make("operator", operator);
  if (symbols.includes(text[start])) return make("symbol", start + 1);
  const word = skip(wordPattern, text, start);
  const name = text.slice(start, word);
  if (word === start) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    throw new Stop(start, start + character.length, hints[character] ?? `“${character}” has no meaning here.`);
  }
  if (literals.has(name)) return make("literal", word, literals.get(name));
  return make(name === "in" ? "operator" : "identifier", word, name);
}

/** The only escape is a backslash before the quote. @param {string} text @param {number} start @returns {Token} */
function stringAt(text, start) {
  const quote = text[start];
  let value = "";
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return { kind: "string", text: text.slice(start, at + 1), value, start, end: at + 1 };
    if (text[at] === "\\") {
      if (text[at + 1] !== quote) {
        throw new Stop(at, at + 1, "A backslash may only stand before the text's own quotation mark.");
      }
      at += 1;
    }
    value += text[at];
  }
  throw new Stop(start, text.length, "The text that begins here has no end.");
}

/**
 * @param {string} text
 * @returns {{tree: Node | null, fault: Fault | null}} exactly one of both is null
 */
export function parse(text) {
  if (new TextEncoder().encode(text).length > maximumBytes) {
    return { tree: null, fault: { start: 0, end: text.length, message: "An expression has at most 10,000 bytes." } };
  }
  const { tokens, fault } = tokenize(text);
  try {
    return { tree: new Parser(tokens, fault).whole(), fault: null };
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    return { tree: null, fault: { start: stop.start, end: stop.end, message: stop.message } };
  }
}

class Parser {
  /** @param {Token[]} tokens @param {Fault | null} fault the fault at the end of the tokens */
  constructor(tokens, fault) {
    this.tokens = tokens;
    this.fault = fault;
    this.place = 0;
    this.depth = 0;
  }

  /** @returns {Token} */
  get token() {
    const token = this.tokens[this.place];
    if (!token && this.fault) throw new Stop(this.fault.start, this.fault.end, this.fault.message);
    return token;
  }

  get end() {
    return this.tokens[this.place - 1]?.end ?? 0;
  }

  whole() {
    const tree = this.expression();
    if (this.token.kind !== "end") this.refuse("an operator or the end");
    return tree;
  }

  advance() {
    const { token } = this;
    this.place += 1;
    return token;
  }

  /** @param {string} what @returns {never} */
  refuse(what) {
    const { kind, text, start, end } = this.token;
    const found = kind === "end" ? "the end" : kind === "string" ? "a text" : `“${text}”`;
    const hint = text === "-" ? " Numbers have no sign: write 0 - 1." : "";
    throw new Stop(start, end, `Here should be ${what}, not ${found}.${hint}`);
  }

  /** @param {string} symbol */
  is(symbol) {
    return this.token.kind === "symbol" && this.token.text === symbol;
  }

  /** @param {string} symbol */
  take(symbol) {
    const isThere = this.is(symbol);
    if (isThere) this.advance();
    return isThere;
  }

  /** @param {string} symbol */
  expect(symbol) {
    if (!this.take(symbol)) this.refuse(`“${symbol}”`);
  }

  /** @param {string} what @returns {string} */
  name(what) {
    return this.token.kind === "identifier" ? this.advance().value : this.refuse(what);
  }

  /** Reads the content between brackets. @template T @param {string} close @param {() => T} read @returns {T} */
  inside(close, read) {
    this.depth += 1;
    if (this.depth > maximumDepth) {
      throw new Stop(this.token.start, this.token.end, "The expression is nested too deeply.");
    }
    this.advance();
    const value = read();
    this.expect(close);
    this.depth -= 1;
    return value;
  }

  /** @param {number} [level] @returns {Node} */
  expression(level = 1) {
    let left = this.conditional();
    while (this.token.kind === "operator" && levels[this.token.text] >= level) {
      const { text: operator, start: at } = this.advance();
      const right = this.expression(levels[operator] + 1);
      left = { kind: "binary", operator, left, right, at, start: left.start, end: right.end };
    }
    return left;
  }

  /** @returns {Node} */
  conditional() {
    let test = this.transformed();
    while (this.take("?")) {
      const then = this.transformed();
      this.expect(":");
      const otherwise = this.transformed();
      test = { kind: "conditional", test, then, otherwise, start: test.start, end: otherwise.end };
    }
    return test;
  }

  /** @returns {Node} */
  transformed() {
    let subject = this.postfix();
    while (this.take("|")) {
      const at = this.token.start;
      const name = this.name("the name of a transform");
      const items = this.is("(") ? this.inside(")", () => this.items(")")) : [];
      subject = { kind: "transform", subject, name, items, at, start: subject.start, end: this.end };
    }
    return subject;
  }

  /** @returns {Node} */
  postfix() {
    let subject = this.primary();
    for (;;) {
      const { start } = subject;
      if (this.take(".")) {
        subject = { kind: "member", subject, name: this.name("the name of a member"), start, end: this.end };
      } else if (this.is("[")) {
        const inner = subject;
        const step = this.inside("]", () => this.bracketed(inner));
        subject = { ...step, start, end: this.end };
      } else return subject;
    }
  }

  /** An index, or a filter if it begins with a dot. @param {Node} subject @returns {Node} */
  bracketed(subject) {
    const place = { start: subject.start, end: subject.end };
    if (!this.take(".")) return { kind: "index", subject, index: this.expression(), ...place };
    const name = this.name("the name of a member");
    if (this.token.kind !== "operator" || levels[this.token.text] !== 2) this.refuse("a comparison");
    const operator = this.advance().text;
    return { kind: "filter", subject, name, operator, right: this.primary(), ...place };
  }

  /** @returns {Node} */
  primary() {
    const { kind, value, start } = this.token;
    if (kind === "number" || kind === "string" || kind === "literal") {
      const { end } = this.advance();
      return { kind: "literal", value, start, end };
    }
    if (kind === "identifier") {
      const { end } = this.advance();
      return { kind: "identifier", name: value, start, end };
    }
    if (this.is("(")) {
      const inner = this.inside(")", () => this.expression());
      return { ...inner, start, end: this.end, inner };
    }
    if (this.is("[")) {
      const items = this.inside("]", () => this.items("]"));
      return { kind: "array", items, start, end: this.end };
    }
    if (this.is("{")) {
      const members = this.inside("}", () => this.members());
      return { kind: "object", members, start, end: this.end };
    }
    return this.refuse("a value");
  }

  /**
   * Items with commas between them; a comma after the last item is optional.
   * @param {string} close
   * @returns {Node[]}
   */
  items(close) {
    /** @type {Node[]} */
    const items = [];
    while (!this.is(close)) {
      items.push(this.expression());
      if (!this.take(",")) break;
    }
    return items;
  }

  members() {
    /** @type {{key: string, value: Node}[]} */
    const members = [];
    while (!this.is("}")) {
      const key = this.token.kind === "string" ? this.advance().value : this.name("a key");
      this.expect(":");
      members.push({ key, value: this.expression() });
      if (!this.take(",")) break;
    }
    return members;
  }
}

/** A text as a literal of an expression. @param {string} text */
export const quoted = (text) => text.includes("'") ? `"${text.replaceAll('"', '\\"')}"` : `'${text}'`;

/**
 * The value of a literal, or of a number below 0, which is written as a difference.
 * @param {Node} node
 * @returns {any} undefined for any other node
 */
export function plainOf(node) {
  if (node.kind === "literal") return node.value;
  if (node.kind !== "binary" || node.operator !== "-" || node.left.kind !== "literal" || node.left.value !== 0) return;
  const { right } = node;
  return right.kind === "literal" && typeof right.value === "number" && right.value > 0 ? -right.value : undefined;
}
