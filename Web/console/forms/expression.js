// The field of a JEXL expression.

import { h } from "../../shared/dom.js";

/**
 * @param {{document: import("../document/document.js").JSONDocument, pointer: string, vocabulary?: any}} options
 * @returns {HTMLElement & {update?: () => void}}
 */
export function expressionField({ document, pointer }) {
  const area = h("textarea", {
    class: "field code",
    rows: 2,
    spellcheck: "false",
    autocapitalize: "off",
    dir: "ltr",
    oninput: () => document.set(pointer, area.value),
  });
  return Object.assign(area, {
    update: () => {
      const value = document.get(pointer);
      const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
      if (area.value !== text) area.value = text;
    },
  });
}
