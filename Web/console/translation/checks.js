// The faults of a translation, beside the text of the default language.

/** @typedef {{kind: "missing" | "unknown" | "long" | "space", values: string[]}} Finding */

/** `%@`, `%1$@`, `%d` and `{{…}}`; `%%` is a percent sign. */
const placeholder = /%%|%(?:\d+\$)?(?:@|l{0,2}[dux]|\.?\d*f|s)|\{\{[^{}]*\}\}/g;
/** A text may be so many times as long as the default's. */
const longest = 1.6;
/** Short words differ in length from language to language, and do no harm. */
const shortText = 12;

/** The places that a text has to be filled in, in order; spaces in `{{ name }}` do not count. @param {string} text */
export const placeholders = (text) =>
  (text.match(placeholder) ?? []).filter((found) => found !== "%%").map((found) => found.replaceAll(/\s+/g, "")).sort();

/**
 * @param {string | undefined} original of the default language
 * @param {string | undefined} text
 * @returns {Finding[]}
 */
export function check(original, text) {
  if (original === undefined || text === undefined || text === "") return [];
  /** @type {Finding[]} */
  const findings = [];
  const [wanted, there] = [placeholders(original), placeholders(text)];
  const [missing, unknown] = [without(wanted, there), without(there, wanted)];
  if (missing.length > 0) findings.push({ kind: "missing", values: missing });
  if (unknown.length > 0) findings.push({ kind: "unknown", values: unknown });
  const [full, own] = [[...original].length, [...text].length];
  if (own > full * longest && own > shortText) findings.push({ kind: "long", values: [] });
  if (/^\s/.test(text) !== /^\s/.test(original) || /\s$/.test(text) !== /\s$/.test(original)) {
    findings.push({ kind: "space", values: [] });
  }
  return findings;
}

/** The elements that a list has beyond another, each as often. @param {string[]} list @param {string[]} other */
function without(list, other) {
  const rest = [...other];
  return list.filter((item) => {
    const place = rest.indexOf(item);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}
