// One recipe: its summary, its results, its history.

import { get, path, Problem } from "../api.js";
import { h } from "../../shared/dom.js";
import { button, status, time } from "../elements/parts.js";
import { takingOver } from "../elements/take-over.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { isRun, kindNamed } from "../kinds.js";
import { can, demand, scopeHere } from "../session.js";
import { later, number, t } from "../texts.js";
import { openPreview } from "./recipe-preview.js";
import { summary } from "./recipe-summary.js";
import { sentBackNote } from "./review-parts.js";

/**
 * @typedef {import("../recipes.js").Recipe} Recipe
 * @typedef {{app: string, recipe: Recipe, all: Recipe[], query: URLSearchParams, shell: import("../main.js").Shell,
 *   signal: AbortSignal, id: string}} Of what a section is of
 * @typedef {{element: HTMLElement, keys?: Record<string, () => void>, leave?: () => void,
 *   update?: (query: URLSearchParams, id: string) => void}} Section a section without `update` is made again
 */

/** The sections other than the summary, which load when they are opened. @type {Record<string, (of: Of) => Promise<Section>>} */
const sections = {
  results: async (of) =>
    (await later(() => import("./results.js"), "answers", "responses", "results")).resultsSection(of),
  responses: async (of) => (await later(() => import("./responses.js"), "answers", "responses")).responsesSection(of),
  history: async (of) => (await later(() => import("./history.js"), "changes")).historySection(of),
  document: async ({ app, recipe, signal }) => {
    const body = await get(path("apps", app, "recipes", recipe.slug), { signal });
    const text = JSON.stringify(body, null, 2);
    const look = { class: "panel document", tabindex: "0", "aria-label": t("recipe.document") };
    return { element: h("pre", look, text) };
  },
};

/** The sections that a recipe has. @param {Recipe} recipe */
const sectionsOf = ({ kind }) => [
  "summary",
  ...Object.keys(sections).filter((name) =>
    name === "responses" ? isRun(kind) && can("respond") : name !== "results" || !kindNamed(kind).isNamed
  ),
];

/**
 * @param {import("../router.js").Context} context
 * @param {import("../main.js").Shell} shell
 * @param {string} [section]
 * @returns {Promise<import("../router.js").View>}
 */
export async function recipe(context, shell, section = context.parameters.section) {
  const page = new RecipePage(context, shell);
  await page.load();
  if (section === "responses") demand("respond");
  await page.open(section);
  const { part } = page;
  return {
    element: page.element,
    title: page.title,
    update: part?.update && ((newer) => part.update?.(newer.query, newer.parameters.id)),
    leave: () => page.leave(),
  };
}

class RecipePage {
  /** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell */
  constructor({ parameters, query, signal }, shell) {
    this.app = parameters.app;
    this.slug = parameters.slug;
    this.id = parameters.id;
    this.query = query;
    this.signal = signal;
    this.shell = shell;
    /** @type {Recipe[]} */
    this.all = [];
    /** The name of the open section; empty before one is open. */
    this.name = "";
    /** @type {Section | undefined} */
    this.part = undefined;
    this.heading = h("h1", { tabindex: "-1" });
    this.facts = h("div", { class: "page-facts" });
    this.notes = h("div", {});
    this.content = h("div", {});
    this.element = h("div", {}, h("div", { class: "page-head" }, this.heading, this.facts), this.notes);
    this.stop = () => {};
  }

  /** The recipe as it is in the list. @returns {Recipe | undefined} */
  get recipe() {
    return this.all.find(({ slug }) => slug === this.slug);
  }

  get title() {
    const name = recipes.nameOf(/** @type {Recipe} */ (this.recipe));
    return this.name === "summary" ? name : `${name} · ${t(`recipe.${this.name}`)}`;
  }

  async load() {
    const { app, slug, signal } = this;
    this.all = await recipes.load(app, signal, (newer) => {
      this.all = newer;
      if (this.name) this.show();
    });
    // The list in memory may be older than the recipe.
    if (!this.recipe) this.all = await recipes.reload(app, signal);
    if (!this.recipe) throw new Problem(404, { detail: t("recipe.gone", { slug, app }) });
  }

  /** @param {string} section */
  async open(section) {
    const { app, slug, all, query, shell, signal, id } = this;
    const recipe = /** @type {Recipe} */ (this.recipe);
    const names = sectionsOf(recipe);
    this.name = names.includes(section) ? section : "summary";
    this.element.append(this.links(names), this.content);
    this.show();
    this.part = await sections[this.name]?.({ app, recipe, all, query, shell, signal, id });
    if (this.part) this.content.append(this.part.element);
    setPageKeys({
      ...this.part?.keys,
      e: () => this.recipe && recipes.isEditable(this.recipe) && shell.go(recipes.recipeLink(app, slug, "edit")),
      p: () => this.recipe && recipes.isChangeable(this.recipe) && recipes.toggle(app, this.recipe),
    });
    if (query.has("preview")) queueMicrotask(() => openPreview(app, slug, shell));
    this.stop = recipes.onChange(() => recipes.reload(app, signal).then((newer) => this.take(newer), () => undefined));
  }

  leave() {
    this.part?.leave?.();
    this.stop();
  }

  /** Changes by others outside this recipe do not change the page. @private @param {Recipe[]} newer */
  take(newer) {
    const before = this.near();
    this.all = newer;
    if (this.near() !== before) this.show();
  }

