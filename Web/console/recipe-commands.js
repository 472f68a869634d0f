// The actions on a recipe as commands of the palette.

import { isRun } from "./answers-query.js";
import { kindIcon } from "./icons.js";
import * as recipes from "./recipes.js";
import { can } from "./session.js";
import { t } from "./texts.js";

/**
 * @param {string} app
 * @param {import("./recipes.js").Recipe} recipe
 * @param {(address: string) => void} go
 * @returns {import("./commands.js").Command[]}
 */
export function commandsOf(app, recipe, go) {
  const name = recipes.nameOf(recipe);
  const words = [recipe.slug, ...recipe.keys].join(" ");
  const hint = t(`state.${recipes.shownState(recipe)}`);
  /** @type {import("./commands.js").Command[]} */
  const commands = [
    {
      sort: "recipe",
      label: name,
      words,
      icon: iconName(recipe.kind),
      hint,
      run: () => go(recipes.recipeLink(app, recipe.slug)),
    },
    {
      sort: "page",
      label: t("command.history", { name }),
      words,
      icon: "history",
      run: () => go(recipes.recipeLink(app, recipe.slug, "history")),
    },
  ];
  const answers = isRun(recipe.kind) && can("respond") ? ["results", "responses"] : ["results"];
  for (const section of answers) {
    commands.push({
      sort: "page",
      label: t(`command.${section}`, { name }),
      words,
      icon: section === "results" ? "rollout" : "message",
      run: () => go(recipes.recipeLink(app, recipe.slug, section)),
    });
  }
  if (recipes.isEditable(recipe)) {
    commands.push({
      sort: "command",
      label: t("command.edit", { name }),
      words,
      icon: "pencil",
      run: () => go(recipes.recipeLink(app, recipe.slug, "edit")),
    });
    if (recipe.draft) {
      commands.push({
        sort: "command",
        label: t("command.review", { name }),
        words,
        icon: "eye",
        run: () => go(recipes.recipeLink(app, recipe.slug, "publish")),
      });
    }
  }
  if (recipes.isChangeable(recipe)) {
    const isLive = recipe.state === "live";
    commands.push({
      sort: "command",
      label: t(isLive ? "command.pause" : "command.resume", { name }),
      words,
      icon: isLive ? "pause" : "play",
      run: () => void recipes.toggle(app, recipe),
    }, {
      sort: "command",
      label: t("command.end", { name }),
      words,
      icon: "stop",
      run: () => void recipes.end(app, recipe),
    });
  }
  if (recipe.state === "ended" && can("publish")) {
    commands.push({
      sort: "command",
      label: t(recipe.archived ? "command.unarchive" : "command.archive", { name }),
      words,
      icon: "note",
      run: () => void recipes.archive(app, recipe),
    });
  }
  return commands;
}

/** @param {string} kind */
const iconName = (kind) => kindIcon(kind).getAttribute("class")?.split("icon-")[1] ?? "message";
