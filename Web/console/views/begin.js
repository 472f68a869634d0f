// A new app, and its beginning: what makes it ask, and its first question.

import { get, loadApps, path, Problem, write } from "../api.js";
import { sectionHead } from "../elements/parts.js";
import { templateCards } from "../elements/template-cards.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import { fieldOf, furtherLocales, isPlatform, manifestOf, platformOf } from "../platforms.js";
import * as recipes from "../recipes.js";
import { can, mayBegin } from "../session.js";
import { addTexts, t } from "../texts.js";
import english from "../texts/en_begin.js";
import { h } from "../../shared/dom.js";
import { AppForm } from "./begin-form.js";
import { Connection } from "./begin-lines.js";

addTexts(english);

/**
 * @typedef {import("../router.js").Context} Context
 * @typedef {import("../main.js").Shell} Shell
 * @typedef {import("../router.js").View} View
 */

/** @param {Context} _ @param {Shell} shell @returns {Promise<View>} */
export function newApp(_, shell) {
  if (!mayBegin()) return Promise.reject(new Problem(403, { detail: t("begin.needs") }));
  setPageKeys(undefined);
  /** @type {AppForm} */
  const form = new AppForm(async (values) => {
    const { id } = values;
    try {
      // An app that exists stays as it is.
      const body = manifestOf(values);
      const made = await write("PUT", path("apps", id, "manifest"), body, { "If-None-Match": "*" });
      if (made.state === "draft") return tellWaiting(form.element, { ...values, revision: made.revision });
      await addLanguages(id, furtherLocales(values));
      // The list in memory gets the app.
      await loadApps().catch(() => undefined);
      shell.move(`/console/a/${encodeURIComponent(id)}/start?platform=${values.platform}`);
    } catch (error) {
      form.tell(faultsOfRefusal(error, id));
    }
  });
  return Promise.resolve({ element: form.element, title: t("begin.title"), focus: () => form.inputs.name.focus() });
}

/** What a refusal says of each field. @param {unknown} error @param {string} id @returns {Record<string, string>} */
function faultsOfRefusal(error, id) {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 412 || error.status === 409) return { id: t("begin.taken", { id }) };
  /** @type {{pointer: string, message: string}[]} */
  const errors = error.status === 422 || error.status === 400 ? error.body.errors ?? [] : [];
  if (errors.length === 0) toast(recipes.sentence(error));
  // The first fault of a field is told.
  return Object.fromEntries(errors.reverse().map(({ pointer, message }) => [fieldOf(pointer), message]));
}

/** Each language gets a table without texts, which the page of texts fills. @param {string} app @param {string[]} locales */
async function addLanguages(app, locales) {
  for (const locale of locales) {
    try {
      await write("PUT", path("apps", app, "strings", locale), {}, { "If-None-Match": "*" });
    } catch (error) {
      toast(t("begin.locale.failed", { language: locale, reason: recipes.sentence(error) }));
    }
  }
}

/** @param {HTMLElement} element @param {{name: string, id: string, revision: number}} of */
function tellWaiting(element, of) {
  const heading = h("h1", { tabindex: "-1" }, t("begin.waits", of));
  element.replaceChildren(
    h("div", { class: "page-head" }, heading),
    h(
      "div",
      { class: "panel" },
      h("p", { class: "empty", role: "status" }, t("begin.waits.how", of)),
      h("p", { class: "empty" }, h("a", { href: "/console" }, t("app.title"))),
    ),
  );
  heading.focus();
}

/** The beginning of an app. @param {Context} context @param {Shell} shell @returns {Promise<View>} */
export async function start({ parameters, query, signal }, shell) {
  const { app } = parameters;
  const manifest = await get(path("apps", app, "manifest"), { signal });
  setPageKeys(undefined);
  const asked = query.get("platform") ?? "";
  const connection = new Connection({
    app,
    locale: manifest.default_locale,
    platform: isPlatform(asked) ? asked : platformOf(manifest),
    hasPages: (manifest.web?.origins ?? []).length > 0,
    replace: shell.replace,
  });
  const title = t("start.title", { name: manifest.app_name });
  const begin = `/console/a/${encodeURIComponent(app)}`;
  const link = (/** @type {string} */ address, /** @type {string} */ picture, /** @type {string} */ key) =>
    h("a", { class: "button", href: `${begin}/${address}` }, icon(picture), t(key));
  const first = can("publish") && [
    h(
      "section",
      {},
      sectionHead(t("start.first")),
      h("p", { class: "lead" }, t("start.first.hint")),
      templateCards(app, shell.go, 3),
    ),
    h("p", { class: "choices" }, link("new", "plus", "start.other"), link("app", "app", "start.manifest")),
  ];
  return {
    element: h(
      "div",
      { class: "new-recipe" },
      h("div", { class: "page-head" }, h("h1", { tabindex: "-1" }, title)),
      connection.element,
      first,
    ),
    title,
    update: ({ query }) => connection.turn(query.get("platform") ?? ""),
  };
}
