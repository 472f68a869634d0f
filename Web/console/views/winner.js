// Ends an experiment with a winner: its recipe becomes a rollout of one branch, as one draft that is reviewed and
// published like any other (docs/decisions/0117).

import { path, readText, writeText } from "../api.js";
import { rolledOut } from "../document/rollout.js";
import { show } from "../elements/dialog.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { addTexts, t } from "../texts.js";
import resultTexts from "../texts/en_results.js";
import { h, uniqueId } from "../../shared/dom.js";
import { percent } from "./results-words.js";

addTexts(resultTexts);

/**
 * The control next to each branch of an experiment that may be changed here.
 * @param {{app: string, recipe: recipes.Recipe, shell: import("../main.js").Shell}} of
 * @returns {((branch: string) => HTMLElement) | undefined}
 */
export function winnerButton({ app, recipe, shell }) {
  if (recipe.kind !== "experiment" || !recipes.isChangeable(recipe) || recipe.branches.length < 2) return undefined;
  return (branch) => {
    if (!recipe.branches.includes(branch)) return h("span", {});
    const button = h("button", {
      type: "button",
      class: "button quiet",
      onclick: () => void rollOut({ app, recipe, shell }, branch),
    });
    button.append(icon("rollout"), t("winner.do", { branch }));
    return button;
  };
}

/** @param {{app: string, recipe: recipes.Recipe, shell: import("../main.js").Shell}} of @param {string} branch */
async function rollOut({ app, recipe, shell }, branch) {
  const address = path("apps", app, "recipes", recipe.slug);
  try {
    const [live, draft] = await Promise.all([
      readText(`${address}?state=live`),
      recipe.draft ? readText(`${address}?state=draft`) : undefined,
    ]);
    const choice = await ask(recipe, branch, JSON.parse(live.text));
    if (!choice) return;
    const text = rolledOut(live.text, branch, choice === "all");
    await writeText("PUT", `${address}?state=draft`, text, { "If-Match": draft?.etag ?? live.etag });
    recipes.changed(app);
    shell.go(recipes.recipeLink(app, recipe.slug, "publish"));
  } catch (error) {
    toast(recipes.sentence(error));
  }
}

/** @param {recipes.Recipe} recipe @param {string} branch @param {any} document @returns {Promise<string>} "all", "same", or nothing */
function ask(recipe, branch, { bucketConfig: buckets }) {
  const [title, name] = [uniqueId("title"), uniqueId("reach")];
  let chosen = "all";
  const choice = (/** @type {string} */ value, /** @type {string} */ words) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: "radio", name, checked: value === chosen, onchange: () => chosen = value }),
      words,
    );
  const share = percent(buckets.count / (buckets.total ?? 10_000));
  const cancel = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.cancel"));
  const action = h(
    "button",
    { type: "button", class: "button primary", onclick: () => dialog.close(chosen) },
    t("winner.action"),
  );
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": title },
    h("h2", { id: title }, t("winner.title", { branch })),
    h("p", {}, t("winner.body", { branch })),
    h("p", {}, t("winner.others", { branch })),
    recipe.draft && replaced(recipe.draft),
    h(
      "fieldset",
      { class: "choices" },
      h("legend", {}, t("winner.reach")),
      choice("all", t("winner.all")),
      choice("same", t("winner.same", { share })),
    ),
    h("div", { class: "dialog-actions" }, cancel, action),
  );
  return show(dialog, cancel);
}

/** @param {NonNullable<recipes.Recipe["draft"]>} draft */
const replaced = ({ revision, author }) =>
  h(
    "p",
    { class: "note is-warning" },
    icon("warning"),
    h("span", {}, t("winner.draft", { revision, author: author ?? "" })),
  );
