// The sign-in: a separate page, and a dialog over a page whose session has ended.

import { Problem } from "../api.js";
import { h, uniqueId } from "../../shared/dom.js";
import { show } from "../elements/dialog.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { signIn } from "../session.js";
import { t } from "../texts.js";

/** The token of a sign-in link, which is removed from the address at once. */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** @param {string} token @param {() => void} done @returns {{form: HTMLElement, input: HTMLInputElement}} */
function form(token, done) {
  const [hint, fault] = [uniqueId("hint"), uniqueId("fault")];
  const failure = h("p", { id: fault, class: "finding", role: "alert", hidden: true });
  const input = h("input", {
    type: "password",
    class: "field",
    id: uniqueId("token"),
    autocomplete: "current-password",
    spellcheck: "false",
    required: true,
    value: token,
    "aria-describedby": `${hint} ${fault}`,
  });
  const submit = h("button", { type: "submit", class: "button primary" }, t("signin.do"));
  const element = h(
    "form",
    {
      class: "signin-form",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        submit.setAttribute("aria-busy", "true");
        try {
          await signIn(input.value.trim());
          done();
        } catch (error) {
          const isUnknown = error instanceof Problem && error.status === 401;
          failure.replaceChildren(icon("fault"), isUnknown ? t("signin.unknown") : recipes.sentence(error));
          failure.hidden = false;
          input.setAttribute("aria-invalid", "true");
          input.select();
        } finally {
          submit.removeAttribute("aria-busy");
        }
      },
    },
    isSecureContext ? null : h("p", { class: "finding" }, icon("warning"), t("signin.plain")),
    h("label", { for: input.id }, t("signin.token")),
    h("p", { id: hint, class: "hint" }, t("signin.hint")),
    input,
    failure,
    submit,
  );
  return { form: element, input };
}

/** The sign-in page. @param {Element} mark @param {string} token the token of a link @param {() => void} done */
export function signInPage(mark, token, done) {
  const made = form(token, done);
  const element = h(
    "main",
    { id: "content", class: "signin" },
    h("div", { class: "brand" }, mark, "Bellwether"),
    h("div", { class: "panel" }, h("h1", { tabindex: "-1" }, t("signin.title")), made.form),
  );
  queueMicrotask(() => made.input.focus());
  return element;
}

/** Signs in with a dialog over the page, which stays unchanged. @returns {Promise<void>} */
export async function signInAgain() {
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-label": t("signin.again") });
  const made = form("", () => dialog.close("yes"));
  dialog.append(h("h2", {}, t("signin.again")), h("p", {}, t("signin.kept")), made.form);
  if (await show(dialog, made.input) !== "yes") throw new Problem(401, { detail: t("signin.ended") });
}
