// How many clients are in a segment, while its expression is typed.

import { consult, path, Problem } from "../api.js";
import { t } from "../texts.js";
import { sizeWords } from "../views/forecast-words.js";
import { h } from "../../shared/dom.js";

/** The delay of the question after the last key. */
const askMilliseconds = 300;

/**
 * @typedef {HTMLElement & {update: () => void, leave: () => void}} SizePane
 * @param {{app: string, slug: string, document: import("../document/document.js").JSONDocument}} of
 * @returns {SizePane}
 */
export function sizePane({ app, slug, document }) {
  const share = h("p", { class: "segment-share", role: "status" });
  const parts = h("ol", { class: "segment-parts" });
  const missing = h("ul", { class: "segment-missing" });
  const element = /** @type {SizePane} */ (h(
    "section",
    { class: "preview segment-size", "aria-label": t("segment.title") },
    h("h2", {}, t("segment.title")),
    share,
    parts,
    missing,
  ));
  const address = `${path("apps", app, "recipes", "forecast")}?slug=${encodeURIComponent(slug)}`;
  let asked = "";
  let controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const ask = async () => {
    const { signal } = controller;
    try {
      const { size } = await consult(address, document.text, signal);
      if (signal.aborted || !size) return;
      const words = sizeWords(size);
      share.textContent = words.share;
      parts.replaceChildren(...words.parts.map((line) => h("li", {}, line)));
      missing.replaceChildren(...words.missing.map((line) => h("li", {}, line)));
    } catch (error) {
      // The findings name the faults of an expression that cannot be read.
      if (!signal.aborted && !(error instanceof Problem)) throw error;
    }
  };
  element.update = () => {
    if (!document.isSound || document.text === asked) return;
    asked = document.text;
    clearTimeout(timer);
    controller.abort();
    controller = new AbortController();
    timer = setTimeout(() => void ask(), askMilliseconds);
  };
  element.leave = () => {
    clearTimeout(timer);
    controller.abort();
  };
  element.update();
  return element;
}
