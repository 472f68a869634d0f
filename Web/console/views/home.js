// The home page: recipes that need attention, failures, live recipes.

import { get, heartbeat, path } from "../api.js";
import { follow } from "../changes.js";
import { sparkline } from "../charts/sparkline.js";
import { h } from "../../shared/dom.js";
import { nameCell, rowActions, sectionHead, time } from "../elements/parts.js";
import { templateCards } from "../elements/template-cards.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { t } from "../texts.js";
import { answeredSince, link, needs, row } from "./home-needs.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/** The minimum pause between two counts of responses, in milliseconds. */
const countPause = 5000;

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function home(context, shell) {
  const { app } = context.parameters;
  const element = h("div", { class: "home-grid" });
  let troubles = /** @type {Trouble[]} */ ([]);
  let shown = /** @type {Shown} */ (new Map());
  let answered = /** @type {import("./home-needs.js").Answered[]} */ ([]);
  let list = await recipes.load(app, context.signal, (newer) => show(newer));
  const show = (/** @type {Recipe[]} */ newer) => {
    list = newer;
    const focused = element.contains(document.activeElement) ? nameOf(document.activeElement) : "";
    element.replaceChildren(...sections({ app, list, troubles, answered, shown, go: shell.go }));
    const again = focused && [...element.querySelectorAll("a, button")].find((one) => nameOf(one) === focused);
    if (again) again.focus({ preventScroll: true });
  };
  show(list);
  loadTroubles(app, context.signal).then((found) => {
    [troubles, shown] = [found.troubles, found.shown];
    show(list);
  }, () => undefined);
  const count = () =>
    answeredSince(app, list, context.signal).then((found) => {
      if (JSON.stringify(found) === JSON.stringify(answered)) return;
      answered = found;
      show(list);
    }, () => undefined);
  void count();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const unfollow = follow(app, ({ responses }) => {
    if (responses.length > 0) waiting ??= setTimeout(() => void count().then(() => waiting = undefined), countPause);
  });
  const stop = recipes.onChange(() =>
    recipes.reload(app, context.signal).then((newer) => {
      if (newer !== list) show(newer);
    }, () => undefined)
  );
  const leave = () => {
    stop();
    unfollow();
    clearTimeout(waiting);
  };
  return { element, title: t("home.title"), leave };
}

/** The name of an element, by which its focus is restored. @param {Element | null} one */
const nameOf = (one) => one?.getAttribute("href") ?? one?.getAttribute("aria-label") ?? one?.textContent ?? "";

/**
 * @typedef {{icon: string, text: string, detail?: string, at?: string}} Trouble
 * @typedef {Map<string, (number | null)[]>} Shown displays in each of the last 24 hours, by recipe
 */

/**
 * @param {{app: string, list: Recipe[], troubles: Trouble[], answered: import("./home-needs.js").Answered[],
 *   shown: Shown, go: (address: string) => void}} of
 */
function sections({ app, list, troubles, answered, shown, go }) {
  const malformed = list.filter((recipe) => recipe.malformed && recipe.state === "live");
  const live = list.filter((recipe) => recipes.shownState(recipe) === "live");
  const next = list.filter((recipe) => recipes.shownState(recipe) === "scheduled");
  const wrong = [
    ...malformed.map((recipe) =>
      row("fault", t("home.malformed", { name: recipes.nameOf(recipe), count: 1 }), [
        link(app, recipe, "", t("home.look")),
      ])
    ),
    ...troubles.map((trouble) =>
      row(trouble.icon, trouble.text, [
        h("span", { class: "muted" }, h("bdi", {}, trouble.detail ?? "")),
        h("a", { href: `/console/a/${encodeURIComponent(app)}/health` }, t("home.look")),
      ])
    ),
  ];
  const isNew = list.every((recipe) => !recipe.in_force) && can("publish");
  return [
    ...(isNew ? [welcome(app, go)] : []),
    section("home.needs", needs(app, list, answered), "half"),
    section("home.wrong", wrong, "half"),
    h("section", {}, liveHead(app, live.length), liveTable({ app, live, all: list, shown, go })),
    section(
      "home.next",
      next.map((recipe) =>
        row("clock", t("home.starts", { name: recipes.nameOf(recipe) }), [
          time(recipe.starts),
          link(app, recipe, "", t("home.look")),
        ])
      ),
    ),
  ];
}

