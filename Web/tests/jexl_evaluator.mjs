// An evaluator of expressions for the tests: a parsed tree is correct if every vector evaluates to its value.

class Failure extends Error {}
export const fail = () => {
  throw new Failure();
};
const isTruthy = (value) => !(value === false || value === null || value === 0 || value === "");
const bothAre = (type, left, right) => typeof left === type && typeof right === type;
export const safely = (work, otherwise) => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return otherwise;
    throw error;
  }
};
const same = (left, right) =>
  bothAre("number", left, right) ? Math.abs(left - right) < 1e-6 : JSON.stringify(left) === JSON.stringify(right);

function operate(operator, left, right) {
  if (operator === "==") return same(left, right);
  if (operator === "!=") return !same(left, right);
  if (operator === "in") {
    if (bothAre("string", left, right)) return right.includes(left);
    if (Array.isArray(right)) return right.some((one) => JSON.stringify(one) === JSON.stringify(left));
    if (typeof left === "string" && right !== null && typeof right === "object") return left in right;
    return bothAre("number", left, right) ? false : fail();
  }
  const isNumbers = bothAre("number", left, right);
  if (!isNumbers && !(bothAre("string", left, right) && /[<>+]/.test(operator))) fail();
  const value = {
    "+": () => left + right,
    "-": () => left - right,
    "*": () => left * right,
    "/": () => left / right,
    "//": () => Math.floor(left / right),
    "%": () => left % right,
    "^": () => left ** right,
    "<": () => left < right,
    ">": () => left > right,
    "<=": () => left <= right,
    ">=": () => left >= right,
  }[operator]();
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

/**
 * @param {object} node
 * @param {object} context
 * @param {(name: string, subject: unknown, items: unknown[]) => unknown} [transform] further transforms
 */
export function evaluate(node, context, transform = fail) {
  const value = (inner) => evaluate(inner, context, transform);
  switch (node.kind) {
    case "literal":
      return Number.isFinite(node.value) || typeof node.value !== "number" ? node.value : null;
    case "identifier":
      return node.name in context ? context[node.name] : fail();
    case "array":
      return node.items.map(value);
    case "object": {
      const keys = node.members.map(({ key }) => key);
      if (new Set(keys).size < keys.length) fail();
      return Object.fromEntries(node.members.map(({ key, value: inner }) => [key, value(inner)]));
    }
    case "binary":
      if (node.operator === "||") {
        const left = safely(() => value(node.left), false);
        return isTruthy(left) ? left : value(node.right);
      }
      if (node.operator === "&&") {
        const left = value(node.left);
        return isTruthy(left) ? value(node.right) : left;
      }
      return operate(node.operator, value(node.left), value(node.right));
    case "conditional":
      return value(isTruthy(safely(() => value(node.test), false)) ? node.then : node.otherwise);
    case "transform": {
      const subject = value(node.subject);
      const items = node.items.map(value);
      if (node.name === "id") return subject;
      if (node.name === "args") return [subject, ...items];
      if (node.name === "lower" && typeof subject === "string") return subject.toLowerCase();
      return transform(node.name, subject, items);
    }
    case "member":
      return member(value(node.subject), node.name);
    case "index": {
      const [subject, index] = [value(node.subject), value(node.index)];
      if (typeof index === "string") return member(subject, index);
      if (typeof index !== "number") fail();
      return Array.isArray(subject) ? subject[Math.max(0, Math.floor(index))] ?? null : null;
    }
    case "filter": {
      const subject = value(node.subject);
      if (!Array.isArray(subject)) fail();
      return subject.filter((one) =>
        safely(() => isTruthy(operate(node.operator, member(one, node.name), value(node.right))), false)
      );
    }
  }
}

const member = (subject, name) =>
  subject !== null && typeof subject === "object" && !Array.isArray(subject) ? subject[name] ?? null : null;