  /** The recipe and those that share a place with it, as a text. @private */
  near() {
    const { recipe: own, slug } = this;
    const isNear = (/** @type {Recipe} */ other) =>
      other.presents.includes(slug) || other.surfaces.some((surface) => own?.surfaces.includes(surface));
    return JSON.stringify(this.all.filter((other) => other === own || isNear(other)));
  }

  /** The links to the sections. @private @param {string[]} names */
  links(names) {
    const { app, slug } = this;
    const count = h("span", { class: "muted" });
    if (names.includes("responses")) void tellCount(app, slug, count, this.signal);
    const link = (/** @type {string} */ name) => {
      const href = recipes.recipeLink(app, slug, name === "summary" ? "" : name);
      const current = name === this.name ? "page" : null;
      return h("a", { href, "aria-current": current }, t(`recipe.${name}`), name === "responses" && count);
    };
    return h("nav", { class: "sections", "aria-label": slug }, names.map(link));
  }

  /** @private */
  show() {
    const { app, slug, recipe } = this;
    if (!recipe) return;
    const state = recipes.shownState(recipe);
    this.heading.textContent = recipes.nameOf(recipe);
    this.facts.replaceChildren(
      status(state, `${t(`state.${state}`)}${recipe.in_force ? ` r${recipe.in_force}` : ""}`),
      recipe.in_force && recipe.approved_by
        ? h("span", { class: "muted" }, t("recipe.approvedby", { name: recipe.approved_by }))
        : "",
      recipe.draft && recipe.in_force ? status("draft", t("state.waits", { revision: recipe.draft.revision })) : "",
      h("span", { class: "muted" }, ages(recipe)),
      h("div", { class: "actions" }, this.actions(recipe)),
    );
    const notes = [
      recipe.read_only && fromFile(app, slug),
      !can("publish") && note("lock", t(can("review") ? "scope.review" : "scope.look", { scope: scopeHere() ?? "" })),
      recipe.sent_back && sentBackNote(recipe.sent_back),
      recipe.paused_by && note("pause", t("recipe.guard", recipe.paused_by), time(recipe.paused_by.at)),
    ];
    this.notes.replaceChildren(...notes.filter((one) => one instanceof HTMLElement));
    if (this.name === "summary") this.content.replaceChildren(...summary(app, recipe, this.all, this.signal));
  }

  /** @private @param {Recipe} recipe */
  actions(recipe) {
    const { app, slug, shell } = this;
    const isLive = recipe.state === "live";
    const { isNamed } = kindNamed(recipe.kind);
    const isEnded = can("publish") && recipe.state === "ended";
    const go = (/** @type {string} */ address) => () => shell.go(address);
    const toggle = () => recipes.toggle(app, recipe);
    return [
      !isNamed && button(t("action.preview"), "eye", () => openPreview(app, slug, shell)),
      recipes.isChangeable(recipe) && [
        !isNamed && button(t(isLive ? "action.pause" : "action.resume"), isLive ? "pause" : "play", toggle),
        button(t("action.end"), "stop", () => recipes.end(app, recipe), "danger"),
      ],
      isEnded && [
        button(t("recipe.copy"), "copy", go(recipes.copyLink(app, slug)), "primary"),
        button(
          t(recipe.archived ? "action.unarchive" : "action.archive"),
          "note",
          () => recipes.archive(app, recipe),
        ),
      ],
      recipes.isEditable(recipe) &&
      button(t("action.edit"), "pencil", go(recipes.recipeLink(app, slug, "edit")), recipe.draft ? "" : "primary"),
      recipes.isReviewable(recipe) && reviewLink(app, slug),
    ];
  }
}

/** The age of the revision in force, and that of its state. @param {import("../recipes.js").Recipe} recipe */
const ages = ({ in_force: revision, in_force_at: at, state, state_since: since }) =>
  revision && (state === "live" || state === "paused")
    ? [
      icon("clock"),
      t("recipe.age.revision", { revision }),
      " ",
      time(at),
      since && [" · ", t(`recipe.age.${state}`), " ", time(since)],
    ]
    : "";

/**
 * Shows the numbers of submitted and begun responses.
 * @param {string} app
 * @param {string} slug
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
async function tellCount(app, slug, place, signal) {
  const results = await get(path("apps", app, "results", slug), { signal }).catch(() => ({}));
  const submitted = results.total_runs === undefined ? results.submitted_count : results.completed;
  const begun = results.active ?? results.total_responses - submitted;
  if (submitted + begun > 0) {
    place.textContent = begun > 0 ? t("recipe.responses.begun", { submitted, begun }) : number(submitted);
  }
}

/** @param {string} app @param {string} slug */
const reviewLink = (app, slug) =>
  h(
    "a",
    { class: "button primary", href: recipes.recipeLink(app, slug, "publish") },
    icon("check"),
    t("action.review"),
  );

/** The text about a recipe that comes from a file. @param {string} app @param {string} slug */
function fromFile(app, slug) {
  const copy = can("publish") &&
    h("a", { class: "button", href: recipes.copyLink(app, slug) }, icon("copy"), t("recipe.copy"));
  const others = takingOver(app).map(({ label, icon, run }) => button(label, icon, run));
  return note("lock", t("recipe.file"), [copy, others]);
}

/** @param {string} picture @param {string} text @param {any} [end] */
const note = (picture, text, end) => h("div", { class: "note" }, icon(picture), h("span", {}, text), end);
