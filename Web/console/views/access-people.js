// The people who may sign in: their roles, and when they were here.

import { get, path, write } from "../api.js";
import { h } from "../../shared/dom.js";
import { confirm } from "../elements/dialog.js";
import { menu } from "../elements/menu.js";
import { time } from "../elements/parts.js";
import { table } from "../elements/table.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { rolesInWords } from "../roles.js";
import { session } from "../session.js";
import { currentLanguage, t } from "../texts.js";
import { changeRoles, faultOf, showLink } from "./access-invite.js";

/**
 * @typedef {{name: string, display_name: string | null, roles: Record<string, string>, source: "link" | "provider",
 *   created: string, last_used: string | null, link_expires: string | null, sessions: number}} Account
 * @typedef {{apps: API.App[], signal: AbortSignal, refresh: () => Promise<void>}} Of
 */

/** @param {Of} of */
export async function peopleTable(of) {
  /** @type {{accounts: Account[]}} */
  const { accounts } = await get(path("accounts"), { signal: of.signal });
  if (accounts.length === 0) return h("p", { class: "panel empty" }, t("access.none.people"));
  const heads = ["name", "roles", "seen", "state"].map((name) => ({ text: t(`access.${name}`) }));
  return table(
    t("access.people"),
    [...heads, { text: t("list.actions"), isHidden: true }],
    accounts.map((account) => row(account, of)),
  );
}

/** @param {Account} account @param {Of} of */
function row(account, of) {
  const { name, display_name: shown, roles, last_used: used } = account;
  return [
    h(
      "th",
      { scope: "row" },
      h("bdi", {}, shown ?? name),
      shown && shown !== name && [" ", h("bdi", { class: "muted" }, name)],
      name === session().name && [" ", h("span", { class: "chip" }, t("access.you"))],
    ),
    h("td", {}, h("ul", {}, rolesInWords(roles, of.apps).map((text) => h("li", {}, text)))),
    h("td", {}, used ? time(used) : h("span", { class: "muted" }, t("access.never"))),
    h("td", {}, states(account).map((content) => h("div", {}, content))),
    h("td", { class: "end" }, menu(t("action.more", { name }), () => actions(account, of))),
  ];
}

/** @param {Account} account */
function states({ source, last_used: used, link_expires: until, sessions }) {
  const isOver = source === "link" && !until && sessions === 0;
  return [
    source === "provider" && t("access.state.provider"),
    until && [icon("clock"), " ", t("access.state.link", { time: moment(until) })],
    sessions > 0 && t("access.state.sessions", { count: sessions }),
    isOver && h("span", { class: "muted" }, t(used ? "access.state.out" : "access.state.over")),
  ].filter(Boolean);
}

/** The day and the time of day. @param {string} text */
const moment = (text) =>
  new Intl.DateTimeFormat(currentLanguage(), { weekday: "short", hour: "numeric", minute: "numeric" })
    .format(new Date(text));

/** @param {Account} account @param {Of} of */
function actions(account, of) {
  const { apps, refresh } = of;
  const change = async () => {
    if (!await changeRoles(account, apps)) return;
    toast(t("access.roles.done", { name: account.name }));
    await refresh();
  };
  const own = [
    { label: t("access.roles.change"), icon: "pencil", run: () => void change() },
    { label: t("access.link.new"), icon: "link", run: () => void newLink(account, refresh) },
  ];
  return [
    // The provider decides the roles of its people, and they sign in there.
    ...(account.source === "link" ? own : []),
    { label: t("access.remove"), icon: "trash", isDanger: true, run: () => void remove(account, refresh) },
  ];
}

/** Makes another link, in place of one that waits. @param {Account} account @param {() => Promise<void>} refresh */
async function newLink({ name }, refresh) {
  try {
    await showLink(await write("POST", path("accounts", name, "link")));
  } catch (error) {
    toast(faultOf(error));
  }
  await refresh();
}

/** @param {Account} account @param {() => Promise<void>} refresh */
async function remove({ name, source, link_expires: until, sessions }, refresh) {
  const isSure = await confirm({
    title: t("access.remove.title", { name }),
    body: [
      sessions > 0 ? t("access.remove.sessions", { count: sessions }) : "",
      until ? t("access.remove.link") : "",
      t("access.remove.stays"),
      source === "provider" ? t("access.remove.provider") : "",
    ].filter(Boolean).join(" "),
    action: t("access.remove.do"),
  });
  if (!isSure) return;
  try {
    await write("DELETE", path("accounts", name));
    if (name === session().name) return location.assign("/console/sign-in");
    toast(t("access.remove.done", { name }));
  } catch (error) {
    toast(faultOf(error));
  }
  await refresh();
}
