// Cards of templates: each creates a draft from its template.

import { get, path, write } from "../api.js";
import { h } from "../../shared/dom.js";
import { kindIcon } from "../icons.js";
import * as recipes from "../recipes.js";
import { documentOf, freeSlug, templates } from "../templates.js";
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
 * Stores the draft, and opens its editor.
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
    const slug = freeSlug(template.id, all.map(({ slug }) => slug));
    const document = documentOf(template, { slug, surfaces: manifest.surfaces ?? [] });
    await write("PUT", `${path("apps", app, "recipes", slug)}?state=draft`, document, { "If-None-Match": "*" });
    go(recipes.recipeLink(app, slug, "edit"));
  } catch (error) {
    toast(recipes.sentence(error));
  } finally {
    card.removeAttribute("aria-busy");
  }
}
