// The records of the audit log, newest first.

import { get, path } from "../api.js";
import { isPutLive } from "../approvals.js";
import { h } from "../../shared/dom.js";
import { time } from "../elements/parts.js";
import { table } from "../elements/table.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import { recipeLink } from "../recipes.js";
import { demand } from "../session.js";
import { addTexts, t } from "../texts.js";
import english from "../texts/en_run.js";

addTexts(english);

/**
 * @typedef {{sequence: number, at: string, by: string, action: string, kind: string, app: string, name?: string,
 *   revision?: number, state?: string, previous_state?: string, in_force?: number | null, previous_in_force?: number | null,
 *   scope?: string, written_by?: string, before: string | number | null,
 *   after: string | number | null, response?: string, count?: number}} AuditItem
 */

const kinds = [
  "recipe",
  "manifest",
  "strings",
  "list",
  "note",
  "response",
  "comment",
  "client",
  "user",
  "account",
  "link",
  "token",
  "session",
  "consumer",
  "webhook",
  "database",
];
const names = /** @type {const} */ (["kind", "name", "by", "before"]);
const limit = 100;

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function audit({ parameters: { app }, query: first, signal }, shell) {
  demand("read");
  const kind = h(
    "select",
    { class: "field", onchange: () => shell.replace({ kind: kind.value, before: "" }) },
    h("option", { value: "" }, t("audit.all")),
    kinds.map((value) => h("option", { value }, t(`audit.kind.${value}`))),
  );
  const field = (/** @type {"name" | "by"} */ name) => {
    const input = h("input", {
      type: "search",
      class: "field",
      autocomplete: "off",
      onchange: () => shell.replace({ [name]: input.value.trim(), before: "" }),
    });
    return input;
  };
  const fields = { kind, name: field("name"), by: field("by") };
  const clear = h("button", {
    type: "button",
    class: "button quiet",
    onclick: () => shell.replace(Object.fromEntries(names.map((name) => [name, ""]))),
  }, t("audit.clear"));
  const content = h("div", { class: "stack" });
  let number = 0;

  /** @param {URLSearchParams} query */
  async function show(query) {
    const own = number += 1;
    for (const [name, input] of Object.entries(fields)) input.value = query.get(name) ?? "";
    clear.hidden = !names.some((name) => query.get(name));
    const asked = new URLSearchParams({ limit: String(limit) });
    for (const name of names) if (query.get(name)) asked.set(name, query.get(name) ?? "");
    const page = await get(`${path("apps", app, "audit")}?${asked}`, { signal });
    if (own === number) content.replaceChildren(...pageOf(app, page, query));
  }

  await show(first);
  setPageKeys({ "/": () => fields.name.focus() });
  const element = h(
    "div",
    {},
    h(
      "div",
      { class: "filters" },
      Object.entries(fields).map(([name, input]) => h("label", {}, t(`audit.${name}`), input)),
      clear,
    ),
    content,
  );
  return { element, title: t("audit.title"), update: ({ query }) => void show(query).catch(() => undefined) };
}

/** @param {string} app @param {{items: AuditItem[], before: number | null}} page @param {URLSearchParams} query */
function pageOf(app, { items, before }, query) {
  const heads = ["when", "by", "action", "object", "details"].map((name) => ({ text: t(`audit.${name}`) }));
  const none = before ? "audit.partly" : "audit.none";
  return [
    items.length === 0
      ? h("p", { class: "panel empty" }, t(none))
      : table(t("audit.title"), heads, items.map((item) => rowOf(app, item, query))),
    h(
      "nav",
      { class: "texts-actions", "aria-label": t("audit.title") },
      query.get("before") &&
        h("a", { class: "button", href: withQuery(query, "before", "") }, icon("up"), t("audit.newest")),
      before &&
        h("a", { class: "button", href: withQuery(query, "before", String(before)) }, icon("down"), t("audit.older")),
    ),
  ];
}

/**
 * The address of the same page with another value of a parameter.
 * @param {URLSearchParams} query
 * @param {string} name
 * @param {string} value
 */
function withQuery(query, name, value) {
  const other = new URLSearchParams(query);
  if (name !== "before") other.delete("before");
  if (value) other.set(name, value);
  else other.delete(name);
  return `${location.pathname}?${other}`;
}

/** @param {string} app @param {AuditItem} item @param {URLSearchParams} query */
function rowOf(app, item, query) {
  const only = (/** @type {"name" | "by"} */ name, /** @type {string} */ value, /** @type {string} */ label) =>
    h("a", { class: "quiet-link", dir: "auto", href: withQuery(query, name, value), title: label }, value);
  const object = [t(`audit.kind.${item.kind}`), " "];
  return [
    h("td", {}, time(item.at)),
    h("td", {}, only("by", item.by, t("audit.only", { name: item.by }))),
    h("td", {}, t(item.written_by ? "audit.action.approve" : `audit.action.${item.action}`)),
    h(
      "th",
      { scope: "row" },
      object,
      item.name && only("name", item.name, t("audit.only.object", { name: item.name })),
    ),
    h("td", {}, detailsOf(app, item)),
  ];
}

/** @param {string} app @param {AuditItem} item */
function detailsOf(app, item) {
  const { kind, action, revision, state, previous_state: was, scope } = item;
  const states = state && was && state !== was ? t("audit.states", { was: stateText(was), is: stateText(state) }) : "";
  const approved = item.written_by ? t("audit.approved", { by: item.by, revision, author: item.written_by }) : "";
  const words = [approved || (revision ? t("audit.revision", { revision }) : ""), states, forceText(item), scope ?? ""]
    .filter(Boolean).join(" · ");
  const isWritten = action === "create" || action === "change";
  return [
    words && h("span", { class: "muted" }, words, " "),
    kind === "recipe" && isWritten && revision && revision > 1 ? changeLink(app, item.name ?? "", revision) : null,
    (kind === "manifest" || kind === "strings") && (item.before || item.after) ? digests(item) : null,
  ];
}

/** The revision that was put live, and the one before it. @param {AuditItem} item */
function forceText(item) {
  if (!isPutLive(item)) return "";
  const { in_force: revision, previous_in_force: before } = item;
  return before ? t("audit.live.after", { revision, before }) : t("audit.live", { revision });
}

/** @param {string} state */
const stateText = (state) => ["live", "paused", "draft", "ended"].includes(state) ? t(`state.${state}`) : state;

/** @param {string} app @param {string} name @param {number} revision */
const changeLink = (app, name, revision) =>
  h("a", {
    href: `${recipeLink(app, name, "history")}?from=${revision - 1}&to=${revision}`,
    "aria-label": t("audit.change.of", { name, revision }),
  }, t("audit.change"));

/** @param {AuditItem} item */
const digests = ({ before, after }) =>
  h(
    "details",
    { class: "digests" },
    h("summary", {}, t("audit.digests")),
    h("p", {}, t("audit.digest")),
    h(
      "dl",
      {},
      [["audit.before", before], ["audit.after", after]].map(([key, digest]) =>
        digest ? [h("dt", {}, t(String(key))), h("dd", {}, h("code", {}, String(digest)))] : null
      ),
    ),
  );
