// The clipboard.

/** Whether a text is on the clipboard. Browsers have one over HTTPS and on their own machine only. @param {string} text */
export const copied = (text) =>
  navigator.clipboard?.writeText(text).then(() => true, () => false) ?? Promise.resolve(false);
