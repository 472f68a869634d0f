// The forecast of a recipe that went live, beside what came (docs/reference/http-api.md#what-came).

import { get, path } from "../api.js";
import { icon } from "../icons.js";
import { h } from "../../shared/dom.js";
import { sectionHead } from "../elements/parts.js";
import { t } from "../texts.js";
import { correctionWords, expectedWords } from "./forecast-words.js";

/** The section; nil if the recipe has no forecast. @param {string} app @param {string} slug @param {AbortSignal} signal */
export async function heldForecast(app, slug, signal) {
  const { forecast, correction } = await get(path("apps", app, "recipes", slug, "forecast"), { signal });
  if (!forecast) return null;
  const lines = ["enrolled", "shown"].filter((measure) => forecast[measure]);
  const isCounted = lines.some((measure) => forecast[measure].expected);
  const content = isCounted
    ? [
      h("dl", { class: "figures" }, lines.map((measure) => figure(measure, forecast[measure]))),
      h("p", { class: "muted" }, t("recipe.forecast.of", { count: forecast.clients })),
    ]
    : h("p", { class: "empty" }, t("recipe.forecast.waits"));
  const words = correctionWords(correction);
  return h(
    "section",
    {},
    sectionHead(t("recipe.forecast")),
    h("div", { class: "panel" }, content, words && h("p", { class: "muted" }, words)),
  );
}

/** @param {string} measure @param {import("./forecast-words.js").Line} line */
function figure(measure, { expected, came, off_plan: isOff }) {
  return h(
    "div",
    {},
    h("dt", {}, t(`recipe.forecast.${measure}`)),
    h(
      "dd",
      {},
      came === null
        ? h("span", { class: "withheld" }, t("recipe.forecast.few"))
        : t("recipe.forecast.came", { count: came }),
      expected && h("small", {}, expectedWords(expected)),
      isOff && h("small", { class: "finding" }, icon("warning"), h("span", {}, t("recipe.forecast.off"))),
    ),
  );
}
