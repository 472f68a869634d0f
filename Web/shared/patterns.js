// Patterns of definitions (docs/reference/surveys.md#patterns). This module reads, compiles and searches them with the
// daemon's algorithm: the same patterns are faults, the same texts match, and each search stays within its budget.

/** The error for a faulty pattern. */
export class PatternError extends Error {}

/**
 * Whether the character `code` is a member.
 * @typedef {(code: number) => boolean} Member
 * @typedef {{members: Member[], isNegated: boolean}} Class
 * @typedef {"start" | "end" | "boundary" | "noBoundary"} Assertion
 * @typedef {{class: Class} | {assertion: Assertion} | {sequence: Syntax[]} | {alternatives: Syntax[]}
 *   | {repeated: Syntax, minimum: number, maximum: number}} Syntax
 * @typedef {{kind: "character", class: Class} | {kind: "assertion", assertion: Assertion}
 *   | {kind: "split", first: number, second: number} | {kind: "jump", first: number} | {kind: "match"}} Instruction
 */

/** The remaining steps for all searches that share this budget. */
export class Budget {
  constructor(steps = 500_000) {
    this.steps = steps;
    /** Whether a search needed more steps than were left. */
    this.isShort = false;
  }

  /** @param {number} count */
  spend(count) {
    this.isShort ||= count > this.steps;
    this.steps = this.isShort ? 0 : this.steps - count;
    return !this.isShort;
  }
}

/** @param {RegExp} expression @returns {Member} */
const matching = (expression) => (code) => expression.test(String.fromCodePoint(code));
const isWord = matching(/^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]$/u);
/** @type {{[letter: string]: Member}} */
const classes = {
  d: matching(/^\p{Nd}$/u),
  w: isWord,
  s: matching(/^[\t\n\f\r\p{Z}]$/u),
};
const isOnLine = matching(/^[^\n\v\f\r\x85\u2028\u2029]$/u);
const categories =
  "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cs Co Cn".split(" ");
/** @type {{[letter: string]: string}} */
const controls = { t: "\t", n: "\n", f: "\f", r: "\r" };

