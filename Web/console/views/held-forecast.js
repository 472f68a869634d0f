// The forecast of a recipe that went live, beside what came (docs/reference/http-api.md#what-came).

import { get, path } from "../api.js";
import { icon } from "../icons.js";
import { h } from "../../shared/dom.js";
import { sectionHead } from "../elements/parts.js";
import { t } from "../texts.js";
import { correctionWords, expectedWords, shareWords } from "./forecast-words.js";

/** The section; nil if the recipe has no forecast. @param {string} app @param {string} slug @param {AbortSignal} signal */
export async function heldForecast(app, slug, signal) {
  const { forecast, correction } = await get(path("apps", app, "recipes", slug, "forecast"), { signal });
  if (!forecast) return null;
  const lines = ["enrolled", "shown"].filter((measure) => forecast[measure]);
  const notes = [countWords(forecast), correctionWords(correction)].filter(Boolean);
  return h(
    "section",
    {},
    sectionHead(t("recipe.forecast")),
    h(
      "div",
      { class: "panel" },
      h("dl", { class: "figures" }, lines.map((measure) => figure(measure, forecast[measure], forecast.day))),
      notes.map((words) => h("p", { class: "muted" }, words)),
    ),
  );
}

/** @param {{day: number, clients: number | null, is_open: boolean}} forecast */
function countWords({ day, clients, is_open: isOpen }) {
  if (!isOpen) return t("recipe.forecast.closed");
  if (day === 0) return t("recipe.forecast.waits");
  return clients === null ? "" : t("recipe.forecast.of", { count: clients, day });
}

/** @param {string} measure @param {import("./forecast-words.js").Line} line @param {number} day */
function figure(measure, line, day) {
  const { expected, came, off_plan: isOff } = line;
  const isWithheld = came === null;
  return h(
    "div",
    {},
    h("dt", {}, t(`recipe.forecast.${measure}`)),
    h(
      "dd",
      {},
      day === 0 ? shareWords(line) : h(
        "span",
        { class: isWithheld && "withheld" },
        t(isWithheld ? "recipe.forecast.few" : "recipe.forecast.came", { count: came }),
      ),
      day > 0 && h("small", {}, expected ? expectedWords(expected) : shareWords(line)),
      isOff && h("small", { class: "finding" }, icon("warning"), h("span", {}, t("recipe.forecast.off"))),
    ),
  );
}
