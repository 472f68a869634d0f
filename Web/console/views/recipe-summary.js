// A recipe's first section: sentences about it, its time line, its numbers, its rivals.

import { get, path } from "../api.js";
import { intervalChart } from "../charts/interval.js";
import { timeLine } from "../charts/timeline.js";
import { h } from "../../shared/dom.js";
import { button, lastingTime, sectionHead, status, time } from "../elements/parts.js";
import { editNote, labelChips } from "../elements/note.js";
import { share } from "../elements/share.js";
import { icon } from "../icons.js";
import { kindNamed } from "../kinds.js";
import { sentences } from "../language/sentences.js";
import { approvals } from "../approvals.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { number, quoted, t } from "../texts.js";
import { loadFigures } from "./figures.js";
import { heldForecast } from "./held-forecast.js";
import { firstScreen } from "./recipe-preview.js";
import { stagesSection } from "./stages.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */
/** @typedef {import("./figures.js").Figure} Figure */

/** @param {string} app @param {Recipe} recipe @param {Recipe[]} all @param {AbortSignal} signal @returns {HTMLElement[]} */
export function summary(app, recipe, all, signal) {
  const words = h("div", { class: "panel prose" }, skeleton(3));
  const line = h("div", { class: "panel time-panel" });
  const figures = h("div", { class: "panel" }, skeleton(2));
  const screen = h("section", {});
  const stages = h("div", {});
  const forecast = h("div", {});
  const fill = (
    /** @type {HTMLElement} */ place,
    /** @type {Promise<any>} */ content,
    /** @type {string} */ otherwise,
  ) =>
    content.then((nodes) => place.replaceChildren(...[nodes].flat()), () => {
      if (!signal.aborted) place.replaceChildren(h("p", { class: "empty" }, t(otherwise)));
    });
  fill(words, inSentences(app, recipe, all, signal), "recipe.words.none");
  fill(line, history(app, recipe, signal), "recipe.line.none");
  const { isNamed, enrolls } = kindNamed(recipe.kind);
  if (isNamed) return namedSummary(words, line, [factsHead(app, recipe), facts(app, recipe, all, signal)]);
  fill(figures, loadFigures(app, recipe, signal).then(figureList), "recipe.numbers.none");
  firstScreen(app, recipe.slug, signal).then(
    (pane) => screen.replaceChildren(sectionHead(t("preview.first")), pane),
    () => undefined,
  );
  heldForecast(app, recipe.slug, signal).then(
    (section) => section && forecast.replaceChildren(section),
    () => undefined,
  );
  if (enrolls && recipe.state !== "draft") {
    get(`${path("apps", app, "recipes", recipe.slug)}?state=live`, { signal }).then(
      (document) => stages.replaceChildren(...[stagesSection(app, recipe, document)].filter((part) => part !== null)),
      () => undefined,
    );
  }
  const near = rivals(app, recipe, all);
  return [
    h(
      "div",
      { class: "recipe-grid" },
      h(
        "div",
        { class: "stack" },
        h("section", {}, sectionHead(t("recipe.summary")), words),
        h("section", {}, numbersHead(app, recipe), figures),
        stages,
        forecast,
        h("section", {}, sectionHead(t("recipe.line")), line),
        near,
      ),
      h("div", { class: "stack" }, screen, h("section", {}, factsHead(app, recipe), facts(app, recipe, all, signal))),
    ),
  ];
}

/**
 * The summary of a recipe that clients never see.
 * @param {HTMLElement} words @param {HTMLElement} line @param {unknown[]} facts @returns {HTMLElement[]}
 */
const namedSummary = (words, line, facts) => [
  h(
    "div",
    { class: "recipe-grid" },
    h(
      "div",
      { class: "stack" },
      h("section", {}, sectionHead(t("recipe.summary")), words),
      h("section", {}, sectionHead(t("recipe.line")), line),
    ),
    h("div", { class: "stack" }, h("section", {}, facts)),
  ),
];

