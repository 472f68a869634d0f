// The results of a recipe: a sentence, then block by block. The page follows new responses.

import { isRun, runOf } from "../kinds.js";
import { filtersOf, responsesQuery, resultsQuery } from "../answers-query.js";
import { get, path, readFile } from "../api.js";
import { follow } from "../changes.js";
import { download } from "../csv.js";
import { menu } from "../elements/menu.js";
import { button } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { icon } from "../icons.js";
import { most } from "../charts/lines.js";
import * as recipes from "../recipes.js";
import { spans } from "../series.js";
import { can } from "../session.js";
import { addTexts, later, t } from "../texts.js";
import resultTexts from "../texts/en_results.js";
import { h } from "../../shared/dom.js";
import { chips, choiceField, dataValues, draftValues, periodField } from "./answers-filters.js";
import { exportResponses } from "./responses-export.js";
import { resultsAround } from "./results-around.js";
import { messageBlocks, messageSentence } from "./results-messages.js";
import { runBlocks, runSentence } from "./results-runs.js";
import { timeBlocks } from "./results-times.js";
import { winnerButton } from "./winner.js";

addTexts(resultTexts);

/**
 * @typedef {import("../recipes.js").Recipe} Recipe
 * @typedef {{app: string, recipe: Recipe, all: Recipe[], query: URLSearchParams, shell: import("../main.js").Shell,
 *   signal: AbortSignal}} Of
 */

/** The minimum pause between two requests, in milliseconds. A new answer then appears on the page within 5 s. */
const pause = 3000;

/** @param {Of} of @returns {Promise<{element: HTMLElement, update: (query: URLSearchParams) => void, leave: () => void}>} */
export async function resultsSection(of) {
  const page = new ResultsPage(of);
  await page.load();
  return { element: page.element, update: (query) => page.turn(query), leave: () => page.leave() };
}

class ResultsPage {
  /** @param {Of} of */
  constructor(of) {
    this.of = of;
    this.query = of.query;
    this.isRun = isRun(of.recipe.kind);
    this.address = path("apps", of.app, "results", of.recipe.slug);
    /** @type {Map<string, {text: string, element: HTMLElement}>} */
    this.shown = new Map();
    this.branches = new Set(of.recipe.branches);
    /** @type {string[]} */
    this.kept = [];
    /** @type {Set<string>} */
    this.locales = new Set();
    this.asked = 0;
    this.lastAsked = 0;
    this.sentence = h("p", { class: "finding-sentence", role: "status" });
    this.note = h("div", {});
    this.blocks = h("div", { class: "results" });
    this.period = periodField(of.shell.replace);
    this.fields = this.choices();
    this.chips = h("div", { class: "chips" });
    this.bar = this.filters();
    /** @type {Promise<any> | undefined} */
    this.document = undefined;
    this.element = h("div", {}, this.bar, this.chips, this.sentence, this.note, this.blocks);
    this.stop = follow(of.app, (change) => {
      if (change.restarted || change.results.includes(of.recipe.slug)) this.refresh();
    });
  }

  /** @private */
  choices() {
    /** @type {[string, string][]} */
    const none = [["", t("answers.all")]];
    const names = this.isRun ? ["branch", "drafts", "data", "by", "lines"] : ["branch", "locale"];
    /** @type {Record<string, [string, string][]>} */
    const values = {
      branch: none,
      locale: none,
      drafts: draftValues(),
      data: dataValues(),
      by: [["", t("results.by.none")]],
      lines: [["", t("results.by.none")]],
    };
    return names.filter((name) => name !== "drafts" || runOf(this.of.recipe.kind)?.hasDrafts)
      .map((name) => choiceField({ name, values: values[name] }, this.of.shell.replace));
  }

  /** @private */
  filters() {
    return h(
      "div",
      { class: "filters" },
      this.period.element,
      this.fields.map(({ element }) => element),
      h("span", { class: "count" }, h("span", { class: "follows" }, icon("clock"), t("answers.live"))),
      this.exports(),
    );
  }

  /** @private */
  exports() {
    const numbers = () => void this.exportNumbers();
    if (!this.isRun || !can("respond")) return button(t("answers.export"), "download", numbers);
    const [opener, list] = menu(t("answers.export"), () => [
      { label: t("results.export.numbers"), icon: "download", run: numbers },
      {
        label: t("results.export.responses"),
        icon: "download",
        run: () => void exportResponses(this.of.app, this.of.recipe, responsesQuery(this.query, this.of.recipe.kind)),
      },
    ]);
    opener.classList.remove("icon-only", "quiet");
    opener.replaceChildren(icon("download"), t("answers.export"));
    return h("span", {}, opener, list);
  }

