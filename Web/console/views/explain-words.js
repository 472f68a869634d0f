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

/** The gates that an asking or an answer closes until a round begins. */
const ofRounds = ["already_responded", "interaction", "display_cap", "display_limit"];

/** A value that closes a gate. @param {string} gate @param {string} name @param {unknown} value */
export function valueWords(gate, name, value) {
  if (ofRounds.includes(gate)) {
    if (name === "round" && typeof value === "number") return t("explain.round", { round: value });
    if (name === "until" && value === null) return t("explain.never");
    if (name === "until" && typeof value === "string") return t("explain.again", { time: exactly(new Date(value)) });
  }
  const isTime = /^(until|since)$/.test(name) && typeof value === "string";
  return t("explain.is", { name: name.replaceAll("_", " "), value: isTime ? exactly(new Date(value)) : shown(value) });
}
