// Type faults in an expression, by the daemon's rules: no value is converted. An attribute may always be null.

/**
 * @typedef {import("./jexl.js").Node} Node
 * @typedef {import("./jexl.js").Fault} Fault
 * @typedef {{name: string, subject: string, returns: string, arguments: {name: string, type: string, required: boolean}[]}} Transform
 * @typedef {{attributes: {name: string, type: string, source: string}[], transforms: Transform[], events: string[],
 *   triggers: string[], styles: string[], actions: string[], surfaces: string[], features: string[], tags: string[],
 *   answers?: string[], derived?: {name: string, of: string, since: string}[]}} Vocabulary
 */

/** The vocabulary of an app whose own is not known. @type {Vocabulary} */
export const emptyVocabulary = {
  attributes: [],
  transforms: [],
  events: [],
  triggers: [],
  styles: [],
  actions: [],
  surfaces: [],
  features: [],
  tags: [],
};

const words = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
  event: "the name of an event, in quotes",
};
const intervals = ["Minutes", "Hours", "Days", "Weeks", "Months", "Years"];
/** The words before names (docs/reference/audiences.md); an attribute of the same name takes precedence. */
export const scopes = ["segment", "list", "answer"];
const ordered = ["<", ">", "<=", ">="];
/** The example of a literal, by the type of the attribute. @type {Record<string, string>} */
const examples = { string: "'pro'", number: "1", boolean: "true" };

/** A type; undefined is an unknown type, which may be any. @typedef {string | undefined} Type */

/**
 * @param {Node} tree
 * @param {string} text
 * @param {Vocabulary} vocabulary
 * @returns {Fault[]}
 */
export function typeFaults(tree, text, vocabulary) {
  const check = new TypeCheck(text, vocabulary);
  const type = check.typeOf(tree);
  if (check.faults.length === 0 && type !== undefined && type !== "boolean") {
    check.note(tree, `The expression is always ${phrase(type)}, never true or false.`);
  }
  return check.faults;
}

/** @param {string} type */
const phrase = (type) => Reflect.get(words, type) ?? type;

class TypeCheck {
  /** @param {string} text @param {Vocabulary} vocabulary */
  constructor(text, vocabulary) {
    this.text = text;
    this.attributes = new Map(vocabulary.attributes.map(({ name, type }) => [name, type]));
    this.transforms = new Map(vocabulary.transforms.map((transform) => [transform.name, transform]));
    /** @type {Fault[]} */
    this.faults = [];
  }

  /** @param {{start: number, end: number}} place @param {string} message */
  note({ start, end }, message) {
    this.faults.push({ start, end, message });
  }

  /** @param {Node} node */
  source(node) {
    return this.text.slice(node.start, node.end);
  }

  /** @param {Node} node @returns {Type} */
  typeOf(node) {
    switch (node.kind) {
      case "literal":
        return node.value === null ? "null" : typeof node.value;
      case "identifier":
        if (!this.attributes.has(node.name)) {
          this.note(node, `There is no attribute “${node.name}”. Declare it in the manifest, or correct its name.`);
        }
        return this.attributes.get(node.name);
      case "array":
        node.items.forEach((item) => this.typeOf(item));
        return "array";
      case "object":
        node.members.forEach(({ value }) => this.typeOf(value));
        return "object";
      case "binary":
        return this.binary(node);
      case "conditional": {
        this.typeOf(node.test);
        const [then, otherwise] = [this.typeOf(node.then), this.typeOf(node.otherwise)];
        return then === otherwise ? then : undefined;
      }
      case "transform":
        return this.transform(node);
      default:
        return this.access(node);
    }
  }

  /** Whether a node is the word before the name of a segment, a list or an answer. @param {Node} node @returns {node is Extract<Node, {kind: "identifier"}>} */
  isScope(node) {
    return node.kind === "identifier" && scopes.includes(node.name) && !this.attributes.has(node.name);
  }

  /** @param {Extract<Node, {kind: "member" | "index" | "filter"}>} node @returns {Type} */
  access(node) {
    if (node.kind === "member" && this.isScope(node.subject)) {
      return node.subject.name === "answer" ? undefined : "boolean";
    }
    const type = this.typeOf(node.subject);
    if (node.kind === "index") this.typeOf(node.index);
    if (node.kind === "filter") this.typeOf(node.right);
    const allowed = { member: ["object"], index: ["array", "object"], filter: ["array"] }[node.kind];
    if (type !== undefined && !allowed.includes(type)) {
      const what = {
        member: "an object has members",
        index: "a list or an object has items",
        filter: "a list is filtered",
      };
      this.note(node, `Only ${what[node.kind]}, and ${this.source(node.subject)} is ${phrase(type)}.`);
    }
    return node.kind === "filter" ? "array" : undefined;
  }

