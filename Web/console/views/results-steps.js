// The drop-off at the questions of a questionnaire or the steps of a flow.

import { bars } from "../charts/bars.js";
import { number, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { duration, panel, percent } from "./results-words.js";

/** @param {any[]} steps */
const worstOf = (steps) => steps.reduce((most, step) => (step.stopped ?? 0) > (most.stopped ?? 0) ? step : most);

/** @param {number | null} count */
const value = (count) => count === null ? "–" : number(count);

/** @param {API.Results} results @param {Record<string, string>} titles */
export function stepsBlock({ steps, outcomes, active }, titles) {
  const title = (/** @type {{id: string}} */ { id }) => titles[id] ?? id;
  const worst = worstOf(steps);
  const bar = (/** @type {API.Results["steps"][0]} */ step) => {
    const { runs: came, stopped, conversion } = step;
    const on = conversion === null ? "–" : percent(conversion);
    return {
      label: title(step),
      size: came,
      lost: stopped ?? 0,
      isMarked: step === worst && stopped > 0,
      end: came === null ? t("results.withheld") : t("results.steps.end", { came, on, stopped: value(stopped) }),
    };
  };
  const row = (/** @type {API.Results["steps"][0]} */ step) => {
    const counts = [step.runs, step.completed_runs, step.skipped_runs, step.back_runs, step.stopped];
    return [title(step), ...counts.map(value), duration(step.mean_ms)];
  };
  const [first, last] = [value(steps[0].runs), value(steps.at(-1).runs)];
  return panel(t("results.steps"), [
    worst.stopped > 0 && h("p", {}, t("results.steps.worst", { title: title(worst), count: worst.stopped })),
    bars({
      key: "steps",
      name: t("results.steps.name", { first, last, title: title(worst) }),
      caption: t("results.steps"),
      bars: steps.map(bar),
      table: {
        head: ["step", "came", "on", "skipped", "back", "stopped", "time"].map((name) => t(`results.head.${name}`)),
        rows: steps.map(row),
      },
    }),
    outcomesLine({ ...outcomes, active }),
  ], "wide");
}

/** The line with the numbers of ended and active runs. @param {Record<string, number | null>} outcomes */
function outcomesLine(outcomes) {
  const words = Object.entries(outcomes).filter(([, count]) => count !== 0).map(([name, count]) =>
    `${name === "active" ? t("results.outcome.active") : name.replaceAll("_", " ")} ${value(count)}`
  );
  return words.length > 0 && h("p", { class: "muted" }, t("results.outcomes"), ": ", words.join(", "));
}

/** @param {any[]} stops @param {Map<string, string>} titles */
export function stopsBlock(stops, titles) {
  const title = (/** @type {string} */ id) => titles.get(id) ?? id;
  const worst = worstOf(stops);
  const sum = stops.reduce((total, { stopped }) => total + (stopped ?? 0), 0);
  return panel(t("results.stop"), [
    h(
      "p",
      {},
      worst.stopped
        ? t("results.stop.worst", { title: title(worst.id), count: worst.stopped })
        : t("results.stop.none"),
    ),
    bars({
      key: "stops",
      name: t("results.stop.name", { count: number(sum), title: title(worst.id) }),
      caption: t("results.stop"),
      bars: stops.map(({ id, answered, stopped }) => ({
        label: title(id),
        size: answered === null ? null : answered + (stopped ?? 0),
        lost: stopped ?? 0,
        end: t("results.stop.end", { answered: answered ?? "–", stopped: stopped ?? "–" }),
        isMarked: id === worst.id && stopped > 0,
      })),
      table: {
        head: ["step", "answered", "stopped"].map((name) => t(`results.head.${name}`)),
        rows: stops.map(({ id, answered, stopped }) => [title(id), answered ?? "–", stopped ?? "–"]),
      },
    }),
  ], "wide");
}
