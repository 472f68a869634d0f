// The list of apps, if there is more than one.

import { loadApps } from "../api.js";
import { h } from "../../shared/dom.js";
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
  const content = rows.length > 0 ? h("ul", { class: "rows" }, rows) : h("p", { class: "empty" }, t("app.none"));
  return { element: h("div", { class: "panel" }, content), title: t("app.title") };
}
