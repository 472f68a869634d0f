// Creates a token and shows it once; a person's token is shown with a sign-in link.

import { path, Problem, write } from "../api.js";
import { h, uniqueId } from "../../shared/dom.js";
import { copied } from "../elements/copy.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { sentence } from "../recipes.js";
import { session } from "../session.js";
import { t } from "../texts.js";

const scopes = {
  people: ["owner", "reader", "translator", "support", "admin"],
  programs: ["client", "web", "pipeline"],
};

/** The address that signs a person in. Only the browser sees the fragment. @param {string} token */
const signInLink = (token) => `${location.origin}/console/sign-in#token=${encodeURIComponent(token)}`;

/** @param {"people" | "programs"} part @param {string[]} apps @returns {Promise<boolean>} whether a token was made */
export async function makeToken(part, apps) {
  const heading = uniqueId("title");
  /** @type {unknown} */
  let made;
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const scope = select(scopes[part].map((name) => [name, t(`access.scope.${name}`)]));
  const isForAll = session().app === "*" || session().app === null;
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
  const cancel = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.cancel"));
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
      part === "programs" && labelled(t("access.form.prefix"), inputs.prefix, t("access.form.prefix.hint"), true),
      failure,
      h(
        "div",
        { class: "dialog-actions" },
        cancel,
        h("button", { type: "submit", class: "button primary" }, t("access.form.do")),
      ),
    ),
  );
  if (await show(dialog, inputs.name) !== "yes") return false;
  await showOnce(made, part === "people");
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

/** @param {string[][]} options */
const select = (options) =>
  h("select", { class: "field" }, options.map(([value, label]) => h("option", { value }, label)));

/** @param {string} label @param {HTMLElement} input @param {string} [hint] @param {boolean} [isOptional] */
function labelled(label, input, hint = "", isOptional = false) {
  const id = input.id = uniqueId("field");
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return h(
    "div",
    { class: "form-field" },
    h("label", { for: id }, label, isOptional && h("span", { class: "muted" }, ` (${t("access.form.optional")})`)),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
    input,
  );
}

/** @param {any} made @param {boolean} isPerson */
async function showOnce(made, isPerson) {
  const heading = uniqueId("title");
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": heading });
  const done = h(
    "button",
    { type: "button", class: "button primary", onclick: () => dialog.close() },
    t("access.made.done"),
  );
  dialog.append(
    h("h2", { id: heading }, t("access.made.title", { name: made.name })),
    h("p", {}, t("access.made.once")),
    h(
      "div",
      { class: "ask" },
      secret(t("access.made.text"), made.token),
      isPerson && secret(t("access.made.link"), signInLink(made.token), t("access.made.link.hint")),
      h("div", { class: "dialog-actions" }, done),
    ),
  );
  await show(dialog, done);
}

/** @param {string} label @param {string} text @param {string} [hint] */
function secret(label, text, hint = "") {
  const field = h("input", { class: "field code", readonly: true, value: text, spellcheck: "false" });
  const copy = button(t("access.made.copy"), "copy", async () => {
    if (await copied(text)) toast(t("access.made.copied"));
    else field.select();
  });
  copy.setAttribute("aria-label", `${t("access.made.copy")}: ${label}`);
  const whole = labelled(label, field, hint);
  field.remove();
  whole.append(h("div", { class: "json-field" }, field, copy));
  return whole;
}
