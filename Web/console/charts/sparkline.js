// The counts of each of 24 hours, as small bars next to a number.

import { h, svg } from "../../shared/dom.js";
import { number, t } from "../texts.js";

const [width, height, gap] = [3, 18, 1];
/** The height of the stub for a withheld count, which is neither zero nor a number. */
const stub = 2;

/**
 * @param {(number | null)[]} hours the current hour is last; null: the count is withheld
 * @param {Date} [now]
 */
export function sparkline(hours, now = new Date()) {
  const known = hours.map((count) => count ?? 0);
  const sum = known.reduce((total, count) => total + count, 0);
  const most = Math.max(...known);
  const span = hours.length * (width + gap);
  const hasHidden = hours.includes(null);
  const bars = hours.map((count, place) => {
    const size = count === null ? stub : count === 0 ? 0 : Math.max(stub, Math.round(count / most * height));
    return svg("rect", {
      x: place * (width + gap),
      y: height - size,
      width,
      height: size,
      class: count === null ? "spark-hidden" : place === hours.length - 1 ? "spark-running" : "spark-bar",
    });
  });
  const hour = new Date(now.getTime() - (hours.length - 1 - known.indexOf(most)) * 3_600_000).getUTCHours();
  const name = sum === 0
    ? t("home.shown.few")
    : t("home.shown.name", { count: sum, hour: `${String(hour).padStart(2, "0")}:00`, most });
  const picture = svg(
    "svg",
    {
      class: "sparkline",
      role: "img",
      "aria-label": name,
      width: span,
      height,
    },
    svg("title", {}, name),
    svg("rect", { class: "spark-base", y: height - 1, width: span, height: 1 }),
    bars,
  );
  const words = sum === 0 ? "" : hasHidden ? t("home.shown.least", { count: sum }) : number(sum);
  return h("span", { class: "spark" }, picture, " ", h("span", {}, words));
}
