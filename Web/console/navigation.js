// The pages of an app in the sidebar, and badges for pages that need attention.

import { get, heartbeat, path } from "./api.js";
import { h } from "../shared/dom.js";
import { icon } from "./icons.js";
import { pages } from "./pages.js";
import { can, session } from "./session.js";
import { number, t } from "./texts.js";

/**
 * @typedef {import("./recipes.js").Recipe} Recipe
 * @typedef {{name: string, icon: string, address: string}} Link
 */

/** The minimum pause between the sidebar's checks for problems, in milliseconds. */
const pause = 60_000;

/**
 * The links to the pages that the scope allows.
 * @param {string | undefined} app undefined: only pages without an app
 * @returns {Link[]}
 */
export const pagesOf = (app) =>
  pages.flatMap(({ path, name, icon = "", abilities = [] }) =>
    name && (app || !path.includes("{app}")) &&
      abilities.some((ability) => can(ability, path.includes("{app}") ? app : ""))
      ? [{ name, icon, address: `/console${path.replace("{app}", encodeURIComponent(app ?? ""))}` }]
      : []
  );

/** The number of missing texts of recipes, in all languages. @param {Recipe[]} list */
const missingTexts = (list) =>
  list.filter(({ state }) => state !== "ended").flatMap(({ missing }) => Object.values(missing ?? {}))
    .reduce((sum, count) => sum + count, 0);

/**
 * The number of drafts that wait for the approval of whoever is signed in. Without the rule of two people they wait only
 * for reviewers, because authors may publish themselves.
 * @param {string} app
 * @param {Recipe[]} list
 */
function waitingDrafts(app, list) {
  if (!can("review", app) || (can("publish", app) && !session().settings?.require_approval)) return 0;
  const me = session().name;
  return list.filter(({ draft, sent_back: back, state }) => draft && draft.author !== me && !back && state !== "ended")
    .length;
}

/** Whether a check fails, or a problem occurred today. @param {string} app */
async function isWrong(app) {
  const [beat, activity] = await Promise.all([
    heartbeat().catch(() => ({ checks: { daemon: "error" } })),
    can("read", app) ? get(path("apps", app, "activity")).catch(() => undefined) : undefined,
  ]);
  return Object.values(beat.checks).some((state) => state !== "ok") || activity?.problems.length > 0;
}

export class Navigation {
  constructor() {
    this.element = h("ul", { id: "navigation" });
    /** The badge next to the name of each page. @type {Map<string, HTMLElement>} */
    this.badges = new Map();
    this.app = "";
    this.askedAt = 0;
    this.missing = 0;
    this.waiting = 0;
    this.isWrong = false;
  }

  /** @param {string | undefined} app */
  show(app) {
    const here = location.pathname;
    if (app !== this.app) {
      [this.app, this.missing, this.waiting, this.isWrong, this.askedAt] = [app ?? "", 0, 0, false, 0];
    }
    this.badges.clear();
    this.element.replaceChildren(
      ...pagesOf(app).map(({ name, icon: picture, address }) => {
        const isHere = name !== "recipes"
          ? here === address
          : here.startsWith(address) || here.startsWith(address.replace(/recipes$/, "r/"));
        const badge = h("span", { class: "badge", hidden: true });
        this.badges.set(name, badge);
        return h(
          "li",
          {},
          h("a", { href: address, "aria-current": isHere ? "page" : null }, icon(picture), t(`nav.${name}`), badge),
        );
      }),
    );
    this.mark();
  }

  /** @param {string} app @param {Recipe[]} list */
  async tell(app, list) {
    if (app !== this.app) return;
    this.missing = can("texts", app) ? missingTexts(list) : 0;
    this.waiting = waitingDrafts(app, list);
    this.mark();
    if (Date.now() - this.askedAt < pause) return;
    this.askedAt = Date.now();
    const found = await isWrong(app);
    if (app !== this.app) return;
    this.isWrong = found;
    this.mark();
  }

  /** @private */
  mark() {
    this.write("texts", this.missing > 0 ? number(this.missing) : "", t("nav.missing", { count: this.missing }));
    this.write("home", this.waiting > 0 ? number(this.waiting) : "", t("nav.waiting", { count: this.waiting }));
    this.write("health", this.isWrong ? "!" : "", t("nav.wrong"));
  }

  /** @private @param {string} name @param {string} text @param {string} words the text for screen readers */
  write(name, text, words) {
    const badge = this.badges.get(name);
    if (!badge) return;
    badge.hidden = text === "";
    badge.replaceChildren(h("span", { "aria-hidden": "true" }, text), h("span", { class: "hidden-text" }, words));
    badge.title = words;
  }
}
