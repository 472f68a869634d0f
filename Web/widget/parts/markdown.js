// The subset of Markdown in rich texts: headings, paragraphs, lists, quotes, rules, tables, code, emphasis, strikes and
// links. It makes elements, never markup.
import { h, safeUrl } from "../../shared/dom.js";

const inline = /\*\*(.+?)\*\*|__(.+?)__|~~(.+?)~~|\*(.+?)\*|(?<!\w)_(.+?)_(?!\w)|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/s;
/** The greatest number of quotes inside each other. */
const maximumDepth = 4;

/** @param {RegExpExecArray} match @returns {Node | string} */
function span([, strong, strong2, strike, emphasis, emphasis2, code, label, address]) {
  if (code) return h("code", {}, code);
  if (strong ?? strong2) return h("strong", {}, spans(strong ?? strong2));
  if (strike) return h("s", {}, spans(strike));
  if (emphasis ?? emphasis2) return h("em", {}, spans(emphasis ?? emphasis2));
  const url = safeUrl(address);
  return url ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, label) : label;
}

/** @param {string} text @returns {(Node | string)[]} */
function spans(text) {
  const nodes = [];
  let rest = text;
  for (let match = inline.exec(rest); match; match = inline.exec(rest)) {
    nodes.push(rest.slice(0, match.index), span(match));
    rest = rest.slice(match.index + match[0].length);
  }
  return [...nodes, rest];
}

/** The cells of a table's row. @param {string} line */
const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** @param {string[]} lines the header, the line below it, and the rows */
function table([header, , ...rows]) {
  const names = cells(header);
  const row = (/** @type {string} */ line) =>
    h("tr", {}, names.map((_, index) => h("td", { class: "bidi" }, spans(cells(line)[index] ?? ""))));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: "bidi" }, spans(name))))),
    h("tbody", {}, rows.map(row)),
  );
}

const item = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** @param {string[]} lines */
function list(lines) {
  /** @type {string[]} */
  const items = [];
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return h(/^\s*\d/.test(lines[0]) ? "ol" : "ul", {}, items.map((text) => h("li", {}, spans(text))));
}

/**
 * The kinds of blocks: their first line, their further lines, and their element.
 * @type {{starts: (line: string, next: string) => boolean, goesOn: (line: string) => boolean,
 *   make: (lines: string[], depth: number) => Node}[]}
 */
const kinds = [
  {
    starts: (line) => /^\s*#{1,6}\s+\S/.test(line),
    goesOn: () => false,
    make: ([line]) => {
      const [, signs, text] = /** @type {RegExpExecArray} */ (/^\s*(#+)\s+(.*?)\s*#*$/.exec(line));
      return h(signs.length > 2 ? "h4" : "h3", {}, spans(text));
    },
  },
  {
    starts: (line) => /^\s*([-*_])(\s*\1){2,}\s*$/.test(line),
    goesOn: () => false,
    make: () => h("hr"),
  },
  {
    starts: (line) => /^\s*>/.test(line),
    goesOn: (line) => /^\s*>/.test(line),
    make: (lines, depth) => h("blockquote", {}, blocks(lines.map((line) => line.replace(/^\s*>\s?/, "")), depth + 1)),
  },
  {
    starts: (line, next) => line.includes("|") && next.includes("|") && /^[\s|:-]*-[\s|:-]*$/.test(next),
    goesOn: (line) => line.includes("|"),
    make: table,
  },
  { starts: (line) => item.test(line), goesOn: (line) => item.test(line) || /^\s{2,}\S/.test(line), make: list },
];

/** @param {string[]} lines @param {number} depth @returns {Node[]} */
function blocks(lines, depth) {
  const nodes = [];
  let at = 0;
  const kindAt = (/** @type {number} */ index) =>
    depth > maximumDepth ? undefined : kinds.find((kind) => kind.starts(lines[index], lines[index + 1] ?? ""));
  while (at < lines.length) {
    const [start, kind] = [at, kindAt(at)];
    at += 1;
    if (lines[start].trim() === "") continue;
    if (kind) {
      while (at < lines.length && kind.goesOn(lines[at])) at += 1;
      nodes.push(kind.make(lines.slice(start, at), depth));
    } else {
      while (at < lines.length && lines[at].trim() !== "" && !kindAt(at)) at += 1;
      nodes.push(h("p", {}, spans(lines.slice(start, at).join("\n"))));
    }
  }
  return nodes;
}

/** @param {string} text @returns {Node} */
export const markdown = (text) =>
  h("div", { class: "bidi", part: "rich-text" }, blocks(text.slice(0, 20_000).split(/\r?\n/), 1));
