// The list of apps, and the way to a new one.

import { loadApps } from "../api.js";
import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { mayBegin } from "../session.js";
import { t } from "../texts.js";

/** @param {import("../router.js").Context} context @returns {Promise<import("../router.js").View>} */
export async function apps(context) {
  const apps = await loadApps({ signal: context.signal });
  const rows = apps.map(({ app, recipes }) =>
    h(
      "li",
      {},
      h("a", { href: `/console/a/${encodeURIComponent(app)}` }, app),
      h("span", { class: "end muted" }, t("app.recipes", { count: recipes })),
    )
  );
  const none = h("p", { class: "empty" }, t(mayBegin() ? "app.none" : "app.none.ask"));
  const begin = h("a", { class: "button primary", href: "/console/new-app" }, icon("plus"), t("app.new"));
  return {
    element: h(
      "div",
      {},
      h(
        "div",
        { class: "page-head" },
        h("h1", { tabindex: "-1" }, t("app.title")),
        mayBegin() && h("div", { class: "actions" }, begin),
      ),
      h("div", { class: "panel" }, rows.length > 0 ? h("ul", { class: "rows" }, rows) : none),
    ),
    title: t("app.title"),
  };
}