/** @param {string} app @param {Recipe} recipe */
function numbersHead(app, recipe) {
  const head = sectionHead(t("recipe.numbers"));
  head.append(h("a", { class: "end", href: recipes.recipeLink(app, recipe.slug, "results") }, t("recipe.numbers.all")));
  return head;
}

/** The placeholder of content that is loading. @param {number} lines */
const skeleton = (lines) =>
  h("div", { class: "skeleton", "aria-hidden": "true" }, Array.from({ length: lines }, () => h("span", {})));

/** @param {string} app @param {Recipe} recipe @param {Recipe[]} all @param {AbortSignal} signal */
async function inSentences(app, recipe, all, signal) {
  const presenters = all.filter((other) => other.presents.includes(recipe.slug) && other.state !== "ended").slice(0, 3);
  const load = (/** @type {string} */ slug) => get(path("apps", app, "recipes", slug), { signal });
  const [known, document, ...others] = await Promise.all([
    wordsOfApp(app, signal),
    load(recipe.slug),
    ...presenters.map(({ slug }) => load(slug)),
  ]);
  const own = sentences(document, known).map((sentence) => h("li", {}, `${sentence}.`));
  const offered = others.flatMap((other, place) =>
    sentences(other, known).filter((sentence) => sentence.includes(quoted(recipe.slug))).map((sentence) =>
      h("li", {}, link(app, presenters[place]), `: ${sentence}.`)
    )
  );
  return h("ul", { class: "sentences" }, own, offered);
}

/** The facts about the app that sentences need, with the texts in its default language. @param {string} app @param {AbortSignal} signal */
export async function wordsOfApp(app, signal) {
  const manifest = await get(path("apps", app, "manifest"), { signal });
  const locale = manifest.default_locale ?? "en";
  const tables = await get(path("apps", app, "strings", locale), { signal }).catch(() => ({}));
  const { triggers = {}, styles = {} } = manifest.messaging ?? {};
  return {
    triggers,
    styles,
    surface: "",
    text: (/** @type {unknown} */ id) => {
      const [, table, key] = /^([^/]+)\/(.+)$/.exec(String(id)) ?? [];
      return tables[table]?.[key] ?? String(id);
    },
  };
}

/** @param {string} app @param {Recipe} recipe @param {AbortSignal} signal */
async function history(app, recipe, signal) {
  const { revisions } = await get(path("apps", app, "recipes", recipe.slug, "revisions"), { signal });
  const state = recipes.shownState(recipe);
  const at = (/** @type {string | null} */ text) => text ? Date.parse(text) : null;
  const now = Date.now();
  /** @type {import("../charts/timeline.js").Mark[]} */
  const marks = revisions.map((/** @type {{revision: number, published_at: string}} */ { revision, published_at }) => ({
    at: Date.parse(published_at),
    label: `r${revision}`,
    kind: /** @type {const} */ ("revision"),
  }));
  const [starts, ends] = [at(recipe.starts), at(recipe.ends)];
  if (starts) marks.push({ at: starts, label: t("time.line.start"), kind: "start" });
  if (ends) marks.push({ at: ends, label: t("time.line.end"), kind: "end" });
  marks.sort((left, right) => left.at - right.at);
  const name = t("time.line.name", { count: revisions.length, state: t(`state.${state}`) });
  const line = timeLine({ marks, state, since: at(recipe.state_since), end: ends, now, name });
  const since = recipe.state_since
    ? h("p", { class: "time-caption" }, status(state), " ", lastingTime(recipe.state_since))
    : null;
  return [line, ...(since ? [since] : [])];
}

/** @param {Figure[]} figures */
function figureList(figures) {
  if (figures.length === 0) return h("p", { class: "empty" }, t("recipe.numbers.none"));
  const percent = (/** @type {number} */ value) => number(value, { style: "percent", maximumFractionDigits: 0 });
  return h(
    "dl",
    { class: "figures" },
    figures.map(({ key, value, share, interval, of, between }) => {
      const range = interval && `${percent(interval[0])}–${percent(interval[1])}`;
      const words = share === undefined ? "" : t(`number.of.${of}`, { share: percent(share), range });
      return h(
        "div",
        {},
        h("dt", {}, t(`number.${key}`)),
        h(
          "dd",
          {},
          value === null ? h("span", { class: "withheld" }, t("number.withheld")) : number(value),
          between && h("small", {}, t("number.interval", { low: between[0], high: between[1] })),
          share === undefined ? null : h("small", {}, words),
          share === undefined || !interval ? null : intervalChart(share, interval, words),
        ),
      );
    }),
  );
}

