// The sign-in: a separate page, and a dialog over a page whose session has ended.

import { Problem } from "../api.js";
import { h, safeUrl, uniqueId } from "../../shared/dom.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { load, session, signIn } from "../session.js";
import { t } from "../texts.js";

/** The secret of a sign-in link, which is removed from the address at once. */
export function takeLink() {
  const link = new URLSearchParams(location.hash.slice(1)).get("link") ?? "";
  // Links of earlier versions had a token, which does not stay in the address either.
  if (/^#(link|token)=/.test(location.hash)) {
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return link;
}

/** The sentence for a refused sign-in. @param {unknown} error @param {"signin.unknown" | "signin.used"} key */
const sentenceOf = (error, key) => error instanceof Problem && error.status === 401 ? t(key) : recipes.sentence(error);

/** @param {HTMLElement} place @param {string} words */
function tell(place, words) {
  place.replaceChildren(icon("fault"), words);
  place.hidden = false;
}

/** @param {() => void} done @returns {{form: HTMLElement, input: HTMLInputElement}} */
function form(done) {
  const [hint, fault] = [uniqueId("hint"), uniqueId("fault")];
  const failure = h("p", { id: fault, class: "finding", role: "alert", hidden: true });
  const input = h("input", {
    type: "password",
    class: "field",
    id: uniqueId("token"),
    autocomplete: "current-password",
    spellcheck: "false",
    required: true,
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
          await signIn({ token: input.value.trim() });
          done();
        } catch (error) {
          tell(failure, sentenceOf(error, "signin.unknown"));
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

/**
 * The link to the identity provider, if the daemon has one, in front of the form, which is then folded.
 * @param {HTMLElement} form
 * @param {string} next the page after the sign-in
 * @param {Record<string, string>} [attributes] of the link
 */
function ways(form, next, attributes = {}) {
  const { signIn: address, provider = "" } = document.documentElement.dataset;
  const href = address && safeUrl(`${address}?next=${encodeURIComponent(next)}`);
  if (!href) return { elements: [form], link: undefined };
  const name = provider || t("signin.provider");
  const link = h("a", { class: "button primary", href, ...attributes }, t("signin.with", { name }));
  const folded = h("details", {}, h("summary", {}, t("signin.bytoken")), form);
  return { elements: [h("div", { class: "stack" }, h("div", {}, link), folded)], link };
}

/** @param {Element} mark @param {...any} content */
const page = (mark, ...content) =>
  h(
    "main",
    { id: "content", class: "signin" },
    h("div", { class: "brand" }, mark, "Bellwether"),
    h("div", { class: "panel" }, h("h1", { tabindex: "-1" }, t("signin.title")), content),
  );

/**
 * The sign-in page.
 * @param {Element} mark
 * @param {string} next the page after the sign-in
 * @param {unknown} refusal why a link did not sign in, if one was opened
 * @param {() => void} done
 */
export function signInPage(mark, next, refusal, done) {
  const made = form(done);
  const { elements, link } = ways(made.form, next);
  const failure = h("p", { class: "finding", role: "alert", hidden: true });
  const element = page(mark, h("div", { class: "ask" }, failure, elements));
  if (refusal) tell(failure, sentenceOf(refusal, "signin.used"));
  queueMicrotask(() => (link ?? made.input).focus());
  return element;
}

/**
 * The page of a link that somebody opens who is signed in already.
 * @param {Element} mark
 * @param {string} secret
 * @param {string} next the page that opens if they stay signed in
 * @param {() => void} done
 */
export function linkPage(mark, secret, next, done) {
  const failure = h("p", { class: "finding", role: "alert", hidden: true });
  const use = button(t("signin.link.do"), "person", async () => {
    use.setAttribute("aria-busy", "true");
    try {
      await signIn({ link: secret });
      done();
    } catch (error) {
      tell(failure, sentenceOf(error, "signin.used"));
    } finally {
      use.removeAttribute("aria-busy");
    }
  }, "primary");
  const stay = h("a", { class: "button", href: next }, t("signin.link.stay"));
  queueMicrotask(() => use.focus());
  const words = h("p", {}, t("signin.link.other", { name: session().name }));
  return page(mark, h("div", { class: "ask" }, words, failure, h("div", { class: "signin-form" }, use, stay)));
}

/** Signs in with a dialog over the page, which stays unchanged. @returns {Promise<void>} */
export async function signInAgain() {
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-label": t("signin.again") });
  const made = form(() => dialog.close("yes"));
  const { elements, link } = ways(made.form, "/console/me", { target: "_blank" });
  // Whoever signs in in another tab goes on here.
  const look = () => void load().then((isSignedIn) => isSignedIn && dialog.close("yes"), () => undefined);
  addEventListener("focus", look);
  dialog.append(h("h2", {}, t("signin.again")), h("p", {}, t("signin.kept")), ...elements);
  const answer = await show(dialog, link ?? made.input);
  removeEventListener("focus", look);
  if (answer !== "yes") throw new Problem(401, { detail: t("signin.ended") });
}
