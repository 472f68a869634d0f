// The form of segments.

import { changed } from "./layout.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./schema.js").Format} Format
 */

/** @param {Format} format @returns {Section[]} */
export const segment = (format) => [
  {
    label: "name",
    icon: "pencil",
    fields: changed(format.pick("", "name description"), {
      name: { isTranslatable: false },
      description: { isTranslatable: false },
    }),
  },
  {
    label: "who",
    icon: "person",
    fields: changed(format.pick("", "expression"), { expression: { field: "audience" } }),
  },
];
