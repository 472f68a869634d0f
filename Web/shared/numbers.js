// Numbers as the keyboards of other languages write them.

/** What a decimal is written with where the browser's user is. */
const decimal = () => (1.5).toLocaleString(navigator.language)[1];

/**
 * A number as the daemon reads it: digits of Arabic, Persian and full width become ASCII, a decimal comma becomes a
 * point. A text that is no number is as it was, and so is `1,500` where a comma stands between thousands.
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
