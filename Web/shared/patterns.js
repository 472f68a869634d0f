// Patterns of definitions (docs/reference/surveys.md#patterns) as regular expressions of the browser. A definition was
// checked when it was published; what is refused here was refused there.

/** Classes as the daemon reads them, written for the inside of a set. @type {{[letter: string]: string}} */
const classes = {
  d: "\\p{Nd}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d",
  s: "\\t\\n\\f\\r\\p{Z}",
};
const wordCharacter = `[${classes.w}]`;
const boundary = `(?:(?<=${wordCharacter})(?!${wordCharacter})|(?<!${wordCharacter})(?=${wordCharacter}))`;
const noBoundary = `(?:(?<=${wordCharacter})(?=${wordCharacter})|(?<!${wordCharacter})(?!${wordCharacter}))`;

/** One escape outside or inside of a set. @param {string} escape @param {boolean} isInSet */
function translateEscape(escape, isInSet) {
  const letter = escape[1];
  const lower = letter.toLowerCase();
  // With the flag v a set may stand within a set.
  if (lower in classes) return `[${letter === lower ? "" : "^"}${classes[lower]}]`;
  switch (letter) {
    case "A":
      return "^";
    case "z":
      return "$";
    case "b":
      return boundary;
    case "B":
      return noBoundary;
    case "x":
      return escape.startsWith("\\x{") ? `\\u{${escape.slice(3, -1)}}` : escape;
    case "p":
    case "P":
    case "u":
    case "t":
    case "n":
    case "r":
    case "f":
      return escape;
    default:
      if (/[a-zA-Z0-9]/.test(letter)) throw new Error(`the escape \\${letter} is not supported`);
      return literal(letter, isInSet);
  }
}

/** @param {string} character @param {boolean} isInSet */
function literal(character, isInSet) {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) || (isInSet && /[-&!#%,:;<=>@`~]/.test(character))
    ? `\\${character}`
    : character;
}

const token = /\\(?:x\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{\w+\}|[^])|\(\?:|\(\?|\[\^?|[^]/gu;

/** One token outside of sets. @param {string} part */
function translate(part) {
  switch (part) {
    case "(?":
      throw new Error("groups with flags or look-around are not supported");
    case "(":
      return "(?:";
    case ".":
      return "[^\\n\\v\\f\\r\\x85\\u2028\\u2029]";
    case "]":
    case "/":
      return `\\${part}`;
    default:
      return part;
  }
}

/**
 * @param {string} pattern
 * @returns {RegExp} throws where the syntax is not supported
 */
export function patternToRegExp(pattern) {
  if ([...pattern].length > 512) throw new Error("a pattern has at most 512 characters");
  const ignoresCase = pattern.startsWith("(?i)");
  let source = "";
  let isInSet = false;
  let isFirst = false;
  const parts = (ignoresCase ? pattern.slice(4) : pattern).match(token) ?? [];
  for (const [index, part] of parts.entries()) {
    if (part.length > 1 && part[0] === "\\") {
      source += translateEscape(part, isInSet);
      isFirst = false;
    } else if (!isInSet) {
      isInSet = isFirst = part[0] === "[";
      source += isInSet ? part : translate(part);
    } else if (part[0] === "[") {
      throw new Error("a set within a set is not supported");
    } else {
      // A bracket that stands first in a set means itself.
      const isEnd = part === "]" && !isFirst;
      const isRange = part === "-" && !isFirst && parts[index + 1] !== "]" && !/^\\[dwspDWSP]/.test(parts[index - 1]);
      source += isEnd || isRange ? part : literal(part, true);
      isInSet = !isEnd;
      isFirst = false;
    }
  }
  return new RegExp(source, ignoresCase ? "vi" : "v");
}
