// Tokens of people and of programs, and the open sessions, for administrators.

import { get, loadApps, path, write } from "../api.js";
import { h } from "../../shared/dom.js";
import { confirm } from "../elements/dialog.js";
import { button, status, time } from "../elements/parts.js";
import { table } from "../elements/table.js";
import { toast } from "../elements/toast.js";
import { register, unregister } from "../commands.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { demand, isOpen } from "../session.js";
import { addTexts, exactly, t } from "../texts.js";
import english from "../texts/en_access.js";
import { makeToken } from "./access-token.js";

addTexts(english);

/**
 * @typedef {{name: string, scope: string, app: string, source: "api" | "config", web: boolean, created: string | null,
 *   expires: string | null, last_used: string | null, revoked: string | null}} TokenItem
 */

const parts = /** @type {const} */ (["people", "programs", "sessions"]);
/** The scopes of programs: their tokens cannot sign in, or are for readers of the log. */
const programScopes = new Set(["client", "pipeline"]);

/** @param {import("../router.js").Context} context @returns {Promise<import("../router.js").View>} */
export async function access({ query: first, signal }) {
  demand("admin");
  let query = first;
  const apps = await loadApps({ signal });
  const content = h("div", { class: "stack" });
  const sections = h("nav", { class: "sections", "aria-label": t("access.sections") });
  const part = () => parts.find((name) => name === query.get("show")) ?? "people";

  async function show() {
    const shown = part();
    sections.replaceChildren(...parts.map((name) =>
      h("a", {
        href: `/console/access${name === "people" ? "" : `?show=${name}`}`,
        "aria-current": name === shown ? "page" : null,
      }, t(`access.${name}`))
    ));
    const rows = shown === "sessions" ? await sessionTable(signal, show) : await tokenTable(shown, signal, show);
    if (shown === part()) content.replaceChildren(h("p", { class: "lead" }, t(`access.${shown}.hint`)), rows);
  }

  const make = async () => {
    const names = apps.map(({ app }) => app);
    if (await makeToken(part() === "programs" ? "programs" : "people", names)) await show();
  };
  register("access", () => [
    { sort: "command", label: t("access.new"), words: "", icon: "plus", run: () => void make() },
  ]);
  await show();
  setPageKeys({});
  const element = h(
    "div",
    {},
    h(
      "div",
      { class: "page-head" },
      h("h1", { tabindex: "-1" }, t("access.title")),
      h("div", { class: "actions" }, button(t("access.new"), "plus", () => void make(), "primary")),
    ),
    sections,
    content,
  );
  return {
    element,
    title: t("access.title"),
    update(context) {
      query = context.query;
      void show().catch(() => undefined);
    },
    leave: () => unregister("access"),
  };
}

/** @param {string} shown @param {AbortSignal} signal @param {() => Promise<void>} refresh */
async function tokenTable(shown, signal, refresh) {
  const { tokens } = await get(path("tokens"), { signal });
  /** @type {TokenItem[]} */
  const own = tokens.filter((/** @type {TokenItem} */ { scope, revoked }) =>
    programScopes.has(scope) === (shown === "programs") && !revoked
  );
  if (own.length === 0) return h("p", { class: "panel empty" }, t(`access.none.${shown}`));
  const heads = ["name", "scope", "app", "used", "expires", "created"].map((name) => ({ text: t(`access.${name}`) }));
  return table(
    t(`access.${shown}`),
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

/** @param {AbortSignal} signal @param {() => Promise<void>} refresh */
async function sessionTable(signal, refresh) {
  if (isOpen()) return h("p", { class: "panel empty" }, t("me.sessions.none"));
  const { sessions } = await get(path("sessions"), { signal });
  if (sessions.length === 0) return h("p", { class: "panel empty" }, t("access.none.sessions"));
  const heads = ["token", "scope", "app", "began", "used", "expires"].map((name) => ({ text: t(`access.${name}`) }));
  return table(
    t("access.sessions"),
    [...heads, { text: t("list.actions"), isHidden: true }],
    sessions.map((/** @type {Parameters<typeof sessionRow>[0]} */ item) => sessionRow(item, refresh)),
  );
}

/** @param {any} item @param {() => Promise<void>} refresh */
function sessionRow(item, refresh) {
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
    h("td", {}, item.scope),
    h("td", {}, item.app === "*" ? t("access.app.all") : h("bdi", {}, item.app)),
    h("td", {}, time(item.created)),
    h("td", {}, time(item.last_used)),
    h("td", {}, time(item.expires)),
    h("td", { class: "end" }, end),
  ];
}
