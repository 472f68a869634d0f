// The subset of Markdown in rich texts: paragraphs, headings, lists, emphasis, code and links. It makes elements, never
// markup.
import { h, safeUrl } from "../../shared/dom.js";

const inline = /\*\*(.+?)\*\*|__(.+?)__|\*(.+?)\*|_(.+?)_|`(.+?)`|\[([^\]]+)\]\(([^)\s]+)\)/;

/** @param {string} text @returns {(Node | string)[]} */
function spans(text) {
  const match = inline.exec(text);
  if (!match) return [text];
  const [whole, strong, strong2, emphasis, emphasis2, code, label, address] = match;
  const url = safeUrl(address);
  const node = strong ?? strong2
    ? h("strong", {}, ...spans(strong ?? strong2))
    : emphasis ?? emphasis2
    ? h("em", {}, ...spans(emphasis ?? emphasis2))
    : code
    ? h("code", {}, code)
    : url
    ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, label)
    : label;
  return [text.slice(0, match.index), node, ...spans(text.slice(match.index + whole.length))];
}

/** @param {string} text @returns {Node} */
export function markdown(text) {
  const parts = text.slice(0, 20_000).split(/\n\s*\n/).map((paragraph) => {
    const lines = paragraph.split("\n");
    if (lines.every((line) => /^\s*([-*]|\d+\.)\s/.test(line))) {
      const isOrdered = /^\s*\d/.test(lines[0]);
      return h(
        isOrdered ? "ol" : "ul",
        {},
        lines.map((line) => h("li", {}, ...spans(line.replace(/^\s*([-*]|\d+\.)\s/, "")))),
      );
    }
    const heading = /^#{1,6}\s+(.*)$/.exec(paragraph);
    return heading ? h("h3", {}, ...spans(heading[1])) : h("p", {}, ...spans(paragraph));
  });
  return h("div", { class: "bidi", part: "rich-text" }, parts);
}
