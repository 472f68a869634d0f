// A recipe as respondents see it: its first screen on its page, and a larger preview with all options.

import { get, path, Problem } from "../api.js";
import { JSONDocument } from "../document/document.js";
import { h } from "../../shared/dom.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { lookOf, lookText, previewPane } from "../elements/preview.js";
import { toast } from "../elements/toast.js";
import * as recipes from "../recipes.js";
import { t } from "../texts.js";

/** The recipe's document as an author wrote it. @param {string} app @param {string} slug @param {AbortSignal} signal */
async function load(app, slug, signal) {
  return new JSONDocument(JSON.stringify(await get(path("apps", app, "recipes", slug), { signal })));
}

/** The first screen, which cannot be pressed. @param {string} app @param {string} slug @param {AbortSignal} signal */
export async function firstScreen(app, slug, signal) {
  const pane = previewPane({ app, slug, document: await load(app, slug, signal), isStill: true });
  signal.addEventListener("abort", () => pane.leave());
  return pane;
}

/**
 * A preview with all options, in a dialog. Its look is in the address.
 * @param {string} app
 * @param {string} slug
 * @param {import("../main.js").Shell} shell
 */
export async function openPreview(app, slug, shell) {
  const asking = new AbortController();
  try {
    const document = await load(app, slug, asking.signal);
    const look = lookOf(new URLSearchParams(location.search).get("preview"));
    const pane = previewPane({ app, slug, document, look });
    pane.addEventListener("bw-look", () => shell.replace({ preview: lookText(pane.look) || "," }));
    /** @type {HTMLDialogElement} */
    const dialog = h("dialog", { class: "dialog preview-dialog", "aria-label": t("preview.title") });
    const close = button(t("action.close"), "close", () => dialog.close());
    dialog.append(
      pane,
      h(
        "div",
        { class: "dialog-actions" },
        button(t("preview.try"), "external", () => tryIt(app, slug, pane.look)),
        close,
      ),
    );
    shell.replace({ preview: lookText(look) || "," });
    await show(dialog, close);
    pane.leave();
    shell.replace({ preview: "" });
  } catch (error) {
    toast(recipes.sentence(error));
  }
}

/**
 * Opens the newest revision on a page of its own.
 * @param {string} app
 * @param {string} slug
 * @param {import("../elements/preview.js").PreviewLook} [look] the part of the look that an address can hold
 */
async function tryIt(app, slug, look = {}) {
  const page = open("", "_blank");
  try {
    const response = await fetch(path("apps", app, "recipes", slug, "preview"), { method: "POST" });
    const body = await response.json();
    if (!response.ok) throw new Problem(response.status, body);
    if (page) {
      page.opener = null;
      const { locale, branch, persona, hook } = look;
      const said = Object.entries({ locale, branch, persona, hook }).filter(([, value]) => value);
      const query = new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
      page.location.href = said.length > 0 ? `${body.url}?${query}` : body.url;
    }
  } catch (error) {
    page?.close();
    toast(recipes.sentence(error));
  }
}
