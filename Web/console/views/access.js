// People with access, tokens, and the open sessions, for administrators.

import { get, loadApps, path, write } from "../api.js";
import { h } from "../../shared/dom.js";
import { confirm } from "../elements/dialog.js";
import { button, status, time } from "../elements/parts.js";
import { table } from "../elements/table.js";
import { toast } from "../elements/toast.js";
import { register, unregister } from "../commands.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { rolesInWords } from "../roles.js";
import { can, demand, isOpen } from "../session.js";
import { exactly, t } from "../texts.js";
import { invite } from "./access-invite.js";
import { peopleTable } from "./access-people.js";
import { makeToken } from "./access-token.js";

/**
 * @typedef {{name: string, scope: string, app: string, source: "api" | "config", web: boolean, created: string | null,
 *   expires: string | null, last_used: string | null, revoked: string | null}} TokenItem
 */

/** The parts of the page. Only who administers all apps gives people access. */
const partsOf = () => [...(can("admin", "*") ? ["people"] : []), "programs", "sessions"];

/** @typedef {{label: string, run: () => Promise<void>}} Maker a button that makes something */

/** @param {import("../router.js").Context} context @returns {Promise<import("../router.js").View>} */
export async function access({ query: first, signal }) {
  demand("admin");
  const page = new AccessPage(await loadApps({ signal }), first, signal);
  await page.show();
  page.register();
  setPageKeys({});
  return {
    element: page.element,
    title: t("access.title"),
    update: ({ query }) => {
      page.query = query;
      void page.show().catch(() => undefined);
    },
    leave: () => unregister("access"),
  };
}

class AccessPage {
  /** @param {API.App[]} apps @param {URLSearchParams} query @param {AbortSignal} signal */
  constructor(apps, query, signal) {
    this.query = query;
    this.of = { apps, signal, refresh: () => this.show() };
    this.parts = partsOf();
    this.content = h("div", { class: "stack" });
    this.actions = h("div", { class: "actions" });
    this.sections = h("nav", { class: "sections", "aria-label": t("access.sections") });
    const heading = h("h1", { tabindex: "-1" }, t("access.title"));
    this.element = h("div", {}, h("div", { class: "page-head" }, heading, this.actions), this.sections, this.content);
    /** @type {Record<string, Maker>} The button of each part that makes something. */
    this.makers = {
      people: { label: t("access.invite"), run: async () => await invite(apps) ? await this.show() : undefined },
      programs: {
        label: t("access.new"),
        run: async () => await makeToken(apps.map(({ app }) => app)) ? await this.show() : undefined,
      },
    };
  }

  /** @private */
  get part() {
    return this.parts.find((name) => name === this.query.get("show")) ?? this.parts[0];
  }

  /** @returns {Promise<void>} */
  async show() {
    const { parts, part: shown } = this;
    this.sections.replaceChildren(...parts.map((name) =>
      h("a", {
        href: `/console/access${name === parts[0] ? "" : `?show=${name}`}`,
        "aria-current": name === shown ? "page" : null,
      }, t(`access.${name}`))
    ));
    const rows = await (shown === "sessions" ? sessionTable : shown === "people" ? peopleTable : tokenTable)(this.of);
    if (shown !== this.part) return;
    const maker = this.makers[shown];
    this.actions.replaceChildren(...(maker ? [button(maker.label, "plus", () => void maker.run(), "primary")] : []));
    this.content.replaceChildren(h("p", { class: "lead" }, t(`access.${shown}.hint`)), rows);
  }

  /** Adds the commands of the palette. */
  register() {
    register("access", () =>
      this.parts.flatMap((name) => this.makers[name] ?? []).map(({ label, run }) => ({
        sort: /** @type {const} */ ("command"),
        label,
        words: "",
        icon: "plus",
        run: () => void run(),
      })));
  }
}

