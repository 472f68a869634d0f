// Takes an app over from its files, so that its documents are changed in the console.

import { path, write } from "../api.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { t } from "../texts.js";
import { confirm } from "./dialog.js";

/**
 * The action beside the sentence that a document comes from a file; none for a person who may not publish.
 * @param {string} app
 * @returns {import("./notice.js").Action[]}
 */
export const takingOver = (app) =>
  can("publish") ? [{ label: t("files.take-over"), icon: "pencil", run: () => void takeOver(app) }] : [];

/** @param {string} app */
async function takeOver(app) {
  const texts = { title: t("files.title", { app }), body: t("files.body"), action: t("files.take-over") };
  // The page shows other controls then, so it is loaded again.
  if (await confirm(texts) && await recipes.tried(app, write("POST", path("apps", app, "take-over")))) {
    location.reload();
  }
}
