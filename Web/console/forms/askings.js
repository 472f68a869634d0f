// When one person is asked by a recipe that asks again (docs/reference/rounds.md#rounds). Without a page.

import { t } from "../texts.js";

/** The parts of a recipe that decide it. @typedef {{repeat?: any, offer?: any}} Asks */

const day = 86_400_000;
/** The days that are looked at: two years. */
const horizon = 730;
/** The most times that are listed. */
const most = 1000;

/** @param {unknown} value */
const days = (value) => typeof value === "number" && value >= 0 ? value : undefined;

/** @param {unknown} text @param {number} other */
const timeOf = (text, other) => {
  const time = Date.parse(String(text));
  return Number.isNaN(time) ? other : time;
};

/**
 * The times at which one person is asked, if the message reaches the person at once.
 * @param {Asks} recipe
 * @param {number} now
 * @returns {{from: number, until: number, answering: number[], dismissing: number[] | null, isAlways: boolean} | null}
 *   `answering` answers each time, `dismissing` closes each message (null without one); both have times in milliseconds.
 *   `isAlways`: the person may answer at any time. The result is null if the recipe does not ask again.
 */
export function askings({ repeat, offer }, now) {
  const wait = days(repeat?.days);
  if (wait === undefined) return null;
  const { start, end, cooldown_seconds: cooldown } = offer?.pacing ?? {};
  const from = Math.max(now, timeOf(start, now));
  const until = Math.min(now + horizon * day, timeOf(end, Infinity));
  const pause = typeof cooldown === "number" ? cooldown * 1000 : 0;
  const rounds = days(repeat.rounds) ?? most;
  const every = (/** @type {number} */ wait, /** @type {number} */ count) => {
    const step = Math.max(Math.round(wait * day), pause);
    const times = Math.min(count, most, step > 0 ? Math.floor(Math.max(until - from, -1) / step) + 1 : 1);
    return Array.from({ length: Math.max(times, 0) }, (_, place) => from + place * step);
  };
  return {
    from,
    until,
    answering: every(wait, rounds),
    dismissing: offer ? every(days(repeat.unanswered_days) ?? wait, most) : null,
    isAlways: wait === 0 && pause === 0,
  };
}

/** How the recipe asks again, as a sentence. @param {Asks} recipe */
export function wordsOf({ repeat, offer }) {
  const { days, unanswered_days: closed = days, rounds } = repeat ?? {};
  if (typeof days !== "number") return t("rounds.once");
  const parts = [
    days > 0 ? t("rounds.answer", { days }) : t(offer ? "rounds.soon" : "rounds.always"),
    offer && typeof closed === "number" && t(closed === 0 ? "rounds.at-once" : "rounds.dismissal", { days: closed }),
    typeof rounds === "number" && t("rounds.most", { rounds }),
  ];
  return `${parts.filter(Boolean).join(", ")}.${offer ? "" : ` ${t("rounds.no-offer")}`}`;
}