  /** @private */
  async exportNumbers() {
    const asked = resultsQuery(this.query, this.of.recipe.kind);
    asked.set("format", "csv");
    asked.set("bom", "true");
    try {
      const table = await readFile(`${this.address}?${asked}`, this.of.signal);
      const days = [this.query.get("from"), this.query.get("to")].filter(Boolean);
      const file = [this.of.recipe.slug, "results", ...days].join("-") + ".csv";
      download(file, [table], "text/csv");
      toast(t("results.exported", { file }));
    } catch (error) {
      toast(recipes.sentence(error));
    }
  }

  /** @param {URLSearchParams} query */
  turn(query) {
    this.query = query;
    this.load().catch((error) => this.fail(error));
  }

  /** Requests the results again, but not too often. @private */
  refresh() {
    const wait = this.lastAsked + pause - Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load().catch(() => undefined), Math.max(wait, 0));
  }

  /** @private @param {unknown} error */
  fail(error) {
    if (this.of.signal.aborted) return;
    this.note.replaceChildren(
      h("p", { class: "note is-warning", role: "alert" }, icon("warning"), recipes.sentence(error)),
    );
    this.blocks.removeAttribute("aria-busy");
  }

  async load() {
    const own = this.asked += 1;
    this.lastAsked = Date.now();
    this.tellFilters();
    this.blocks.setAttribute("aria-busy", "true");
    const { signal, recipe } = this.of;
    const [results, more] = await Promise.all([
      get(`${this.address}?${resultsQuery(this.query, recipe.kind)}`, { signal }),
      this.isRun ? this.around() : undefined,
    ]);
    this.learn(results);
    const lines = await this.lines(results);
    const goals = results.goals && await later(() => import("./goals.js"), "goals");
    if (own !== this.asked) return;
    this.blocks.removeAttribute("aria-busy");
    this.note.replaceChildren();
    this.show(results, { ...more, lines, goals });
  }

  /** What the results are grouped by, if the groups have an order. @private */
  get span() {
    const by = this.query.get("by") ?? "";
    return this.isRun && spans.includes(by) && !this.kept.includes(by) ? by : undefined;
  }

  /** Loads the groups of each line: of all runs, or of each branch or value that `lines` names. @private @param {any} results @returns {Promise<import("../series.js").Named[]>} */
  async lines(results) {
    const { span } = this;
    const each = this.query.get("lines");
    const whole = [{ name: "", groups: results.by?.groups ?? [] }];
    if (!span || !each || span === "round") return whole;
    const { signal, recipe } = this.of;
    const ask = (/** @type {Record<string, string>} */ values) => {
      const asked = resultsQuery(this.query, recipe.kind);
      for (const [name, value] of Object.entries(values)) asked.set(name, value);
      return get(`${this.address}?${asked}`, { signal });
    };
    const isBranch = each === "branch";
    const values = isBranch
      ? [...this.branches]
      : (await ask({ by: each })).by.groups.map((/** @type {import("../series.js").Group} */ { value }) =>
        String(value)
      );
    const found = await Promise.all(
      values.slice(0, most).map(async (/** @type {string} */ value) => {
        const { by } = await ask({ [isBranch ? "branch" : `attr.${each}`]: value });
        return { name: value, groups: by?.groups ?? [] };
      }),
    );
    return found.length > 0 ? found : whole;
  }

  /** Loads what the results of runs are shown with. @private */
  async around() {
    const { app, recipe, signal } = this.of;
    this.document ??= get(path("apps", app, "recipes", recipe.slug), { signal }).catch(() => ({}));
    const document = await this.document;
    this.kept = document.keep ?? [];
    return resultsAround(this.of, this.query, document);
  }

  /** Stores the values of the filters. @private @param {any} results */
  learn(results) {
    for (const { experiment, branch } of results.branches ?? []) {
      this.branches.add(experiment ? `${experiment}/${branch}` : branch);
    }
    for (const { locales } of results.messages ?? []) {
      for (const { locale } of locales) if (locale) this.locales.add(locale);
    }
    this.tellFilters();
  }

  /** @private */
  tellFilters() {
    this.period.update(this.query);
    const all = /** @type {[string, string]} */ (["", t("answers.all")]);
    const plain = (/** @type {Iterable<string>} */ values) =>
      [...values].map((value) => /** @type {[string, string]} */ ([value, value]));
    const { origins = [] } = runOf(this.of.recipe.kind) ?? {};
    const word = (/** @type {string} */ name) => /** @type {[string, string]} */ ([name, t(`results.by.${name}`)]);
    /** @type {Record<string, [string, string][]>} */
    const values = {
      branch: [all, ...plain(this.branches)],
      locale: [all, ...plain(this.locales)],
      by: [
        ["", t("results.by.none")],
        ...plain(this.kept),
        ...origins.map(word),
        ...(this.branches.size > 0 ? [word("branch")] : []),
        ...(this.isRun ? spans.filter((name) => !this.kept.includes(name)).map(word) : []),
      ],
      lines: this.span && this.span !== "round"
        ? [["", t("results.by.none")], ...plain(this.kept), ...(this.branches.size > 0 ? [word("branch")] : [])]
        : [],
    };
    this.fields.forEach((field) => field.update(this.query, values[field.name]));
    this.chips.replaceChildren(...chips(this.query, this.of.shell.replace));
  }

  /** @private @param {any} results @param {any} more */
  show(results, more) {
    const { app, recipe, shell } = this.of;
    const sentence = this.isRun
      ? runSentence(results)
      : more.goals?.goalSentence(results.goals) ?? messageSentence(results);
    const isNone = this.isRun ? (results.total_responses ?? results.total_runs) === 0 : sentence === "";
    const where = [...filtersOf(this.query)].length > 0 ? "filter" : "all";
    this.sentence.textContent = isNone ? t("results.none", { when: t(`results.none.${where}`) }) : sentence;
    const minimum = results.minimum_cell ?? 0;
    const isWithheld = minimum > 1 && JSON.stringify(results).includes('"withheld":true');
    this.note.replaceChildren(...[
      results.state === null && h("p", { class: "note" }, icon("info"), t("results.deleted")),
      isWithheld && h("p", { class: "note" }, icon("lock"), t("results.withheld.why", { last: minimum - 1 })),
    ].filter((one) => one instanceof HTMLElement));
    const link = (/** @type {Record<string, string>} */ values, id = "") => {
      const query = filtersOf(this.query);
      for (const [name, value] of Object.entries(values)) if (value) query.set(name, value);
      const address = recipes.recipeLink(app, recipe.slug, `responses${id && `/${encodeURIComponent(id)}`}`);
      return address + (query.size > 0 ? `?${query}` : "");
    };
    const of = { link, canRead: can("respond"), go: shell.go };
    this.put(
      isNone && !results.enrollment ? [] : this.isRun ? this.runs(results, of, { minimum, more }) : [
        ...more.goals?.goalBlocks(results.goals, this.goals(results, minimum)) ?? [],
        ...messageBlocks(results, winnerButton(this.of)),
      ],
    );
  }

  /** What the blocks of goals need. @private @param {API.Results} results @param {number} minimum @returns {import("./goals.js").Of} */
  goals({ state }, minimum) {
    const { app, recipe, shell } = this.of;
    const now = { ...recipe, state };
    const resume = () => void recipes.toggle(app, now).then(() => this.refresh());
    return {
      minimum,
      choose: (period) => shell.replace({ period }),
      resume: state === "paused" && recipes.isChangeable(now) ? resume : undefined,
    };
  }

  /** The blocks of runs. Charts over time replace the bars of their groups. @private @param {API.Results} results @param {import("./results-runs.js").Of} of @param {{minimum: number, more: any}} around */
  runs(results, of, { minimum, more }) {
    const isComplete = results.by?.is_complete !== false;
    const times = this.span ? timeBlocks(this.span, more.lines, { isOpen: of.canRead, isComplete, minimum }) : [];
    return [...times, ...runBlocks(times.length > 0 ? { ...results, by: undefined } : results, of, more)];
  }

  /** Replaces the changed blocks, and keeps the others. @private @param {import("./results-runs.js").Block[]} blocks */
  put(blocks) {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const elements = blocks.map(({ key, data, build }) => {
      const text = JSON.stringify(data);
      const known = this.shown.get(key);
      if (known?.text === text) return known.element;
      const element = build() ?? h("div", { hidden: true });
      this.shown.set(key, { text, element });
      return element;
    });
    if (
      elements.some((element, place) => this.blocks.children[place] !== element) ||
      elements.length !== this.blocks.children.length
    ) {
      this.blocks.replaceChildren(...elements);
    }
    const again = focused &&
      [...this.blocks.querySelectorAll("[data-key]")].find((one) =>
        one instanceof HTMLElement && one.dataset.key === focused
      );
    if (again instanceof HTMLElement && document.activeElement !== again) again.focus({ preventScroll: true });
  }

  leave() {
    this.stop();
    clearTimeout(this.timer);
  }
}
