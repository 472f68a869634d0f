// The texts of gates and values in explain.

import { exactly, list, number, t } from "../texts.js";

/** @param {any} gate */
export function gateWords({ gate, values }) {
  if (gate === "display_cap" && values.max_display_count === null) return t("gate.display_cap.none", told(values));
  if (gate !== "schedule") return t(`gate.${gate}`, told(values));
  const parts = [
    values.start && t("gate.schedule.from", { start: exactly(new Date(values.start)) }),
    values.end && t("gate.schedule.until", { end: exactly(new Date(values.end)) }),
  ].filter(Boolean);
  return `${t("gate.schedule")}${parts.length > 0 ? `: ${list(parts)}` : ""}`;
}

/** @param {Record<string, any>} values */
export const told = (values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number"
        ? number(value)
        : Array.isArray(value)
        ? value.join(", ") || t("gate.any")
        : value ?? t("gate.any"),
    ]),
  );

/** @param {unknown} value */
export const shown = (value) =>
  typeof value === "number"
    ? number(value, { maximumFractionDigits: 4 })
    : typeof value === "string"
    ? `“${value}”`
    : JSON.stringify(value);