/** Parses the text of a pattern, or throws its fault. */
class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = [...text];
    this.position = 0;
    this.depth = 0;
    this.ignoresCase = text.startsWith("(?i)");
    if (this.ignoresCase) this.position = 4;
  }

  get next() {
    return this.text[this.position];
  }

  /** @param {string} character */
  take(character) {
    if (this.next !== character) return false;
    this.position += 1;
    return true;
  }

  /** @returns {Syntax} */
  parse() {
    const syntax = this.alternatives();
    if (this.position < this.text.length) throw new PatternError("unexpected )");
    return syntax;
  }

  /** @returns {Syntax} */
  alternatives() {
    this.depth += 1;
    if (this.depth > 32) throw new PatternError("groups nest too deep");
    const parts = [this.sequence()];
    while (this.take("|")) parts.push(this.sequence());
    this.depth -= 1;
    return parts.length === 1 ? parts[0] : { alternatives: parts };
  }

  /** @returns {Syntax} */
  sequence() {
    const parts = [];
    while (this.next !== undefined && this.next !== "|" && this.next !== ")") parts.push(this.repetition());
    return parts.length === 1 ? parts[0] : { sequence: parts };
  }

  /** @returns {Syntax} */
  repetition() {
    const part = this.atom();
    const bounds = this.bounds();
    if (!bounds) return part;
    this.take("?");
    if (this.next === "+") throw new PatternError("possessive quantifiers are not supported");
    if (this.next === "*" || this.next === "?") throw new PatternError("nothing to repeat");
    return { repeated: part, ...bounds };
  }

  bounds() {
    if (this.take("*")) return { minimum: 0, maximum: Infinity };
    if (this.take("+")) return { minimum: 1, maximum: Infinity };
    if (this.take("?")) return { minimum: 0, maximum: 1 };
    if (!this.take("{")) return undefined;
    const minimum = this.number();
    if (minimum === undefined) throw new PatternError("expected a number after {");
    const maximum = this.take(",") ? this.number() ?? Infinity : minimum;
    if (!this.take("}")) throw new PatternError("expected }");
    if (maximum < minimum) throw new PatternError("the bounds of {} are in the wrong order");
    return { minimum, maximum };
  }

  number() {
    let digits = "";
    for (; /^[0-9]$/.test(this.next ?? ""); this.position++) digits += this.next;
    if (Number(digits) > 1_000) throw new PatternError("a repetition may be at most 1000");
    return digits === "" ? undefined : Number(digits);
  }

  /** @returns {Syntax} */
  atom() {
    const character = this.next;
    this.position += 1;
    switch (character) {
      case ".":
        return { class: { members: [isOnLine], isNegated: false } };
      case "^":
        return { assertion: "start" };
      case "$":
        return { assertion: "end" };
      case "(":
        return this.group();
      case "[":
        return { class: this.set() };
      case "\\":
        return this.escape();
      case "*":
      case "+":
      case "?":
      case "{":
        throw new PatternError("nothing to repeat");
      default:
        return { class: { members: [range(character)], isNegated: false } };
    }
  }

  /** @returns {Syntax} */
  group() {
    if (this.take("?") && !this.take(":")) {
      throw new PatternError("only (?: ) groups are supported: no look-around, names or flags within a pattern");
    }
    const syntax = this.alternatives();
    if (!this.take(")")) throw new PatternError("expected )");
    return syntax;
  }

  /** @returns {Syntax} */
  escape() {
    /** @type {{[letter: string]: Assertion}} */
    const assertions = { b: "boundary", B: "noBoundary", A: "start", z: "end" };
    if (this.next !== undefined && Object.hasOwn(assertions, this.next)) {
      return { assertion: assertions[this.text[this.position++]] };
    }
    const escaped = this.escaped();
    return { class: { members: [typeof escaped === "string" ? range(escaped) : escaped], isNegated: false } };
  }

  /** Reads the text after a backslash: a character or a class of characters. @returns {string | Member} */
  escaped() {
    const letter = this.next;
    if (letter === undefined) throw new PatternError("the pattern ends with a backslash");
    this.position += 1;
    const member = letter === "p" || letter === "P" ? this.category() : classes[letter.toLowerCase()];
    if (member) return letter === letter.toLowerCase() ? member : (code) => !member(code);
    if (Object.hasOwn(controls, letter)) return controls[letter];
    if (letter === "u") return this.code(4);
    if (letter === "x") return this.take("{") ? this.code(undefined) : this.code(2);
    if (/^[a-zA-Z0-9]$/.test(letter)) throw new PatternError(`the escape \\${letter} is not supported`);
    return letter;
  }

  category() {
    if (!this.take("{")) throw new PatternError("expected { after \\p");
    let name = "";
    for (; this.next !== undefined && this.next !== "}"; this.position++) name += this.next;
    if (!this.take("}") || !categories.includes(name)) {
      throw new PatternError("expected a general category of Unicode such as L or Nd");
    }
    return matching(new RegExp(`^\\p{${name}}$`, "u"));
  }

  /** @param {number | undefined} digits undefined: 1 to 6 digits and a closing bracket */
  code(digits) {
    let text = "";
    for (; text.length < (digits ?? 6) && /^[0-9a-fA-F]$/.test(this.next ?? ""); this.position++) text += this.next;
    const code = parseInt(text, 16);
    const isScalar = code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
    if (!isScalar || text.length !== (digits ?? text.length)) {
      throw new PatternError("expected the hexadecimal code of a character");
    }
    if (digits === undefined && !this.take("}")) throw new PatternError("expected }");
    return String.fromCodePoint(code);
  }

  /** @returns {Class} */
  set() {
    const isNegated = this.take("^");
    const members = [];
    for (;;) {
      if (this.next === undefined) throw new PatternError("expected ]");
      if (members.length > 0 && this.take("]")) return { members, isNegated };
      const isDoubled = this.text[this.position + 1] === this.next;
      if (this.next === "[" || (isDoubled && (this.next === "&" || this.next === "-"))) {
        throw new PatternError("sets within sets are not supported; escape the character");
      }
      members.push(this.setMember());
    }
  }

  setMember() {
    const low = this.setCharacter();
    if (typeof low !== "string") return low;
    const after = this.text[this.position + 1];
    if (this.next !== "-" || after === undefined || after === "]") return range(low);
    this.position += 1;
    const high = this.setCharacter();
    if (typeof high !== "string") throw new PatternError("expected a character after -");
    if (codeOf(low) > codeOf(high)) throw new PatternError("the bounds of a range are in the wrong order");
    return range(low, high);
  }

  setCharacter() {
    const character = this.next;
    if (character === undefined) throw new PatternError("expected ]");
    this.position += 1;
    return character === "\\" ? this.escaped() : character;
  }
}

/** @param {string} character */
const codeOf = (character) => /** @type {number} */ (character.codePointAt(0));

/** @param {string} low @param {string} [high] @returns {Member} */
function range(low, high = low) {
  const [first, last] = [codeOf(low), codeOf(high)];
  return (code) => first <= code && code <= last;
}

/** The budget of the patterns of one document. */
export class PatternBudget {
  constructor() {
    this.left = 100_000;
    /** @type {Map<string, Pattern>} */
    this.compiled = new Map();
  }

  /** Compiles a pattern of the document. Equal patterns are compiled once. @param {string} text */
  compile(text) {
    const pattern = this.compiled.get(text) ?? new Pattern(text, this);
    this.compiled.set(text, pattern);
    return pattern;
  }
}

/** Counts each instruction of one pattern. @param {PatternBudget} budget */
function spender(budget) {
  let left = Math.min(budget.left, 10_000);
  return () => {
    if (left === 0) throw new PatternError("the pattern, or the patterns of the document together, repeat too much");
    left -= 1;
    budget.left -= 1;
  };
}

