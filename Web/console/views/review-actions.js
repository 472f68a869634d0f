// The actions on a draft other than its publish.

import { write } from "../api.js";
import { confirm } from "../elements/dialog.js";
import { ask } from "../elements/note.js";
import { toast } from "../elements/toast.js";
import * as recipes from "../recipes.js";
import { t } from "../texts.js";

/**
 * @typedef {{app: string, recipe: recipes.Recipe, address: string, coming: {text: string, etag: string} | undefined,
 *   shell: import("../main.js").Shell}} Reviewed
 */

/** Sends a draft back: the draft stays, and its author gets the reason. @param {Reviewed} of */
export async function sendBack({ recipe, app, shell }) {
  const [name, author] = [recipes.nameOf(recipe), recipe.draft?.author ?? ""];
  const typed = await ask({
    title: t("review.sendback.title", { name }),
    body: t("review.sendback.body", { author }),
    action: t("review.sendback.do"),
    fields: [{ label: t("review.sendback.comment"), value: "", isLong: true, maximum: 2000 }],
  });
  if (!typed) return;
  if (!typed[0]) return toast(t("review.blank"));
  const change = { sent_back: { revision: recipe.draft?.revision, comment: typed[0] } };
  if (!await recipes.tried(app, recipes.putNote(app, recipe.slug, change))) return;
  toast(t("review.sentback", { name }));
  shell.go(recipes.recipeLink(app, recipe.slug));
}

/** Discards the draft after a confirmation. @param {Reviewed} of @param {(error: unknown) => void} fail */
export async function discard({ recipe, app, address, coming, shell }, fail) {
  const name = recipes.nameOf(recipe);
  const isSure = await confirm({
    title: t("review.discard.title", { name }),
    body: t(recipe.in_force ? "review.discard.body" : "review.discard.whole"),
    action: t("review.discard"),
  });
  if (!isSure) return;
  try {
    await write("DELETE", `${address}/draft`, undefined, coming?.etag ? { "If-Match": coming.etag } : {});
    toast(t("review.discarded", { name }));
    recipes.changed(app);
    shell.go(
      recipe.in_force ? recipes.recipeLink(app, recipe.slug) : `/console/a/${encodeURIComponent(app)}/recipes`,
    );
  } catch (error) {
    fail(error);
  }
}
