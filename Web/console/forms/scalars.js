// Values of any type in one field.

const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The value that a text means: a number, true, false, or the text. @param {string} text */
export function scalarOf(text) {
  if (text === "") return undefined;
  if (text === "true" || text === "false") return text === "true";
  return numberPattern.test(text) ? Number(text) : text;
}
