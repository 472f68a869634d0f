// The faults of a translation, compared with the text of the default language.

/** @typedef {{kind: "missing" | "unknown" | "long" | "space", values: string[]}} Finding */

/** `%@`, `%1$@`, `%d` and `{{…}}`; `%%` is an escaped percent sign. */
const placeholder = /%%|%(?:\d+\$)?(?:@|l{0,2}[dux]|\.?\d*f|s)|\{\{[^{}]*\}\}/g;
/** The maximum ratio of a text's length to the default text's length. */
const longest = 1.6;
/** The length up to which a text is never too long, because the lengths of short words vary by language. */
const shortText = 12;

/** The sorted placeholders of a text, without the spaces in `{{ name }}`. @param {string} text */
export const placeholders = (text) =>
  (text.match(placeholder) ?? []).filter((found) => found !== "%%").map((found) => found.replaceAll(/\s+/g, "")).sort();

/**
 * @param {string | undefined} original the text of the default language
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

/** The multiset difference of two lists. @param {string[]} list @param {string[]} other */
function without(list, other) {
  const rest = [...other];
  return list.filter((item) => {
    const place = rest.indexOf(item);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}