/** @param {import("./access-people.js").Of} of */
async function tokenTable({ signal, refresh }) {
  /** @type {{tokens: TokenItem[]}} */
  const { tokens } = await get(path("tokens"), { signal });
  const own = tokens.filter(({ revoked }) => !revoked);
  if (own.length === 0) return h("p", { class: "panel empty" }, t("access.none.programs"));
  const heads = ["name", "scope", "app", "used", "expires", "created"].map((name) => ({ text: t(`access.${name}`) }));
  return table(
    t("access.programs"),
    [...heads, { text: t("list.actions"), isHidden: true }],
    own.map((token) => tokenRow(token, refresh)),
  );
}

/** @param {TokenItem} token @param {() => Promise<void>} refresh */
function tokenRow(token, refresh) {
  const { name, scope, app, web, expires, created, last_used: used, source } = token;
  const isExpired = expires !== null && Date.parse(expires) < Date.now();
  const revoke = source === "api" &&
    button(t("access.revoke"), "close", () => void revokeToken(name, refresh), "quiet danger");
  if (revoke) revoke.setAttribute("aria-label", t("access.revoke.of", { name }));
  return [
    h("th", { scope: "row" }, h("bdi", {}, name)),
    h("td", {}, web ? t("access.web") : scope),
    h("td", {}, app === "*" ? t("access.app.all") : h("bdi", {}, app)),
    h("td", {}, used ? time(used) : h("span", { class: "muted" }, t("access.never"))),
    h(
      "td",
      {},
      isExpired
        ? status("ended", t("access.expired"))
        : expires
        ? h("time", { datetime: expires, title: exactly(new Date(expires)) }, time(expires).textContent)
        : h("span", { class: "muted" }, t("access.never")),
    ),
    h(
      "td",
      {},
      created ? time(created) : h("span", { class: "muted", title: t("access.config.why") }, t("access.config")),
    ),
    h("td", { class: "end" }, revoke),
  ];
}

/** @param {string} name @param {() => Promise<void>} refresh */
async function revokeToken(name, refresh) {
  const isSure = await confirm({
    title: t("access.revoke.title", { name }),
    body: t("access.revoke.body"),
    action: t("access.revoke"),
  });
  if (!isSure) return;
  try {
    await write("DELETE", path("tokens", name));
    toast(t("access.revoke.done", { name }));
  } catch (error) {
    toast(recipes.sentence(error));
  }
  await refresh();
}

/**
 * @typedef {{id: string, token: string, roles: Record<string, string>, created: string, last_used: string,
 *   expires: string, is_current: boolean}} SessionItem
 */

/** @param {import("./access-people.js").Of} of */
async function sessionTable({ apps, signal, refresh }) {
  if (isOpen()) return h("p", { class: "panel empty" }, t("me.sessions.none"));
  /** @type {{sessions: SessionItem[]}} */
  const { sessions } = await get(path("sessions"), { signal });
  if (sessions.length === 0) return h("p", { class: "panel empty" }, t("access.none.sessions"));
  const heads = ["name", "roles", "began", "used", "expires"].map((name) => ({ text: t(`access.${name}`) }));
  return table(
    t("access.sessions"),
    [...heads, { text: t("list.actions"), isHidden: true }],
    sessions.map((item) => sessionRow(item, apps, refresh)),
  );
}

/** @param {SessionItem} item @param {API.App[]} apps @param {() => Promise<void>} refresh */
function sessionRow(item, apps, refresh) {
  const end = button(t("access.end"), "close", async () => {
    try {
      await write("DELETE", path("sessions", item.id));
      if (item.is_current) return location.assign("/console/sign-in");
      toast(t("access.ended"));
    } catch (error) {
      toast(recipes.sentence(error));
    }
    await refresh();
  }, "quiet danger");
  end.setAttribute("aria-label", t("access.end.of", { name: item.token }));
  return [
    h(
      "th",
      { scope: "row" },
      h("bdi", {}, item.token),
      " ",
      item.is_current && h("span", { class: "chip" }, t("access.this")),
    ),
    h("td", {}, rolesInWords(item.roles, apps).join(", ")),
    h("td", {}, time(item.created)),
    h("td", {}, time(item.last_used)),
    h("td", {}, time(item.expires)),
    h("td", { class: "end" }, end),
  ];
}
