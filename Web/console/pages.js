// The pages of the console: the address of each, its code, and its place in the sidebar.

import { later } from "./texts.js";
import { home } from "./views/home.js";
import { list } from "./views/recipes.js";
import { recipe } from "./views/recipe.js";

/**
 * @typedef {(context: import("./router.js").Context, shell: import("./main.js").Shell) => Promise<import("./router.js").View>} Load
 * @typedef {{path: string, load: Load, name?: string, icon?: string, abilities?: string[]}} Page
 *   A page with a `name` is in the sidebar if the scope has one of the `abilities`, and if its path has no app, or an
 *   app is open; `path` is below the console's address, with placeholders as in router.js
 */

/**
 * A page that loads when it is first opened, with its texts in the current language.
 * @param {() => Promise<any>} load
 * @param {string} name the name of the function that makes it
 * @param {...string} texts the names of modules in texts/languages.js
 * @returns {Load}
 */
const page = (load, name, ...texts) => async (context, shell) => (await later(load, ...texts))[name](context, shell);

/** @type {Page[]} In the order of the sidebar. */
export const pages = [
  { path: "/a/{app}", load: home, name: "home", icon: "home", abilities: ["read"] },
  { path: "/a/{app}/recipes", load: list, name: "recipes", icon: "list", abilities: ["read"] },
  {
    path: "/a/{app}/texts",
    load: page(() => import("./views/texts.js"), "texts", "texts"),
    name: "texts",
    icon: "texts",
    abilities: ["read"],
  },
  {
    path: "/a/{app}/explain",
    load: page(() => import("./views/explain.js"), "explain", "explain"),
    name: "explain",
    icon: "question",
    abilities: ["read"],
  },
  {
    path: "/a/{app}/people",
    load: page(() => import("./views/people.js"), "people", "responses"),
    name: "people",
    icon: "person",
    abilities: ["respond"],
  },
  {
    path: "/a/{app}/health",
    load: page(() => import("./views/health.js"), "health", "run"),
    name: "health",
    icon: "health",
    abilities: ["read", "log"],
  },
  {
    path: "/a/{app}/audit",
    load: page(() => import("./views/audit.js"), "audit", "run"),
    name: "audit",
    icon: "audit",
    abilities: ["read"],
  },
  {
    path: "/a/{app}/app",
    load: page(
      () => import("./views/edit.js"),
      "editManifest",
      "conditions",
      "editor",
      "findings",
      "keys",
      "questions",
    ),
    name: "app",
    icon: "app",
    abilities: ["read"],
  },
  {
    path: "/access",
    load: page(() => import("./views/access.js"), "access", "access"),
    name: "access",
    icon: "key",
    abilities: ["admin"],
  },
  { path: "/new-app", load: page(() => import("./views/begin.js"), "newApp", "begin") },
  { path: "/a/{app}/start", load: page(() => import("./views/begin.js"), "start", "begin") },
  { path: "/me", load: page(() => import("./views/me.js"), "me", "access") },
  {
    path: "/a/{app}/new",
    load: page(() => import("./views/edit.js"), "newRecipe", "conditions", "editor", "findings", "keys", "questions"),
  },
  {
    path: "/a/{app}/r/{slug}/edit",
    load: page(() => import("./views/edit.js"), "edit", "conditions", "editor", "findings", "keys", "questions"),
  },
  {
    path: "/a/{app}/r/{slug}/publish",
    load: page(() => import("./views/review.js"), "review", "changes", "findings", "keys", "questions", "review"),
  },
  { path: "/a/{app}/r/{slug}", load: recipe },
  { path: "/a/{app}/r/{slug}/responses{/id}", load: (context, shell) => recipe(context, shell, "responses") },
  { path: "/a/{app}/r/{slug}/{section}", load: recipe },
];
