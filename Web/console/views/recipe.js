// One recipe: what it is, what came of it, its history.

import { get, path, Problem } from "../api.js";
import { h } from "../../shared/dom.js";
import { button, sectionHead, status, time } from "../elements/parts.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { number, t } from "../texts.js";
import { historySection } from "./history.js";
import { firstScreen, openPreview } from "./recipe-preview.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

const sections = ["summary", "history", "document"];

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function recipe(context, shell) {
  const { app, slug } = context.parameters;
  const name = sections.includes(context.parameters.section) ? context.parameters.section : "summary";
  let all = await recipes.load(app, context.signal, (newer) => {
    all = newer;
    show();
  });
  const find = () => all.find((recipe) => recipe.slug === slug);
  if (!find()) throw new Problem(404, { detail: t("recipe.gone", { slug, app }) });

  const heading = h("h1", { tabindex: "-1" });
  const facts = h("div", { class: "page-facts" });
  const head = h("div", { class: "page-head" }, heading, facts);
  const content = h("div", {});
  const links = h(
    "nav",
    { class: "sections", "aria-label": slug },
    sections.map((section) =>
      h("a", {
        href: recipes.recipeLink(app, slug, section === "summary" ? "" : section),
        "aria-current": section === name ? "page" : null,
      }, t(`recipe.${section}`))
    ),
  );
  const element = h("div", {}, head, links, content);
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
      h("span", { class: "muted" }, recipe.state_since && isLive ? [icon("clock"), " ", time(recipe.state_since)] : ""),
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
      ),
    );
    if (name === "summary") content.replaceChildren(...summary(app, recipe, all, context.signal));
  }

  show();
  if (name === "history") {
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
    p: () => {
      const recipe = find();
      if (recipe && recipes.isChangeable(recipe)) recipes.toggle(app, recipe);
    },
  });
  if (query.has("preview")) queueMicrotask(() => openPreview(app, slug, shell));
  const stop = recipes.onChange(() =>
    recipes.reload(app, context.signal).then((newer) => {
      all = newer;
      show();
    }, () => undefined)
  );
  const title = [recipes.nameOf(/** @type {Recipe} */ (find())), name === "summary" ? "" : t(`recipe.${name}`)];
  return {
    element,
    title: title.filter(Boolean).join(" · "),
    update: name === "history"
      ? (newer) => {
        query = newer.query;
        element.dispatchEvent(new Event("bw-query"));
      }
      : undefined,
    leave: () => void stop(),
  };
}

/** @param {string} app @param {Recipe} recipe @param {Recipe[]} all @param {AbortSignal} signal */
function summary(app, recipe, all, signal) {
  const link = (/** @type {Recipe} */ other) =>
    h("a", { href: recipes.recipeLink(app, other.slug) }, recipes.nameOf(other));
  const presented = recipe.presents.map((slug) => all.find((other) => other.slug === slug)).filter((other) => !!other);
  const presenters = all.filter((other) => other.presents.includes(recipe.slug));
  const chips = (/** @type {string[]} */ texts) => texts.map((text) => h("bdi", { class: "chip" }, text));
  /** @type {[string, any][]} */
  const facts = [
    ["shown", chips(recipe.surfaces)],
    ["messages", chips(recipe.keys)],
    ["presents", presented.map(link)],
    ["presented", presenters.map(link)],
    ["branches", chips(recipe.branches)],
    ["features", chips(recipe.features)],
    ["starts", recipe.starts && time(recipe.starts)],
    ["ends", recipe.ends && time(recipe.ends)],
    ["page", recipe.hosted && pageLink(app, recipe)],
    ["author", recipe.read_only ? t("recipe.file") : recipe.author],
  ];
  const shown = facts.filter(([, value]) => Array.isArray(value) ? value.length > 0 : value);
  const figures = h("div", { class: "panel" }, h("p", { class: "empty" }, t("recipe.numbers.none")));
  loadFigures(app, recipe, signal).then(
    (values) => values.length > 0 && figures.replaceChildren(figureList(values)),
    () => undefined,
  );
  const screen = h("div", {});
  firstScreen(app, recipe.slug, signal).then(
    (pane) => screen.replaceChildren(sectionHead(t("preview.first")), pane),
    () => undefined,
  );
  return [
    h(
      "div",
      { class: "recipe-grid" },
      h("section", { class: "stack" }, h("div", {}, sectionHead(t("recipe.numbers")), figures), screen),
      h(
        "section",
        {},
        sectionHead(t("recipe.summary")),
        h(
          "dl",
          { class: "panel facts" },
          shown.map(([key, value]) => [h("dt", {}, t(`recipe.${key}`)), h("dd", {}, value)]),
        ),
      ),
    ),
  ];
}

/** @param {string} app @param {Recipe} recipe */
function pageLink(app, recipe) {
  const address = `/s/${encodeURIComponent(app)}/${encodeURIComponent(recipe.slug)}`;
  return h("a", { href: address, target: "_blank", rel: "noopener" }, address, " ", icon("external"));
}

/** @typedef {{key: string, value: number | null, share?: number, minimum?: number}} Figure */

/** @param {Figure[]} figures */
function figureList(figures) {
  return h(
    "dl",
    { class: "figures" },
    figures.map(({ key, value, share, minimum }) =>
      h(
        "div",
        {},
        h("dt", {}, t(`number.${key}`)),
        h(
          "dd",
          {},
          value === null ? t("number.withheld", { minimum: minimum ?? 5 }) : number(value),
          share === undefined
            ? null
            : h("small", {}, t("number.of", { share: number(share, { style: "percent", maximumFractionDigits: 0 }) })),
        ),
      )
    ),
  );
}

/**
 * What came of it so far: of a message how often it was shown and pressed, of questions how many were answered.
 * @param {string} app @param {Recipe} recipe @param {AbortSignal} signal @returns {Promise<Figure[]>}
 */
async function loadFigures(app, recipe, signal) {
  const results = await get(path("apps", app, "results", recipe.slug), { signal });
  if (Array.isArray(results.messages)) {
    const total = (/** @type {string} */ key) => {
      const counts = results.messages.map((/** @type {any} */ message) => message.total?.[key] ?? message[key]);
      const known = counts.filter((/** @type {unknown} */ count) => typeof count === "number");
      return known.length === 0
        ? null
        : known.reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0);
    };
    const shown = total("shown");
    return ["shown", "clicked", "dismissed", "answered"].map((key) => ({ key, value: total(key) }))
      .filter(({ key, value }) => value !== null && (value > 0 || key === "shown"))
      .map((figure) => figure.key === "shown" || !shown ? figure : { ...figure, share: (figure.value ?? 0) / shown });
  }
  const [started, submitted] = [
    results.total_responses ?? results.started,
    results.submitted_count ?? results.completed,
  ];
  return [{ key: "started", value: started }, { key: "submitted", value: submitted }]
    .filter(({ value }) => typeof value === "number");
}
