// Numbers as keyboards of other languages type them.

/** The decimal separator of the browser's language. */
const decimal = () => (1.5).toLocaleString(navigator.language)[1];

/**
 * A number in the daemon's syntax: Arabic, Persian and full-width digits become ASCII, and a decimal comma becomes a
 * point. A text that is not a number stays unchanged, and so does `1,500` in a language with a comma between thousands.
 * @param {string} text
 */
export function plainNumber(text) {
  const plain = text.trim().replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace(
    /[٫．]/,
    ".",
  );
  const isDecimal = /^-?\d+,\d+$/.test(plain) && (!/,\d{3}$/.test(plain) || decimal() === ",");
  const number = isDecimal ? plain.replace(",", ".") : plain;
  return /^-?\d+(\.\d+)?$/.test(number) ? number : text;
}

/** Today's date in the respondent's time zone, as `YYYY-MM-DD`. */
export function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
