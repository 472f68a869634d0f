// An experiment ends with a winner: its recipe becomes a rollout of one branch, as one draft that is reviewed and
// published like any other (docs/decisions/0117).

import { path, readText, writeText } from "../api.js";
import { JSONDocument } from "../document/document.js";
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
 * The recipe as a rollout of one branch. All branches stay, so that whoever is in another one stays enrolled, but all of
 * them set what the winner sets, and nobody new comes into another one.
 * @param {string} text
 * @param {string} winner
 * @param {boolean} isForAll whether everybody in the audience gets it, or as many as the experiment has
 * @returns {string}
 */
export function rolledOut(text, winner, isForAll) {
  const document = new JSONDocument(text);
  const branches = /** @type {any[]} */ (document.get("/branches"));
  const own = branches.find(({ slug }) => slug === winner);
  document.set("/isRollout", true);
  branches.forEach((branch, place) => {
    const pointer = `/branches/${place}`;
    const ratio = branch === own ? 1 : 0;
    if (branch.ratio !== ratio) document.set(`${pointer}/ratio`, ratio);
    if (branch === own) return;
    for (const name of ["features", "feature"]) {
      if (JSON.stringify(branch[name]) === JSON.stringify(own[name])) continue;
      if (own[name] === undefined) document.remove(`${pointer}/${name}`);
      else document.set(`${pointer}/${name}`, own[name]);
    }
  });
  if (isForAll) {
    document.set("/bucketConfig/start", 0);
    document.set("/bucketConfig/count", document.get("/bucketConfig/total") ?? 10_000);
  }
  if (document.get("/isEnrollmentPaused") === true) document.set("/isEnrollmentPaused", false);
  if (document.get("/endDate")) document.set("/endDate", null);
  if (document.get("/referenceBranch")) document.set("/referenceBranch", winner);
  return document.text;
}

/**
 * What stands beside each branch of an experiment that may be changed here.
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
    recipe.draft &&
      h(
        "p",
        { class: "note is-warning" },
        icon("warning"),
        h("span", {}, t("winner.draft", { ...recipe.draft, author: recipe.draft.author ?? "" })),
      ),
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
