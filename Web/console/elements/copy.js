// The clipboard.

/**
 * Copies a text, and reports whether it succeeded. Browsers allow it only over HTTPS and on localhost.
 * @param {string} text
 */
export const copied = (text) =>
  navigator.clipboard?.writeText(text).then(() => true, () => false) ?? Promise.resolve(false);
