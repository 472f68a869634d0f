// The actions on a recipe as commands of the palette.

import { isRun } from "./kinds.js";
import { kindIcon } from "./icons.js";
import * as recipes from "./recipes.js";
import { can } from "./session.js";
import { t } from "./texts.js";

/** @typedef {import("./commands.js").Command} Command */

/**
 * The commands of a recipe: its pages, and what can be done with it.
 *
 * @param {string} app
 * @param {import("./recipes.js").Recipe} recipe
 * @param {(address: string) => void} go
 * @returns {Command[]}
 */
export function commandsOf(app, recipe, go) {
  const name = recipes.nameOf(recipe);
  const words = [recipe.slug, ...recipe.keys].join(" ");
  /** @type {(sort: Command["sort"], key: string, icon: string, run: () => void) => Command} */
  const command = (sort, key, icon, run) => ({ sort, label: t(`command.${key}`, { name }), words, icon, run });
  const open = (/** @type {string} */ page) => () => go(recipes.recipeLink(app, recipe.slug, page));
  const isEditable = recipes.isEditable(recipe);
  return [
    {
      sort: "recipe",
      label: name,
      words,
      icon: iconName(recipe.kind),
      hint: t(`state.${recipes.shownState(recipe)}`),
      run: () => go(recipes.recipeLink(app, recipe.slug)),
    },
    command("page", "history", "history", open("history")),
    command("page", "results", "rollout", open("results")),
    ...(isRun(recipe.kind) && can("respond") ? [command("page", "responses", "message", open("responses"))] : []),
    ...(isEditable ? [command("command", "edit", "pencil", open("edit"))] : []),
    ...(recipes.isReviewable(recipe) ? [command("command", "review", "eye", open("publish"))] : []),
    ...changesOf(app, recipe).map(([key, icon, run]) => command("command", key, icon, run)),
  ];
}

/**
 * The changes of state that are possible now: the name of each, its icon, and what it does.
 *
 * @param {string} app
 * @param {import("./recipes.js").Recipe} recipe
 * @returns {[string, string, () => void][]}
 */
function changesOf(app, recipe) {
  if (recipes.isChangeable(recipe)) {
    const isLive = recipe.state === "live";
    return [
      [isLive ? "pause" : "resume", isLive ? "pause" : "play", () => void recipes.toggle(app, recipe)],
      ["end", "stop", () => void recipes.end(app, recipe)],
    ];
  }
  if (recipe.state === "ended" && can("publish")) {
    return [[recipe.archived ? "unarchive" : "archive", "note", () => void recipes.archive(app, recipe)]];
  }
  return [];
}

/** @param {string} kind */
const iconName = (kind) => kindIcon(kind).getAttribute("class")?.split("icon-")[1] ?? "message";
