// A forecast and what came, in words. Without a page.

import { number, t } from "../texts.js";

/**
 * @typedef {{expected: {low: number, high: number, interval: [number, number]} | null, came: number | null, off_plan: boolean}} Line
 * @typedef {{recipes: number, enrolled: number | null, shown: number | null}} Correction
 */

/** @param {NonNullable<Line["expected"]>} expected */
export function expectedWords({ low, high, interval: [least, most] }) {
  const expected = low === high ? number(low) : `${number(low)}–${number(high)}`;
  return t("recipe.forecast.expected", { expected, least: number(least), most: number(most) });
}

/** What came of earlier forecasts; empty if too little did. @param {Correction} correction */
export function correctionWords({ recipes, enrolled, shown }) {
  const factor = enrolled ?? shown;
  if (factor === null) return "";
  const share = number(factor, { style: "percent", maximumFractionDigits: 0 });
  return t("recipe.forecast.correction", { recipes, factor: share });
}