/** @param {Syntax} syntax @param {PatternBudget} budget */
function compile(syntax, budget) {
  /** @type {Instruction[]} */
  const program = [];
  const spend = spender(budget);
  /** @template {Instruction} I @param {I} instruction @returns {I} */
  const append = (instruction) => {
    spend();
    program.push(instruction);
    return instruction;
  };
  const split = () => append({ kind: "split", first: program.length + 1, second: 0 });
  /** @param {Syntax} part */
  const emit = (part) => {
    if ("class" in part) {
      append({ kind: "character", class: part.class });
    } else if ("assertion" in part) {
      append({ kind: "assertion", assertion: part.assertion });
    } else if ("sequence" in part) {
      if (part.sequence.length === 0) spend();
      part.sequence.forEach(emit);
    } else if ("alternatives" in part) {
      emitAlternatives(part.alternatives);
    } else {
      emitRepetition(part);
    }
  };
  /** @param {Syntax[]} parts */
  const emitAlternatives = (parts) => {
    const jumps = parts.slice(0, -1).map((part) => {
      const choice = split();
      emit(part);
      const jump = append({ kind: "jump", first: 0 });
      choice.second = program.length;
      return jump;
    });
    emit(parts[parts.length - 1]);
    for (const jump of jumps) jump.first = program.length;
  };
  /** @param {{repeated: Syntax, minimum: number, maximum: number}} part */
  const emitRepetition = ({ repeated, minimum, maximum }) => {
    if (maximum === 0) spend();
    for (let count = 0; count < minimum; count++) emit(repeated);
    if (maximum === Infinity) {
      const start = program.length;
      const choice = split();
      emit(repeated);
      append({ kind: "jump", first: start });
      choice.second = program.length;
      return;
    }
    const choices = [];
    for (let count = minimum; count < maximum; count++) {
      choices.push(split());
      emit(repeated);
    }
    for (const choice of choices) choice.second = program.length;
  };
  emit(syntax);
  program.push({ kind: "match" });
  return program;
}

/** A pattern that is compiled once and searched any number of times. */
export class Pattern {
  /** @param {string} text @param {PatternBudget} [budget] @throws {PatternError} */
  constructor(text, budget = new PatternBudget()) {
    const parser = new Parser(text);
    if (parser.text.length > 512) throw new PatternError("a pattern may have at most 512 characters");
    this.program = compile(parser.parse(), budget);
    this.ignoresCase = parser.ignoresCase;
  }

  /**
   * Whether some part of the text matches. False if the budget is used up before the search ends.
   * @param {string} text @param {Budget} budget
   */
  isFound(text, budget) {
    const codes = Array.from(text, codeOf);
    if (codes.length > 4_000 || !budget.spend(this.program.length >> 4)) return false;
    /** @type {Set<number>} */
    let current = new Set();
    for (let position = 0;; position++) {
      if (this.start(0, position, codes, current, budget)) return true;
      if (budget.isShort || position === codes.length) return false;
      const spellings = this.spellings(codes[position]);
      /** @type {Set<number>} */
      const next = new Set();
      let hasMatched = false;
      for (const place of current) {
        const instruction = this.program[place];
        if (instruction.kind !== "character") continue;
        const { members, isNegated } = instruction.class;
        if (!budget.spend(codes[position] < 128 ? 1 : members.length * spellings.length)) return false;
        if (spellings.some((code) => members.some((member) => member(code))) === isNegated) continue;
        hasMatched = this.start(place + 1, position + 1, codes, next, budget) || hasMatched;
        if (budget.isShort) return false;
      }
      if (hasMatched) return true;
      current = next;
    }
  }

  /**
   * Follows all instructions that consume no character. Returns whether the pattern's end was reached.
   * @param {number} first @param {number} position @param {number[]} codes @param {Set<number>} threads
   * @param {Budget} budget
   */
  start(first, position, codes, threads, budget) {
    const pending = [first];
    let hasMatched = false;
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (!budget.spend(1)) return false;
      if (threads.has(place)) continue;
      threads.add(place);
      const instruction = this.program[place];
      if (instruction.kind === "assertion") {
        if (holds(instruction.assertion, position, codes)) pending.push(place + 1);
      } else if (instruction.kind === "split") {
        pending.push(instruction.second, instruction.first);
      } else if (instruction.kind === "jump") {
        pending.push(instruction.first);
      } else if (instruction.kind === "match") {
        hasMatched = true;
      }
    }
    return hasMatched;
  }

  /** The character; if case is ignored, also its other case. @param {number} code */
  spellings(code) {
    if (!this.ignoresCase) return [code];
    const character = String.fromCodePoint(code);
    const others = [character.toLowerCase(), character.toUpperCase()].filter((other) => [...other].length === 1);
    return [...new Set([code, ...others.map(codeOf)])];
  }
}

/** @param {Assertion} assertion @param {number} position @param {number[]} codes */
function holds(assertion, position, codes) {
  if (assertion === "start") return position === 0;
  if (assertion === "end") return position === codes.length;
  const before = position > 0 && isWord(codes[position - 1]);
  const after = position < codes.length && isWord(codes[position]);
  return (before !== after) === (assertion === "boundary");
}
