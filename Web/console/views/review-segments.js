// The segments that a reviewed recipe reads: who is in each, and whether a draft of one waits that changes it.

import { get, path } from "../api.js";
import { sectionHead } from "../elements/parts.js";
import { kindNamed } from "../kinds.js";
import { audienceInWords, segmentsIn } from "../language/words.js";
import * as recipes from "../recipes.js";
import { t } from "../texts.js";
import { h } from "../../shared/dom.js";

/**
 * @param {{app: string, all: recipes.Recipe[], document: {text: string}, signal: AbortSignal}} of
 * @returns {HTMLElement} hidden if the recipe reads no segment
 */
export function segmentsRead({ app, all, document, signal }) {
  const element = h("section", { hidden: true });
  const segments = all.filter(({ kind, state }) => kindNamed(kind).isNamed && state !== "ended");
  const load = async () => {
    const { messaging = {} } = await get(path("apps", app, "manifest"), { signal });
    const triggers = Object.entries(messaging.triggers ?? {}).filter(([name]) => document.text.includes(`"${name}"`));
    const names = segmentsIn(document.text + JSON.stringify(triggers), segments.map(({ slug }) => slug));
    const read = segments.filter(({ slug }) => names.includes(slug));
    const lines = await Promise.all(read.map((segment) => segmentLine(app, segment, signal)));
    if (lines.length === 0) return;
    element.hidden = false;
    element.append(
      sectionHead(t("review.segments"), lines.length),
      h("div", { class: "panel" }, h("ul", { class: "changes" }, lines)),
    );
  };
  if (segments.length > 0) load().catch(() => undefined);
  return element;
}

/** @param {string} app @param {recipes.Recipe} segment @param {AbortSignal} signal */
async function segmentLine(app, segment, signal) {
  const words = async (/** @type {string} */ state) =>
    audienceInWords((await get(`${path("apps", app, "recipes", segment.slug)}?state=${state}`, { signal })).expression);
  const [live, draft] = await Promise.all([segment.in_force && words("live"), segment.draft && words("draft")]);
  const name = h("a", { href: recipes.recipeLink(app, segment.slug) }, recipes.nameOf(segment));
  const change = draft && draft !== live && h(
    "p",
    {},
    h("a", { href: recipes.recipeLink(app, segment.slug, "publish") }, t("review.segment.waits", { who: draft })),
  );
  return h("li", {}, name, ": ", live || t("review.segment.draft"), change);
}
