// Cards of templates: each opens the editor with a new document, which this browser keeps until its first save.

import { get, path } from "../api.js";
import { draftKey, find, keep } from "../document/drafts.js";
import { freeSlug } from "../document/slug.js";
import { h } from "../../shared/dom.js";
import { kindIcon } from "../icons.js";
import * as recipes from "../recipes.js";
import { documentOf, templates } from "../templates.js";
import { t } from "../texts.js";
import { toast } from "./toast.js";

/**
 * @param {string} app
 * @param {(address: string) => void} go
 * @param {number} [count] the number of cards; by default all
 */
export function templateCards(app, go, count = templates.length) {
  const cards = templates.slice(0, count).map((template) => {
    const card = h("button", { type: "button", class: "template", onclick: () => void begin(app, template, go, card) });
    card.append(
      kindIcon(template.kind),
      h("strong", {}, t(`template.${template.id}`)),
      h("span", { class: "muted" }, t(`template.${template.id}.about`)),
    );
    return h("li", {}, card);
  });
  return h("ul", { class: "templates", "aria-label": t("template.title") }, cards);
}

/**
 * Opens the editor of a template. The daemon stores nothing before the first save.
 * @param {string} app
 * @param {import("../templates.js").Template} template
 * @param {(address: string) => void} go
 * @param {HTMLElement} card
 */
async function begin(app, template, go, card) {
  if (card.ariaBusy === "true") return;
  card.setAttribute("aria-busy", "true");
  try {
    const { signal } = new AbortController();
    const [all, manifest] = await Promise.all([
      recipes.reload(app, signal),
      get(path("apps", app, "manifest"), { signal }),
    ]);
    const taken = all.map(({ slug }) => slug);
    let slug = freeSlug(template.id, taken);
    // Another document that was begun from the template keeps its slug.
    while (await find(draftKey(app, slug))) {
      taken.push(slug);
      slug = freeSlug(template.id, taken);
    }
    const document = documentOf(template, { slug, surfaces: manifest.surfaces ?? [] });
    const text = JSON.stringify(document, null, 2) + "\n";
    await keep(draftKey(app, slug), { text, base: "", etag: "", at: Date.now() });
    go(recipes.recipeLink(app, slug, "edit"));
  } catch (error) {
    toast(recipes.sentence(error));
  } finally {
    card.removeAttribute("aria-busy");
  }
}
