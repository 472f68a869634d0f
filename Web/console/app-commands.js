// The commands of an app by name: its recipes, its pages, and new ones.

import { register } from "./commands.js";
import * as keys from "./keys.js";
import { pagesOf } from "./navigation.js";
import { commandsOf } from "./recipe-commands.js";
import * as recipes from "./recipes.js";
import { can, mayBegin } from "./session.js";
import { t } from "./texts.js";

/** @typedef {(address: string) => void} Go */

/**
 * Registers the commands of an app in the palette.
 * @param {string} app
 * @param {Go} go
 * @returns {Promise<recipes.Recipe[]>} the app's recipes
 */
export async function registerAppCommands(app, go) {
  const known = await recipes.reload(app, new AbortController().signal).catch(() => []);
  register("console", (typed) => [
    ...explainCommand(app, typed, go),
    ...known.flatMap((recipe) => commandsOf(app, recipe, go)),
    ...pageCommands(app, go),
    ...(can("publish")
      ? [{
        sort: /** @type {const} */ ("command"),
        label: t("command.new"),
        words: "",
        icon: "plus",
        run: () => go(recipes.newLink(app)),
      }]
      : []),
    ...generalCommands(go),
  ]);
  return known;
}

/** Registers the commands of a page without an app. @param {Go} go */
export const registerGeneralCommands = (go) =>
  register("console", () => [...pageCommands(undefined, go), ...generalCommands(go)]);

/** @typedef {import("./commands.js").Command} Command */

/** @param {string | undefined} app @param {Go} go @returns {Command[]} */
const pageCommands = (app, go) =>
  pagesOf(app).map(({ name, icon, address }) => ({
    sort: "page",
    label: t(`nav.${name}`),
    words: "",
    icon,
    run: () => go(address),
  }));

/** The commands that need no app. @param {Go} go @returns {Command[]} */
const generalCommands = (go) => [
  ...(mayBegin()
    ? [{
      sort: /** @type {const} */ ("command"),
      label: t("app.new"),
      words: "",
      icon: "plus",
      run: () => go("/console/new-app"),
    }]
    : []),
  { sort: "command", label: t("command.help"), words: "?", icon: "info", run: keys.showHelp },
];

/**
 * The command for "explain" and an id; the word also works in the current language.
 * @param {string} app
 * @param {string} typed
 * @param {Go} go
 * @returns {import("./commands.js").Command[]}
 */
function explainCommand(app, typed, go) {
  const [word, ...rest] = typed.trim().split(/\s+/);
  const id = rest.join(" ");
  const isMeant = ["explain", t("nav.explain").toLowerCase()].includes(word.toLowerCase());
  if (!id || !isMeant || !can("respond")) return [];
  const address = `/console/a/${encodeURIComponent(app)}/explain#client=${encodeURIComponent(id)}`;
  return [{
    sort: "command",
    label: t("command.explain", { id }),
    words: "",
    icon: "question",
    isExact: true,
    run: () => go(address),
  }];
}
