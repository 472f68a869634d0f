// Parts of the review: the daemon's findings, other live messages of its surfaces, the texts.

import { sectionHead } from "../elements/parts.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { ago, t } from "../texts.js";
import { h, uniqueId } from "../../shared/dom.js";

/**
 * @typedef {import("../recipes.js").Recipe} Recipe
 * @typedef {import("../forms/findings.js").Finding} Finding
 */

/** The number of warnings that are shown without a press. */
const openWarnings = 3;

/**
 * The findings: faults first, and only some warnings are shown without a press.
 * @param {{app: string, recipe: Recipe}} of
 * @param {Finding[]} findings
 * @param {(pointer: string) => string} placeOf the place of a finding in words
 */
export function checkList({ app, recipe }, findings, placeOf) {
  const line = (/** @type {Finding} */ { pointer, message, isWarning }) =>
    h(
      "li",
      { class: isWarning ? "is-warning" : "is-fault" },
      icon(isWarning ? "warning" : "fault"),
      h("span", {}, message, " ", h("small", { class: "muted" }, placeOf(pointer))),
      h("a", {
        class: "end",
        href: `${recipes.recipeLink(app, recipe.slug, "edit")}?at=${encodeURIComponent(pointer)}`,
      }, t("review.go")),
    );
  const faults = findings.filter(({ isWarning }) => !isWarning);
  const rows = [...faults, ...findings.filter(({ isWarning }) => isWarning)].map(line);
  const open = faults.length + openWarnings;
  const more = rows.slice(open);
  const content = rows.length === 0 ? h("p", {}, icon("check"), " ", t("review.sound")) : [
    h("ul", { class: "rows" }, rows.slice(0, open)),
    more.length > 0 && h(
      "details",
      {},
      h("summary", {}, t("review.more", { count: more.length })),
      h("ul", { class: "rows" }, more),
    ),
  ];
  return [sectionHead(t("review.checks"), rows.length), h("div", { class: "panel" }, content)];
}

/** The other live messages of the same surfaces. @param {{app: string, recipe: Recipe, all: Recipe[]}} of */
export function rivals({ app, recipe, all }) {
  const meets = (/** @type {Recipe} */ other) => other.surfaces.filter((name) => recipe.surfaces.includes(name));
  const near = all.filter((other) => other.slug !== recipe.slug && other.state === "live" && meets(other).length > 0);
  if (near.length === 0) return null;
  const rows = near.map((other) =>
    h(
      "li",
      {},
      icon("message"),
      h("a", { href: recipes.recipeLink(app, other.slug) }, recipes.nameOf(other)),
      h("span", { class: "end muted" }, meets(other).join(", ")),
    )
  );
  return h(
    "section",
    {},
    sectionHead(t("recipe.rivals"), near.length),
    h("div", { class: "panel" }, h("ul", { class: "rows" }, rows)),
  );
}

/** Both texts in their stored form. @param {{text: string} | undefined} live @param {{text: string}} coming */
export function texts(live, coming) {
  const text = (/** @type {string} */ key, /** @type {string} */ value) =>
    h("div", {}, h("h3", {}, t(key)), h("pre", { class: "document", tabindex: "0" }, value));
  return h("div", { class: "review-texts" }, live && text("change.was", live.text), text("change.is", coming.text));
}

/** The reason why the draft was sent back. @param {NonNullable<Recipe["sent_back"]>} sent */
export const sentBackNote = ({ author, revision, at, comment }) =>
  h(
    "div",
    { class: "note is-warning" },
    icon("warning"),
    h("span", {}, t("note.back", { author, revision, time: ago(new Date(at)), comment })),
  );

/**
 * The choice for the clients of a paused recipe.
 * @param {{recipe: Recipe, earlier: string | null}} of
 * @param {(stays: boolean) => void} choose
 */
export function stayChoice({ recipe, earlier }, choose) {
  if (recipe.state !== "paused" || earlier) return null;
  const name = uniqueId("stay");
  const choice = (/** @type {boolean} */ stays) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: "radio", name, checked: stays, onchange: () => choose(stays) }),
      t(stays ? "review.stay" : "review.resume"),
    );
  return h("fieldset", {}, h("legend", {}, t("review.paused")), choice(true), choice(false));
}
