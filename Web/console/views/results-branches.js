// Branches side by side: the shares, and a check of the sizes. Only goals say whether branches differ
// (docs/console.md#results).

import { icon } from "../icons.js";
import { sizes, wilson } from "../statistics.js";
import { lasting, list, number, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { percent, range } from "./results-words.js";

/**
 * @typedef {{branch: string | null, total: number | null, count: number | null, enrolled?: number | null, exposed?: number | null}} Branch
 *   `exposed` is only there for a control, which shows nothing: the clients who would have seen a message
 * @typedef {{is_complete: boolean, since: string | null, branches: {branch: string, ratio: number | null, enrolled: number | null}[]}} Enrollment
 */

/** The probability below which a mismatch of sizes is reported. */
const suspicious = 0.001;

/** @param {string | null} branch */
const nameOf = (branch) => branch ?? t("results.branches.none");

/**
 * @param {{experiment: string, kind: "submitted" | "answered" | "pressed", branches: Branch[], enrollment?: Enrollment,
 *   hasGoals?: boolean, end?: (branch: string) => any}} of `end` makes the action on a branch
 */
export function sideBySide({ experiment, kind, branches, enrollment, hasGoals, end }) {
  const columns = {
    hasEnrolled: branches.some(({ enrolled }) => enrolled !== undefined),
    hasControl: branches.some(({ exposed }) => exposed !== undefined),
  };
  const head = [
    t("results.head.branch"),
    ...(columns.hasEnrolled ? [t("results.head.enrolled")] : []),
    ...(columns.hasControl ? [t("results.head.exposed")] : []),
    t(`results.step.${kind === "submitted" ? "started" : "shown"}`),
    t(`results.step.${kind}`),
    t(`results.branches.${kind}`),
  ];
  return h(
    "div",
    { class: "compared" },
    h("h3", {}, h("bdi", {}, experiment)),
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", "aria-label": t("results.branches.funnel") },
      h(
        "table",
        { class: "table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head.map((text, place) => h("th", { scope: "col", class: place ? "end" : "" }, text)),
            end && h("th", {}, h("span", { class: "hidden-text" }, t("list.actions"))),
          ),
        ),
        h("tbody", {}, branches.map((branch) => row(branch, columns, end))),
      ),
    ),
    h("p", { class: "muted" }, t(hasGoals ? "results.branches.above" : "results.branches.goals")),
    enrollment && sizeLine(enrollment),
  );
}

/**
 * @param {Branch} own
 * @param {{hasEnrolled: boolean, hasControl: boolean}} columns
 * @param {((branch: string) => any) | undefined} end
 */
function row({ branch, total, count, enrolled, exposed }, { hasEnrolled, hasControl }, end) {
  const word = (/** @type {number | null | undefined} */ count) =>
    count === undefined ? "–" : count === null ? t("results.withheld") : number(count);
  // A control shows nothing, so these counts cannot be.
  const value = (/** @type {number | null} */ count) => exposed === undefined ? word(count) : "–";
  const share = total && count !== null && count <= total
    ? `${percent(count / total)} ${range(wilson(count, total))}`
    : "–";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("bdi", {}, nameOf(branch))),
    hasEnrolled && h("td", { class: "end" }, word(enrolled)),
    hasControl && h("td", { class: "end" }, word(exposed)),
    h("td", { class: "end" }, value(total)),
    h("td", { class: "end" }, value(count)),
    h("td", { class: "end nowrap" }, share),
    end && h("td", { class: "end" }, branch !== null && end(branch)),
  );
}

/** The line about the sizes of branches, compared with the planned ratios. @param {Enrollment} enrollment */
export function sizeLine({ branches, is_complete: isComplete, since }) {
  const planned = branches.filter(({ ratio, enrolled }) => ratio && enrolled !== null);
  const counts = planned.map(({ enrolled }) => enrolled ?? 0);
  const ratios = planned.map(({ ratio }) => ratio ?? 0);
  const test = sizes(counts, ratios);
  const partial = !isComplete &&
    h("p", { class: "muted" }, t("results.branches.partial", { time: since ? lasting(new Date(since)) : "–" }));
  if (!test) return partial || null;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const all = ratios.reduce((sum, ratio) => sum + ratio, 0);
  const missing = planned.reduce((worst, branch, place) => {
    const gap = counts[place] / (total * ratios[place] / all);
    return gap < worst.gap ? { gap, branch: branch.branch } : worst;
  }, { gap: Infinity, branch: "" });
  const isSkewed = test.p < suspicious;
  const p = isSkewed ? "< 0.001" : number(test.p, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const words = isSkewed ? t("results.branches.skewed", { branch: missing.branch, p }) : t("results.branches.sizes", {
    counts: list(counts.map((count) => number(count))),
    ratios: ratios.map((ratio) => number(ratio)).join(" : "),
    p,
  });
  return [
    h("p", { class: isSkewed ? "note is-warning" : "muted" }, isSkewed && icon("warning"), h("span", {}, words)),
    partial,
  ];
}
