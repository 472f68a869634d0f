// Invites a person with a link, and changes the roles of a person.

import { path, Problem, write } from "../api.js";
import { h, uniqueId } from "../../shared/dom.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import { appName, scopesOfPeople } from "../roles.js";
import { sentence } from "../recipes.js";
import { t } from "../texts.js";
import { actionsOf, labelled, select, showOnce } from "./access-parts.js";

/**
 * @typedef {{name: string, link: string}} Invited
 * @typedef {{role: HTMLSelectElement, app: HTMLSelectElement, remove: HTMLElement, element: HTMLElement}} RoleRow
 */

/** The faults that the daemon tells by a code, each with a text of its own. */
const toldFaults = ["name_taken", "identifier", "reserved", "last_administrator", "of_provider", "too_many_accounts"];

/** The sentence for a refused change of a person. @param {unknown} error */
export function faultOf(error) {
  if (!(error instanceof Problem)) return sentence(error);
  const code = String(error.body.errors?.[0]?.code ?? "");
  if (error.status === 404) return t("access.fault.gone");
  return toldFaults.includes(code) ? t(`access.fault.${code}`) : sentence(error);
}

/** Rows of a role and an app. */
class RoleRows {
  /** @param {API.App[]} apps @param {Record<string, string>} roles */
  constructor(apps, roles) {
    /** @type {API.App[]} */
    this.apps = apps;
    /** @type {RoleRow[]} */
    this.rows = [];
    this.list = h("div", { class: "ask" });
    this.more = button(t("access.invite.more"), "plus", () => {
      this.add(this.free ?? "*", this.rows.at(-1)?.role.value ?? "reviewer").role.focus();
    }, "quiet");
    this.element = h("div", { class: "form-field" }, this.list, this.more);
    for (const [app, scope] of Object.entries(roles)) this.add(app, scope);
  }

  /** The first app without a row. @private */
  get free() {
    const taken = new Set(this.rows.map(({ app }) => app.value));
    return [...this.apps.map(({ app }) => app), "*"].find((app) => !taken.has(app));
  }

  /** @private @param {string} app @param {string} scope @returns {RoleRow} */
  add(app, scope) {
    const names = [...new Set([...this.apps.map((one) => one.app), ...(app === "*" ? [] : [app])])];
    /** @type {RoleRow} */
    const row = {
      role: select(scopesOfPeople.map((name) => [name, t(`role.${name}`)])),
      app: select([...names, "*"].map((name) => [name, appName(this.apps, name)])),
      remove: button(t("access.invite.less"), "close", () => this.drop(row), "quiet icon-only"),
      element: h("div", { class: "role-row" }),
    };
    [row.role.value, row.app.value] = [scope, app];
    const hint = h("p", { class: "hint", id: uniqueId("hint") });
    row.role.setAttribute("aria-describedby", hint.id);
    const tell = () => hint.textContent = t(`role.${row.role.value}.may`);
    row.element.append(labelled(t("access.role"), row.role), labelled(t("access.app"), row.app), row.remove, hint);
    row.app.addEventListener("change", () => this.tell());
    row.role.addEventListener("change", tell);
    tell();
    this.rows.push(row);
    this.list.append(row.element);
    this.tell();
    return row;
  }

  /** @private @param {RoleRow} row */
  drop(row) {
    this.rows.splice(this.rows.indexOf(row), 1);
    row.element.remove();
    this.tell();
    this.more.focus();
  }

  /** Hides what cannot be done: one row stays, and each app has one. @private */
  tell() {
    for (const { remove } of this.rows) remove.hidden = this.rows.length === 1;
    this.more.hidden = this.free === undefined;
  }

  /** Whether two rows are of the same app. */
  get hasTwice() {
    return new Set(this.rows.map(({ app }) => app.value)).size < this.rows.length;
  }

  /** @returns {Record<string, string>} */
  get roles() {
    return Object.fromEntries(this.rows.map(({ role, app }) => [app.value, role.value]));
  }
}

/**
 * Asks in a dialog, until what is asked for is done or the person cancels.
 * @template Done
 * @param {{title: string, action: string, content: any[], first: HTMLElement, run: () => Promise<Done>}} of `run` may
 *   throw a text, or a refusal of the daemon
 * @returns {Promise<Done | undefined>}
 */
async function askFor({ title, action, content, first, run }) {
  const heading = uniqueId("title");
  /** @type {Done | undefined} */
  let done;
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const failure = h("div", { class: "finding", role: "alert", hidden: true });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      done = await run();
      dialog.close("yes");
    } catch (error) {
      failure.replaceChildren(icon("fault"), typeof error === "string" ? error : faultOf(error));
      failure.hidden = false;
    }
  };
  dialog.append(
    h("h2", { id: heading }, title),
    h("form", { class: "ask", onsubmit: submit }, content, failure, actionsOf(dialog, action)),
  );
  return await show(dialog, first) === "yes" ? done : undefined;
}

/** The app of the first row: the last used one. @param {API.App[]} apps */
const firstApp = (apps) =>
  (apps.find(({ app }) => app === localStorage.getItem("bellwether-app")) ?? apps[0])?.app ?? "*";

/** @param {API.App[]} apps @returns {Promise<boolean>} whether somebody was invited */
export async function invite(apps) {
  const name = h("input", {
    class: "field",
    maxlength: 128,
    required: true,
    autocomplete: "off",
    spellcheck: "false",
  });
  const rows = new RoleRows(apps, { [firstApp(apps)]: "reviewer" });
  /** @type {Invited | undefined} */
  const invited = await askFor({
    title: t("access.invite.title"),
    action: t("access.invite.do"),
    content: [labelled(t("access.name"), name, t("access.invite.hint")), rows.element],
    first: name,
    run: () => {
      if (rows.hasTwice) throw t("access.fault.twice");
      return write("POST", path("accounts"), { name: name.value.trim(), roles: rows.roles });
    },
  });
  if (invited) await showLink(invited);
  return invited !== undefined;
}

/** Shows the link of a person. Without a public address it begins with the address of this page. @param {Invited} of */
export const showLink = ({ name, link }) =>
  showOnce({
    title: t("access.link.title", { name }),
    once: t("access.link.once", { name }),
    label: t("access.link"),
    text: new URL(link, location.origin).href,
    hint: t("access.link.hint"),
  });

/** @param {{name: string, roles: Record<string, string>}} person @param {API.App[]} apps @returns {Promise<boolean>} */
export async function changeRoles({ name, roles }, apps) {
  const rows = new RoleRows(apps, roles);
  const changed = await askFor({
    title: t("access.roles.title", { name }),
    action: t("access.roles.do"),
    content: [rows.element],
    first: rows.rows[0]?.role ?? rows.more,
    run: () => {
      if (rows.hasTwice) throw t("access.fault.twice");
      return write("PUT", path("accounts", name), { roles: rows.roles }).then(() => true);
    },
  });
  return changed === true;
}
