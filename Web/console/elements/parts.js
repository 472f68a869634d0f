// Small parts that every page uses.

import { h } from "../../shared/dom.js";
import { icon, kindIcon } from "../icons.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { ago, exactly, lasting, t } from "../texts.js";
import { menu } from "./menu.js";
import { editNote } from "./note.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/**
 * @param {string} label
 * @param {string} picture
 * @param {() => void} run
 * @param {string} [look]
 * @returns {HTMLButtonElement}
 */
export function button(label, picture, run, look = "") {
  const element = h("button", { type: "button", class: `button ${look}`, onclick: run });
  if (look.includes("icon-only")) element.setAttribute("aria-label", label);
  element.append(icon(picture), ...(look.includes("icon-only") ? [] : [label]));
  return element;
}

/** A state as an icon and a word. @param {string} state @param {string} [word] */
export function status(state, word = t(`state.${state}`)) {
  const pictures = {
    live: "check",
    paused: "pause",
    draft: "pencil",
    scheduled: "clock",
    ended: "stop",
    superseded: "history",
    fault: "fault",
  };
  return h("span", { class: `status status-${state}` }, icon(Reflect.get(pictures, state) ?? "info"), word);
}

/** A relative time, with the exact time as its tooltip. @param {string | null | undefined} text */
export function time(text) {
  if (!text) return "";
  const date = new Date(text);
  return h("time", { datetime: text, title: exactly(date), class: "nowrap" }, ago(date));
}

/** How long something has lasted, with the exact time of its begin as its tooltip. @param {string} text */
export function lastingTime(text) {
  const date = new Date(text);
  return h("time", { datetime: text, title: exactly(date), class: "nowrap" }, lasting(date));
}

/** A recipe's name as a link, with its slug and kind below. @param {string} app @param {Recipe} recipe */
export function nameCell(app, recipe) {
  const below = [recipe.name && recipe.slug, t(`kind.${recipe.kind}`)].filter(Boolean).join(" · ");
  return h(
    "div",
    { class: "name-cell" },
    kindIcon(recipe.kind),
    h("div", {}, h("a", { href: recipes.recipeLink(app, recipe.slug) }, recipes.nameOf(recipe)), h("small", {}, below)),
  );
}

/** The buttons of a row: pause or resume, and the rest in a menu. @param {string} app @param {Recipe} recipe @param {(address: string) => void} go */
export function rowActions(app, recipe, go) {
  const name = recipes.nameOf(recipe);
  const isLive = recipe.state === "live";
  const first = recipes.isChangeable(recipe) &&
    button(t(isLive ? "command.pause" : "command.resume", { name }), isLive ? "pause" : "play", () => {
      recipes.toggle(app, recipe);
    }, "quiet icon-only");
  return [
    first,
    ...menu(t("action.more", { name }), () => [
      ...(recipes.isReviewable(recipe)
        ? [{ label: t("action.review"), icon: "check", run: () => go(recipes.recipeLink(app, recipe.slug, "publish")) }]
        : []),
      { label: t("action.history"), icon: "history", run: () => go(recipes.recipeLink(app, recipe.slug, "history")) },
      ...(can("publish")
        ? [{ label: t("recipe.copy"), icon: "copy", run: () => go(recipes.copyLink(app, recipe.slug)) }]
        : []),
      ...(can("publish") ? [{ label: t("action.note"), icon: "person", run: () => void editNote(app, recipe) }] : []),
      ...(can("publish") && recipe.state === "ended"
        ? [{
          label: t(recipe.archived ? "action.unarchive" : "action.archive"),
          icon: "note",
          run: () => void recipes.archive(app, recipe),
        }]
        : []),
      ...(recipes.isChangeable(recipe)
        ? [{ label: t("action.end"), icon: "stop", isDanger: true, run: () => void recipes.end(app, recipe) }]
        : []),
    ]),
  ];
}

/** A heading with an optional count. @param {string} text @param {number} [count] */
export const sectionHead = (text, count) =>
  h("div", { class: "section-head" }, h("h2", {}, text), count ? h("span", { class: "muted" }, count) : null);
