// A forecast and what came, in words. Without a page.

import { number, t } from "../texts.js";

/**
 * @typedef {{low: number, high: number, interval: [number, number]}} Expected
 * @typedef {{low: number | null, high: number | null, expected: Expected | null, came: number | null, off_plan: boolean}} Line
 * @typedef {{factor: number, recipes: number} | null} Factor
 * @typedef {{enrolled: Factor, shown: Factor}} Correction
 */

/** The share of the clients that was forecast. @param {Pick<Line, "low" | "high">} line */
export function shareWords({ low, high }) {
  if (low === null || high === null) return t("recipe.forecast.few");
  const [least, most] = [percent(low), percent(high)];
  return t("recipe.forecast.share", { share: least === most ? least : `${least}–${most}` });
}

/** @param {Expected} expected */
export function expectedWords({ low, high, interval: [least, most] }) {
  const expected = low === high ? number(low) : `${number(low)}–${number(high)}`;
  return t("recipe.forecast.expected", { expected, least: number(least), most: number(most) });
}

/**
 * How many clients are in a segment.
 * @param {{low: number | null, high: number | null, sampled: number | null,
 *   closes: {name: string, high: number | null}[], missing: {name: string, share: number | null}[]}} size
 */
export function sizeWords({ low, high, sampled, closes, missing }) {
  const shown = (/** @type {number | null} */ share) => share === null ? t("segment.withheld") : percent(share);
  const range = low === high ? shown(low) : t("segment.range", { low: shown(low), high: shown(high) });
  return {
    share: sampled === null ? t("segment.few") : t("segment.share", { share: range }),
    parts: closes.map(({ name, high }) =>
      high === null ? t("segment.part.withheld", { name }) : t("segment.part", { name, share: percent(high) })
    ),
    missing: missing.map(({ name, share }) => t("segment.missing", { name, share: shown(share) })),
  };
}

/** What came of earlier forecasts; empty if too little did. @param {Correction} correction */
export function correctionWords({ enrolled, shown }) {
  const line = enrolled ?? shown;
  return line ? t("recipe.forecast.correction", { recipes: line.recipes, factor: percent(line.factor) }) : "";
}

/** @param {number} share */
function percent(share) {
  return number(share, { style: "percent", maximumFractionDigits: 0 });
}
