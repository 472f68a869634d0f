// A field of a form, as a line of a table.

/** @typedef {import("./message.js").Field} Field */

/**
 * @param {Field["field"]} type
 * @param {string} pointer relative to its section's
 * @param {string} label the key of its text
 * @param {Partial<Field>} [more]
 * @returns {Field}
 */
export const field = (type, pointer, label, more) => ({ pointer, field: type, label, ...more });
