// The home page: recipes that need attention, failures, live recipes.

import { get, path, Problem } from "../api.js";
import { h } from "../../shared/dom.js";
import { nameCell, rowActions, sectionHead, time } from "../elements/parts.js";
import { templateCards } from "../elements/template-cards.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { t } from "../texts.js";
import { answeredSince, link, needs, row } from "./home-needs.js";

/** @typedef {import("../recipes.js").Recipe} Recipe */

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function home(context, shell) {
  const { app } = context.parameters;
  const element = h("div", { class: "home-grid" });
  let troubles = /** @type {Trouble[]} */ ([]);
  let answered = /** @type {import("./home-needs.js").Answered[]} */ ([]);
  let list = await recipes.load(app, context.signal, (newer) => show(newer));
  const show = (/** @type {Recipe[]} */ newer) => {
    list = newer;
    element.replaceChildren(...sections({ app, list, troubles, answered, go: shell.go }));
  };
  show(list);
  loadTroubles(app, context.signal).then((found) => {
    troubles = found;
    show(list);
  }, () => undefined);
  answeredSince(app, list, context.signal).then((found) => {
    answered = found;
    if (found.length > 0) show(list);
  }, () => undefined);
  const stop = recipes.onChange(() => recipes.reload(app, context.signal).then(show, () => undefined));
  return { element, title: t("home.title"), leave: () => void stop() };
}

/** @typedef {{icon: string, text: string, detail?: string, at?: string}} Trouble */

/**
 * @param {{app: string, list: Recipe[], troubles: Trouble[], answered: import("./home-needs.js").Answered[],
 *   go: (address: string) => void}} of
 */
function sections({ app, list, troubles, answered, go }) {
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
      row(trouble.icon, trouble.text, [h("span", { class: "muted" }, trouble.detail ?? "")])
    ),
  ];
  const isNew = list.every((recipe) => !recipe.in_force) && can("publish");
  return [
    ...(isNew ? [welcome(app, go)] : []),
    section("home.needs", needs(app, list, answered), "half"),
    section("home.wrong", wrong, "half"),
    h("section", {}, liveHead(app, live.length), liveTable(app, live, list, go)),
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

/** Where nothing is published. @param {string} app @param {(address: string) => void} go */
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

/** @param {string} app @param {Recipe[]} live @param {Recipe[]} all @param {(address: string) => void} go */
function liveTable(app, live, all, go) {
  if (live.length === 0) return h("div", { class: "panel" }, h("p", { class: "empty" }, t("home.live.none")));
  const head = [t("list.name"), t("list.shown"), t("list.changed")];
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
          head.map((text) => h("th", { scope: "col" }, text)),
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
            h("td", {}, time(recipe.published_at)),
            h("td", { class: "end nowrap" }, rowActions(app, recipe, go)),
          )
        ),
      ),
    ),
  );
}

/** Webhooks that were given up, and parts of the daemon that do not work. @param {string} app @param {AbortSignal} signal */
async function loadTroubles(app, signal) {
  /** @type {Trouble[]} */
  const found = [];
  const [webhooks, heartbeat] = await Promise.all([
    get(`${path("apps", app, "webhooks")}?state=dead&limit=20`, { signal }).catch(() => undefined),
    get("/__heartbeat__", { signal }).catch((error) => error instanceof Problem ? error.body : undefined),
  ]);
  const dead = webhooks?.items ?? [];
  if (dead.length > 0) {
    const host = URL.canParse(dead[0].url) ? new URL(dead[0].url).host : "";
    found.push({ icon: "fault", text: t("home.webhooks", { count: dead.length }), detail: host });
  }
  for (const [part, state] of Object.entries(heartbeat?.checks ?? {})) {
    const word = typeof state === "string" ? state : state?.status;
    if (word && word !== "ok") found.push({ icon: "warning", text: t("home.part", { part, state: word }) });
  }
  return found;
}
