// The stages of a recipe's share: which of them are reached, what the next one waits for, and a button that goes on.

import { path, write } from "../api.js";
import { stagesOf, waitsFor } from "../document/stages.js";
import { h } from "../../shared/dom.js";
import { button, sectionHead, time } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { percent } from "../language/shares.js";
import * as recipes from "../recipes.js";
import { t } from "../texts.js";

/**
 * @param {string} app @param {recipes.Recipe} recipe @param {API.Document} document the document in force
 * @returns {HTMLElement | null} nothing for a recipe without stages
 */
export function stagesSection(app, recipe, document) {
  const stages = stagesOf(document);
  if (stages.length === 0) return null;
  const mayGo = recipe.state === "live" && recipes.isChangeable(recipe);
  const advance = async (/** @type {number} */ share) => {
    const address = path("apps", app, "recipes", recipe.slug, "advance");
    const attempt = write("POST", address, { revision: recipe.in_force });
    if (await recipes.tried(app, attempt)) toast(t("toast.stage", { share: percent(share) }));
  };
  const rows = stages.map(({ share, stage, state }) =>
    h(
      "li",
      {},
      h("strong", {}, percent(share)),
      h(
        "span",
        {},
        t(`stages.waits.${waitsFor(stage)}`),
        stage.at ? [" ", time(stage.at)] : null,
      ),
      h("span", { class: "end muted" }, t(`stages.${state}`)),
      state === "next" && mayGo
        ? button(t("stages.go", { share: percent(share) }), "rollout", () => void advance(share))
        : null,
    )
  );
  return h(
    "section",
    {},
    sectionHead(t("field.stages")),
    h("div", { class: "panel" }, h("ul", { class: "rows" }, rows)),
  );
}
