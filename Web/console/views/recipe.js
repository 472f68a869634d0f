// One recipe: its summary, its results, its history.

import { get, path, Problem } from "../api.js";
import { h } from "../../shared/dom.js";
import { button, status, time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { isRun } from "../answers-query.js";
import { can, demand, session } from "../session.js";
import { later, number, t } from "../texts.js";
import { openPreview } from "./recipe-preview.js";
import { summary } from "./recipe-summary.js";
import { sentBackNote } from "./review-parts.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/** @param {Recipe} [recipe] */
const sectionsOf = (recipe) => [
  "summary",
  "results",
  ...(recipe && isRun(recipe.kind) && can("respond") ? ["responses"] : []),
  "history",
  "document",
];

/**
 * @param {import("../router.js").Context} context
 * @param {import("../main.js").Shell} shell
 * @param {string} [section]
 * @returns {Promise<import("../router.js").View>}
 */
export async function recipe(context, shell, section = context.parameters.section) {
  const { app, slug } = context.parameters;
  let refresh = () => {};
  let all = await recipes.load(app, context.signal, (newer) => {
    all = newer;
    refresh();
  });
  const find = () => all.find((recipe) => recipe.slug === slug);
  // The list in memory may be older than the recipe.
  if (!find()) all = await recipes.reload(app, context.signal);
  if (!find()) throw new Problem(404, { detail: t("recipe.gone", { slug, app }) });

  const sections = sectionsOf(find());
  if (section === "responses") demand("respond");
  const name = sections.includes(section) ? section : "summary";
  const heading = h("h1", { tabindex: "-1" });
  const facts = h("div", { class: "page-facts" });
  const head = h("div", { class: "page-head" }, heading, facts);
  const content = h("div", {});
  const count = h("span", { class: "muted" });
  if (sections.includes("responses")) void tellCount(app, slug, count, context.signal);
  const links = h(
    "nav",
    { class: "sections", "aria-label": slug },
    sections.map((section) =>
      h(
        "a",
        {
          href: recipes.recipeLink(app, slug, section === "summary" ? "" : section),
          "aria-current": section === name ? "page" : null,
        },
        t(`recipe.${section}`),
        section === "responses" && count,
      )
    ),
  );
  const file = h("div", {});
  const element = h("div", {}, head, file, links, content);
  let query = context.query;

  function show() {
    const recipe = find();
    if (!recipe) return;
    const isLive = recipe.state === "live";
    const state = recipes.shownState(recipe);
    heading.textContent = recipes.nameOf(recipe);
    facts.replaceChildren(
      status(state, `${t(`state.${state}`)}${recipe.in_force ? ` r${recipe.in_force}` : ""}`),
      recipe.draft && recipe.in_force ? status("draft", t("state.waits", { revision: recipe.draft.revision })) : "",
      h("span", { class: "muted" }, ages(recipe)),
      h(
        "div",
        { class: "actions" },
        button(t("action.preview"), "eye", () => openPreview(app, slug, shell)),
        recipes.isChangeable(recipe) &&
          button(
            t(isLive ? "action.pause" : "action.resume"),
            isLive ? "pause" : "play",
            () => recipes.toggle(app, recipe),
          ),
        recipes.isChangeable(recipe) && button(t("action.end"), "stop", () => recipes.end(app, recipe), "danger"),
        can("publish") && recipe.state === "ended" &&
          button(t("recipe.copy"), "copy", () => shell.go(recipes.copyLink(app, slug)), "primary"),
        can("publish") && recipe.state === "ended" &&
          button(
            t(recipe.archived ? "action.unarchive" : "action.archive"),
            "note",
            () => recipes.archive(app, recipe),
          ),
        recipes.isEditable(recipe) &&
          button(
            t("action.edit"),
            "pencil",
            () => shell.go(recipes.recipeLink(app, slug, "edit")),
            recipe.draft ? "" : "primary",
          ),
        recipes.isEditable(recipe) && recipe.draft && reviewLink(app, slug),
      ),
    );
    const notes = [
      recipe.read_only && fromFile(app, slug),
      !can("publish") && note("lock", t("scope.look", { scope: session().scope })),
      recipe.sent_back && sentBackNote(recipe.sent_back),
    ];
    file.replaceChildren(...notes.filter((one) => one instanceof HTMLElement));
    if (name === "summary") content.replaceChildren(...summary(app, recipe, all, context.signal));
  }

  show();
  refresh = show;
  const part = await answers(name, {
    app,
    recipe: /** @type {Recipe} */ (find()),
    all,
    query,
    shell,
    signal: context.signal,
    id: context.parameters.id,
  });
  if (part) {
    content.append(part.element);
  } else if (name === "history") {
    const { historySection } = await later(() => import("./history.js"), "changes");
    content.append(await historySection(app, slug, () => query, shell, context.signal));
  } else if (name === "document") {
    const body = await get(path("apps", app, "recipes", slug), { signal: context.signal });
    content.append(
      h(
        "pre",
        { class: "panel document", tabindex: "0", "aria-label": t("recipe.document") },
        JSON.stringify(body, null, 2),
      ),
    );
  }
  setPageKeys({
    ...part?.keys,
    e: () => {
      const recipe = find();
      if (recipe && recipes.isEditable(recipe)) shell.go(recipes.recipeLink(app, slug, "edit"));
    },
    p: () => {
      const recipe = find();
      if (recipe && recipes.isChangeable(recipe)) recipes.toggle(app, recipe);
    },
  });
  if (query.has("preview")) queueMicrotask(() => openPreview(app, slug, shell));
  // Changes by others outside this recipe do not change the page.
  const about = () => {
    const own = find();
    const isNear = (/** @type {Recipe} */ other) =>
      other.presents.includes(slug) || other.surfaces.some((surface) => own?.surfaces.includes(surface));
    return JSON.stringify(all.filter((other) => other === own || isNear(other)));
  };
  const stop = recipes.onChange(() =>
    recipes.reload(app, context.signal).then((newer) => {
      const before = about();
      all = newer;
      if (about() !== before) show();
    }, () => undefined)
  );
  const title = [recipes.nameOf(/** @type {Recipe} */ (find())), name === "summary" ? "" : t(`recipe.${name}`)];
  return {
    element,
    title: title.filter(Boolean).join(" · "),
    update: part ? (newer) => part.update(newer.query, newer.parameters.id) : name === "history"
      ? (newer) => {
        query = newer.query;
        element.dispatchEvent(new Event("bw-query"));
      }
      : undefined,
    leave: () => {
      part?.leave();
      stop();
    },
  };
}

/**
 * Loads results or responses when they are opened first.
 * @param {string} name
 * @param {{app: string, recipe: Recipe, all: Recipe[], query: URLSearchParams, shell: import("../main.js").Shell,
 *   signal: AbortSignal, id: string}} of
 * @returns {Promise<{element: HTMLElement, keys?: Record<string, () => void>, leave: () => void,
 *   update: (query: URLSearchParams, id: string) => void} | undefined>}
 */
async function answers(name, of) {
  if (name === "results") {
    return (await later(() => import("./results.js"), "answers", "responses", "results")).resultsSection(of);
  }
  if (name === "responses") {
    return (await later(() => import("./responses.js"), "answers", "responses")).responsesSection(of);
  }
  return undefined;
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
  return note("lock", t("recipe.file"), copy);
}

/** @param {string} picture @param {string} text @param {any} [end] */
const note = (picture, text, end) => h("div", { class: "note" }, icon(picture), h("span", {}, text), end);