/** @param {string} app @param {Recipe} other */
const link = (app, other) => h("a", { href: recipes.recipeLink(app, other.slug) }, recipes.nameOf(other));

/** The other live messages of the same surfaces. @param {string} app @param {Recipe} recipe @param {Recipe[]} all */
function rivals(app, recipe, all) {
  if (recipe.surfaces.length === 0) return null;
  const shared = (/** @type {Recipe} */ other) => other.surfaces.filter((surface) => recipe.surfaces.includes(surface));
  const near = all.filter((other) => other.slug !== recipe.slug && other.state === "live" && shared(other).length > 0);
  const rows = near.map((other) =>
    h(
      "li",
      {},
      icon("message"),
      h("span", {}, link(app, other)),
      h("span", { class: "end muted" }, shared(other).join(", ")),
    )
  );
  const content = rows.length > 0
    ? h("ul", { class: "rows" }, rows)
    : h("p", { class: "empty" }, t("recipe.rivals.none"));
  return h("section", {}, sectionHead(t("recipe.rivals"), rows.length), h("div", { class: "panel" }, content));
}

/** The heading of the facts, with the button that edits the note. @param {string} app @param {Recipe} recipe */
function factsHead(app, recipe) {
  const head = sectionHead(t("recipe.facts"));
  if (can("publish")) head.append(button(t("action.note"), "person", () => void editNote(app, recipe), "quiet"));
  return head;
}

/** Who put the revision in force live. @param {string} app @param {Recipe} recipe @param {AbortSignal} signal */
function approval(app, recipe, signal) {
  const place = h("span", {}, "—");
  approvals(app, recipe.slug, signal).then((all) => {
    const live = all.get(recipe.in_force ?? 0);
    if (live) place.replaceChildren(h("bdi", {}, live.by), " ", h("span", { class: "muted" }, time(live.at)));
  }, () => undefined);
  return place;
}

/** @param {string} app @param {Recipe} recipe @param {Recipe[]} all @param {AbortSignal} signal */
function facts(app, recipe, all, signal) {
  const chips = (/** @type {string[]} */ texts) => texts.map((text) => h("bdi", { class: "chip" }, text));
  const presented = recipe.presents.map((slug) => all.find((other) => other.slug === slug)).filter((other) => !!other);
  const presenters = all.filter((other) => other.presents.includes(recipe.slug));
  /** @type {[string, any][]} */
  const rows = [
    ["slug", h("bdi", { class: "code" }, recipe.slug)],
    ["shown", chips(recipe.surfaces)],
    ["messages", chips(recipe.keys)],
    ["presents", presented.map((other) => link(app, other))],
    ["presented", presenters.map((other) => link(app, other))],
    ["branches", chips(recipe.branches)],
    ["features", chips(recipe.features)],
    ["starts", recipe.starts && time(recipe.starts)],
    ["ends", recipe.ends && time(recipe.ends)],
    ["page", recipe.hosted && share(app, recipe.slug)],
    ["owner", recipe.owner && h("bdi", {}, recipe.owner)],
    ["labels", labelChips(app, recipe)],
    ["author", recipe.read_only ? t("recipe.from") : recipe.author],
    ["approved", recipe.in_force && !recipe.read_only && approval(app, recipe, signal)],
  ];
  const shown = rows.filter(([, value]) => Array.isArray(value) ? value.length > 0 : value);
  return h(
    "dl",
    { class: "panel facts" },
    shown.map(([key, value]) => [h("dt", {}, t(`recipe.${key}`)), h("dd", {}, value)]),
  );
}