  /** @param {Extract<Node, {kind: "binary"}>} node @returns {Type} */
  binary(node) {
    const { operator, left, right } = node;
    const [one, other] = [this.typeOf(left), this.typeOf(right)];
    if (operator === "&&" || operator === "||") return one === other ? one : undefined;
    if (operator === "in") {
      this.membership(node, one, other);
      return "boolean";
    }
    const isComparison = operator === "==" || operator === "!=" || ordered.includes(operator);
    if (one === undefined || other === undefined) return isComparison ? "boolean" : undefined;
    if (operator === "==" || operator === "!=") {
      if (one !== other && one !== "null" && other !== "null") this.note(node, this.unequal(node, one, other));
      return "boolean";
    }
    const takes = ordered.includes(operator) || operator === "+" ? ["number", "string"] : ["number"];
    if (one !== other || !takes.includes(one)) {
      const wanted = takes.length === 2 ? "two numbers or two texts" : "two numbers";
      this.note(node, `“${operator}” takes ${wanted}, not ${phrase(one)} and ${phrase(other)}.`);
    }
    return isComparison ? "boolean" : one;
  }

  /** @param {Extract<Node, {kind: "binary"}>} node @param {string} one @param {string} other */
  unequal({ left, right }, one, other) {
    const isFirst = right.kind === "literal" || left.kind !== "literal";
    const [subject, type, literal] = isFirst ? [left, one, right] : [right, other, left];
    const example = examples[type];
    return example && literal.kind === "literal"
      ? `${this.source(subject)} is ${phrase(type)}: compare it with ${likeExample(literal, type)}, not with ${
        this.source(literal)
      }.`
      : `A comparison of ${phrase(one)} with ${phrase(other)} never holds.`;
  }

  /** @param {Extract<Node, {kind: "binary"}>} node @param {Type} one @param {Type} other */
  membership(node, one, other) {
    const isKnown = one !== undefined && other !== undefined;
    if (other === "array" || other === undefined) return;
    if (isKnown && one === "string" && (other === "string" || other === "object")) return;
    if (!isKnown && (other === "string" || other === "object")) return;
    this.note(
      node,
      `“in” looks in a list, or for a text in a text or an object, not in ${phrase(other)}.`,
    );
  }

  /** @param {Extract<Node, {kind: "transform"}>} node @returns {Type} */
  transform(node) {
    const place = { start: node.at, end: node.at + node.name.length };
    const known = this.transforms.get(node.name);
    const subject = this.typeOf(node.subject);
    const given = node.items.map((item) => this.typeOf(item));
    if (!known) {
      this.note(place, `There is no transform “${node.name}”.`);
      return undefined;
    }
    if (known.subject !== "any" && subject !== undefined && subject !== "string") {
      const what = known.subject === "event" ? "the name of an event, in quotes" : "a text";
      this.note(node.subject, `${node.name} is for ${what}, and ${this.source(node.subject)} is ${phrase(subject)}.`);
    }
    const required = known.arguments.filter((argument) => argument.required);
    const lacking = required[given.length];
    if (lacking) this.note(place, `${node.name} needs ${lacking.name}: ${signature(known)}.`);
    node.items.forEach((item, index) => this.argument(known, item, given[index], index));
    return known.returns;
  }

  /** @param {Transform} transform @param {Node} item @param {Type} type @param {number} index */
  argument(transform, item, type, index) {
    const argument = transform.arguments[index];
    if (!argument || type === undefined) return;
    if (argument.type === "interval") {
      if (item.kind === "literal" && !intervals.includes(item.value)) {
        this.note(item, `The ${argument.name} of ${transform.name} is one of ${intervals.join(", ")}.`);
      }
    } else if (type !== (argument.type === "event" ? "string" : argument.type)) {
      this.note(item, `The ${argument.name} of ${transform.name} is ${phrase(argument.type)}, not ${phrase(type)}.`);
    }
  }
}

/**
 * The literal converted to the wanted type, or else an example of this type.
 * @param {Extract<Node, {kind: "literal"}>} literal
 * @param {string} type
 */
function likeExample({ value }, type) {
  if (type === "string" && typeof value === "boolean") return `'${value}'`;
  if (type === "number" && typeof value === "string" && value !== "" && Number.isFinite(Number(value))) return value;
  if (type === "boolean" && (value === "true" || value === "false")) return value;
  return examples[type];
}

/** The signature of a transform. @param {Transform} transform */
export const signature = (transform) =>
  `${transform.name}(${transform.arguments.map(({ name, required }) => required ? name : `${name}?`).join(", ")})`;

/** The names of intervals. */
export const intervalNames = intervals;
