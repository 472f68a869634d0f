// Makes a token, and shows it once.

import { path, Problem, write } from "../api.js";
import { h, uniqueId } from "../../shared/dom.js";
import { show } from "../elements/dialog.js";
import { icon } from "../icons.js";
import { sentence } from "../recipes.js";
import { can } from "../session.js";
import { t } from "../texts.js";
import { actionsOf, labelled, select, showOnce } from "./access-parts.js";

const scopes = ["client", "web", "pipeline", "reader", "reviewer", "translator", "support", "owner", "admin"];

/** @param {string[]} apps @returns {Promise<boolean>} whether a token was made */
export async function makeToken(apps) {
  const heading = uniqueId("title");
  /** @type {{name: string, token: string}} */
  let made = { name: "", token: "" };
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const scope = select(scopes.map((name) => [name, t(`access.scope.${name}`)]));
  const isForAll = can("admin", "*");
  const app = select([...apps.map((name) => [name, name]), ...(isForAll ? [["*", t("access.app.all")]] : [])]);
  const inputs = {
    name: h("input", { class: "field", maxlength: 128, autocomplete: "off", spellcheck: "false" }),
    expires: h("input", { type: "date", class: "field", min: new Date().toISOString().slice(0, 10) }),
    prefix: h("input", {
      class: "field",
      maxlength: 32,
      pattern: "[a-z0-9_]+",
      autocomplete: "off",
      spellcheck: "false",
    }),
  };
  const failure = h("div", { class: "finding", role: "alert", hidden: true });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      made = await create(scope.value, app.value, inputs);
      dialog.close("yes");
    } catch (error) {
      const fault = error instanceof Problem ? error.body.errors?.[0]?.message : undefined;
      failure.replaceChildren(icon("fault"), fault ?? sentence(error));
      failure.hidden = false;
    }
  };
  dialog.append(
    h("h2", { id: heading }, t("access.form.title")),
    h(
      "form",
      { class: "ask", onsubmit: submit },
      labelled(t("access.name"), inputs.name, t("access.form.hint"), true),
      labelled(t("access.scope"), scope),
      labelled(t("access.app"), app),
      labelled(t("access.form.expires"), inputs.expires, "", true),
      labelled(t("access.form.prefix"), inputs.prefix, t("access.form.prefix.hint"), true),
      failure,
      actionsOf(dialog, t("access.form.do")),
    ),
  );
  if (await show(dialog, inputs.name) !== "yes") return false;
  await showOnce({
    title: t("access.made.title", { name: made.name }),
    once: t("access.made.once"),
    label: t("access.made.text"),
    text: made.token,
  });
  return true;
}

/** @param {string} scope @param {string} app @param {{name: HTMLInputElement, expires: HTMLInputElement, prefix: HTMLInputElement}} inputs */
function create(scope, app, { name, expires, prefix }) {
  /** @type {Record<string, unknown>} */
  const body = { app, scope: scope === "web" ? "client" : scope };
  if (scope === "web") body.web = true;
  if (name.value.trim()) body.name = name.value.trim();
  // The token is valid until the end of the day.
  if (expires.value) body.expires = new Date(`${expires.value}T23:59:59Z`).toISOString();
  if (prefix.value) body.prefix = prefix.value;
  return write("POST", path("tokens"), body);
}
