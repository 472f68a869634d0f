// Ends an experiment with a winner: its recipe becomes a rollout of one branch, as one draft that is reviewed and
// published like any other (docs/decisions/archive/0117-a-winner-is-rolled-out-by-its-experiments-own-recipe.md). The
// winner of an experiment that has ended gets a new recipe.

import { kindNamed } from "../kinds.js";
import { path, readText, writeText } from "../api.js";
import { rolledOut, rolledOutAnew } from "../document/rollout.js";
import { show } from "../elements/dialog.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { addTexts, t } from "../texts.js";
import resultTexts from "../texts/en_results.js";
import { h, uniqueId } from "../../shared/dom.js";
import { percent } from "./results-words.js";

addTexts(resultTexts);

/** @param {recipes.Recipe} recipe */
const hasEnded = (recipe) => recipe.state === "ended";

/**
 * The control next to each branch of an experiment whose winner may be rolled out here.
 * @param {{app: string, recipe: recipes.Recipe, shell: import("../main.js").Shell}} of
 * @returns {((branch: string) => HTMLElement) | undefined}
 */
export function winnerButton({ app, recipe, shell }) {
  const isOpen = hasEnded(recipe) ? can("publish") : recipes.isChangeable(recipe);
  if (!kindNamed(recipe.kind).hasWinner || !isOpen || recipe.branches.length < 2) return undefined;
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
    const slug = hasEnded(recipe) ? await newSlug(app, recipe.slug) : recipe.slug;
    const choice = await ask(recipe, branch, JSON.parse(live.text), slug);
    if (!choice) return;
    if (hasEnded(recipe)) {
      const text = rolledOutAnew(live.text, branch, choice === "all", slug);
      await writeText("PUT", `${path("apps", app, "recipes", slug)}?state=draft`, text, { "If-None-Match": "*" });
    } else {
      const text = rolledOut(live.text, branch, choice === "all");
      await writeText("PUT", `${address}?state=draft`, text, { "If-Match": draft?.etag ?? live.etag });
    }
    recipes.changed(app);
    shell.go(recipes.recipeLink(app, slug, "publish"));
  } catch (error) {
    toast(recipes.sentence(error));
  }
}

/** A slug that no recipe has. @param {string} app @param {string} slug */
async function newSlug(app, slug) {
  const all = await recipes.reload(app, new AbortController().signal);
  const taken = new Set(all.map((recipe) => recipe.slug));
  const first = `${slug}-rollout`;
  let name = first;
  for (let number = 2; taken.has(name); number += 1) name = `${first}-${number}`;
  return name;
}

/** @param {recipes.Recipe} recipe @param {string} branch @param {string} slug the slug of the rollout */
const inWords = (recipe, branch, slug) =>
  hasEnded(recipe)
    ? [h("p", {}, t("winner.anew", { branch, slug }))]
    : [h("p", {}, t("winner.body", { branch })), h("p", {}, t("winner.others", { branch }))];

/**
 * @param {recipes.Recipe} recipe
 * @param {string} branch
 * @param {API.Document} document
 * @param {string} slug the slug of the rollout
 * @returns {Promise<string>} "all", "same", or nothing
 */
function ask(recipe, branch, { bucketConfig: buckets }, slug) {
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
    inWords(recipe, branch, slug),
    !hasEnded(recipe) && recipe.draft && replaced(recipe.draft),
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
