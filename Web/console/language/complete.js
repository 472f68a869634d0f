// The completions at a position in an expression: attributes, transforms, events, intervals.

import { day, t } from "../texts.js";
import { quoted, tokenize } from "./jexl.js";
import { intervalNames, signature } from "./types.js";

/**
 * @typedef {import("./types.js").Vocabulary} Vocabulary
 * @typedef {{label: string, insert: string, caret: number, kind: "attribute" | "transform" | "event" | "interval" | "word", type?: string, source?: string}} Completion
 *   `caret` is its position in the inserted text
 * @typedef {{from: number, to: number, items: Completion[]}} Completions the text from `from` to `to` is replaced
 */

const maximumItems = 50;
/** The tokens after which an operand may follow. */
const openers = new Set(["(", ",", "[", "{", ":", "?"]);

/**
 * @param {string} text
 * @param {number} caret
 * @param {Vocabulary} vocabulary
 * @param {boolean} [isAsked] also complete if nothing has been typed
 * @returns {Completions}
 */
export function complete(text, caret, vocabulary, isAsked = false) {
  const before = text.slice(0, caret);
  const { tokens, fault } = tokenize(before);
  const open = fault && /^['"]/.test(before.slice(fault.start)) ? fault.start : undefined;
  if (fault && open === undefined) return none(caret);
  const known = tokens.filter(({ kind }) => kind !== "end");
  if (open !== undefined) return inText(text, open, caret, known, vocabulary);
  const last = known.at(-1);
  const isWord = last?.end === caret && (last.kind === "identifier" || last.kind === "literal" || last.text === "in");
  const from = isWord ? last.start : caret;
  const to = caret + (/^[\p{Alphabetic}_\p{N}]*/u.exec(text.slice(caret))?.[0].length ?? 0);
  const previous = known[known.length - (isWord ? 2 : 1)];
  const typed = text.slice(from, caret);
  if (previous?.text === "|" && previous.kind === "symbol") {
    return found(from, to, typed, transforms(vocabulary, previous, known));
  }
  const isOperand = !previous || previous.kind === "operator" ||
    (previous.kind === "symbol" && openers.has(previous.text));
  if (!isOperand || (!isWord && !isAsked)) return none(caret);
  return found(from, to, typed, [
    ...vocabulary.attributes.map(attribute),
    ...events(vocabulary),
    ...["true", "false", "null"].map((word) => item(word, word, "word")),
  ]);
}

/** @param {number} caret @returns {Completions} */
const none = (caret) => ({ from: caret, to: caret, items: [] });

/** @param {string} label @param {string} insert @param {Completion["kind"]} kind @returns {Completion} */
const item = (label, insert, kind) => ({ label, insert, caret: insert.length, kind });

/** @param {Vocabulary["attributes"][number]} attribute @returns {Completion} */
const attribute = ({ name, type, source }) => ({ ...item(name, name, "attribute"), type, source });

/** @param {string} name @param {string} [after] @returns {Completion} */
const event = (name, after = "") => item(name, quoted(name) + after, "event");

/** The events that clients send, and derived ones. @param {Vocabulary} vocabulary */
function events({ events, derived = [] }) {
  const names = new Set(derived.map(({ name }) => name));
  return [
    ...events.filter((name) => !names.has(name)).map((name) => event(name)),
    ...derived.map(({ name, of, since }) => ({
      ...event(name),
      source: t("jexl.derived", { of, date: day(new Date(since)) }),
    })),
  ];
}

/** @param {Vocabulary} vocabulary @param {import("./jexl.js").Token} pipe @param {import("./jexl.js").Token[]} tokens */
function transforms(vocabulary, pipe, tokens) {
  const subject = tokens[tokens.indexOf(pipe) - 1];
  // A quoted text before the pipe is the name of an event, or a version.
  const fits = (/** @type {string} */ wanted) => wanted !== "event" || subject?.kind !== "identifier";
  return vocabulary.transforms.toSorted((left, right) => Number(fits(right.subject)) - Number(fits(left.subject)))
    .map((transform) => {
      const insert = `${transform.name}()`;
      return {
        ...item(transform.name, insert, "transform"),
        caret: insert.length - 1,
        type: transform.returns,
        source: signature(transform),
      };
    });
}

/**
 * The completions inside quotes: an interval as a transform's first argument, or else an event.
 * @param {string} text @param {number} open @param {number} caret @param {import("./jexl.js").Token[]} tokens @param {Vocabulary} vocabulary
 * @returns {Completions}
 */
function inText(text, open, caret, tokens, vocabulary) {
  const quote = text[open];
  const close = text.indexOf(quote, caret);
  const rest = close < 0 ? "" : text.slice(caret, close);
  const to = close >= 0 && /^[^&|()\n]*$/.test(rest) ? close + 1 : caret;
  const [name, parenthesis] = tokens.slice(-2);
  const transform = parenthesis?.text === "("
    ? vocabulary.transforms.find((one) => one.name === name?.text)
    : undefined;
  const type = transform?.arguments[0]?.type;
  const items = type === "interval"
    ? intervalNames.map((interval) => item(interval, quoted(interval), "interval"))
    : transform && type !== "event"
    ? []
    : events(vocabulary);
  return found(open, to, text.slice(open + 1, caret), items);
}

/**
 * The items that begin with the typed text, then the items that contain it.
 * @param {number} from
 * @param {number} to
 * @param {string} typed
 * @param {Completion[]} items
 * @returns {Completions}
 */
function found(from, to, typed, items) {
  const wanted = typed.toLowerCase();
  const rank = (/** @type {Completion} */ { label }) => {
    const place = label.toLowerCase().indexOf(wanted);
    return place === 0 ? 0 : place > 0 ? 1 : 2;
  };
  const fitting = items.filter((one) => rank(one) < 2 && one.label !== typed)
    .toSorted((left, right) => rank(left) - rank(right));
  return { from, to, items: fitting.slice(0, maximumItems) };
}
