// The live preview in the editor: it follows what is chosen in the form, and a press in it chooses there.

import { lookOf, lookText, previewPane } from "../elements/preview.js";

/** @param {import("./page.js").EditorPage} page @param {URLSearchParams} query */
export function editorPreview(page, query) {
  const { app, shell } = page.options;
  const { slug, document } = page.editing;
  const preview = previewPane({ app, slug, document, look: lookOf(query.get("preview")) });
  preview.addEventListener("bw-look", (event) => {
    shell.replace({ preview: lookText(/** @type {CustomEvent} */ (event).detail) || undefined });
  });
  preview.addEventListener("bw-choose", (event) => page.go(/** @type {CustomEvent} */ (event).detail.pointer));
  return preview;
}