/** @param {string} app @param {number} count */
function liveHead(app, count) {
  const head = sectionHead(t("home.live"), count);
  const link = h("a", { class: "button", href: recipes.newLink(app) }, icon("plus"), t("home.new"));
  if (can("publish")) head.append(link);
  return head;
}

/** The page of an app without published recipes. @param {string} app @param {(address: string) => void} go */
const welcome = (app, go) =>
  h(
    "section",
    {},
    sectionHead(t("template.title")),
    h("p", { class: "lead" }, t("template.first")),
    templateCards(app, go, 3),
  );

/** @param {string} key @param {HTMLElement[]} rows @param {string} [look] */
function section(key, rows, look = "") {
  const content = rows.length > 0 ? h("ul", { class: "rows" }, rows) : h("p", { class: "empty" }, t(`${key}.none`));
  return h("section", { class: look }, sectionHead(t(key), rows.length), h("div", { class: "panel" }, content));
}

/** @param {{app: string, live: Recipe[], all: Recipe[], shown: Shown, go: (address: string) => void}} of */
function liveTable({ app, live, all, shown, go }) {
  if (live.length === 0) return h("div", { class: "panel" }, h("p", { class: "empty" }, t("home.live.none")));
  const head = [t("list.name"), t("list.shown"), t("home.shown"), t("list.changed")];
  return h(
    "div",
    { class: "table-frame" },
    h(
      "table",
      { class: "table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((text, place) => h("th", { scope: "col", class: place < 2 ? "" : "wide" }, text)),
          h("th", {}, h("span", { class: "hidden-text" }, t("list.actions"))),
        ),
      ),
      h(
        "tbody",
        {},
        live.map((recipe) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, nameCell(app, recipe)),
            h("td", {}, recipes.placesOf(recipe, all)),
            h(
              "td",
              { class: "wide" },
              shown.get(recipe.slug)?.some((count) => count !== 0) ? sparkline(shown.get(recipe.slug) ?? []) : "—",
            ),
            h("td", { class: "wide" }, time(recipe.published_at)),
            h("td", { class: "end nowrap" }, rowActions(app, recipe, go)),
          )
        ),
      ),
    ),
  );
}

/** The problems that other lists already show. */
const problemsTold = ["hook_failed", "events_refused", "guard", "off_plan"];

/**
 * Loads failed webhooks, failing parts of the daemon and today's problems, and the counts of displays of recipes.
 * @param {string} app @param {AbortSignal} signal @returns {Promise<{troubles: Trouble[], shown: Shown}>}
 */
async function loadTroubles(app, signal) {
  /** @type {Trouble[]} */
  const troubles = [];
  const [webhooks, beat, activity] = await Promise.all([
    get(`${path("apps", app, "webhooks")}?state=dead&limit=20`, { signal }).catch(() => undefined),
    heartbeat(signal).catch(() => undefined),
    get(path("apps", app, "activity"), { signal }).catch(() => undefined),
  ]);
  const dead = webhooks?.items ?? [];
  if (dead.length > 0) {
    const host = URL.canParse(dead[0].url) ? new URL(dead[0].url).host : "";
    troubles.push({ icon: "fault", text: t("home.webhooks", { count: dead.length }), detail: host });
  }
  for (const [part, state] of Object.entries(beat?.checks ?? {})) {
    if (state !== "ok") troubles.push({ icon: "warning", text: t("home.part", { part, state }) });
  }
  for (const { code, count, detail } of activity?.problems ?? []) {
    if (problemsTold.includes(code)) {
      troubles.push({ icon: "warning", text: t(`home.problem.${code}`, { count }), detail });
    }
  }
  const counted = activity?.recipes ?? [];
  return {
    troubles,
    shown: new Map(counted.map((/** @type {{slug: string, shown: number}} */ { slug, shown }) => [slug, shown])),
  };
}
