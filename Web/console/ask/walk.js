// A run of a flow that the daemon plays without storing it. The author answers, and sees the path of the run.

import { Problem } from "../api.js";
import { button } from "../elements/parts.js";
import { simulate } from "../elements/preview-play.js";
import { sentence } from "../recipes.js";
import { h, uniqueId } from "../../shared/dom.js";
import { t } from "../texts.js";
import { leadsOf } from "./flow-graph.js";
import { stepName } from "./subjects.js";
import { answerFields } from "./walk-answers.js";

/**
 * @typedef {{app: string, slug: string, personas: Record<string, any>, follow: (pointer: string | undefined) => void}} WalkContext
 * @typedef {{step_id: string, action?: string, response?: any}} Action
 */

/** The delay between a change of the document and the next play of the run. */
const pauseMilliseconds = 250;

export class Walk {
  /** @param {import("../forms/fields.js").FormContext} context @param {() => void} tell called when the path changes */
  constructor(context, tell) {
    this.context = context;
    this.tell = tell;
    /** @type {Action[]} */
    this.actions = [];
    /** @type {any[]} */
    this.runs = [];
    this.isOn = false;
    /** The number of visits of each step. @type {Map<number, number>} */
    this.visits = new Map();
    /** The rules that were followed, as "step rule". @type {Set<string>} */
    this.taken = new Set();
    /** @type {number | "end" | undefined} */
    this.current = undefined;
    this.asking = new AbortController();
    this.pause = 0;
    this.played = "";
    this.element = this.draw();
    this.show();
  }

  /** @private @returns {HTMLElement} */
  draw() {
    const id = uniqueId("persona");
    const names = Object.keys(this.context.walk.personas);
    this.persona = h("select", { class: "field", id, onchange: () => this.isOn && void this.begin() }, [
      h("option", { value: "" }, t("walk.nobody")),
      names.map((name) => h("option", { value: name }, name)),
    ]);
    this.start = button(t("walk.start"), "play", () => void this.begin());
    this.stop = button(t("walk.stop"), "close", () => this.end(), "quiet");
    this.stage = h("div", { class: "walk-stage" });
    return h(
      "section",
      { class: "walk", "aria-label": t("walk.label") },
      h(
        "div",
        { class: "walk-head" },
        this.start,
        names.length > 0 && [h("label", { for: id, class: "muted" }, t("walk.as")), this.persona],
        this.about = h("span", { class: "muted walk-about" }, t("walk.about")),
        this.stop,
      ),
      this.stage,
    );
  }

  leave() {
    clearTimeout(this.pause);
    this.asking.abort();
  }

  /** Plays the run again with the same answers, after a change of the document. */
  changed() {
    if (!this.isOn || this.played === this.context.document.text) return;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.play(), pauseMilliseconds);
  }

  /** @private */
  async begin() {
    this.isOn = true;
    this.actions = [];
    await this.play();
    this.focus();
  }

  /** @private */
  end() {
    this.leave();
    this.isOn = false;
    [this.actions, this.runs] = [[], []];
    this.light([], []);
    this.context.walk.follow(undefined);
    this.show();
    this.start?.focus();
  }

  /** @private @param {Action} action */
  async act(action) {
    this.actions.push(action);
    await this.play();
    // A refused action is not part of the run.
    if (this.runs[this.runs.length - 1]?.errors) this.actions.pop();
    else this.focus();
  }

  /** @private */
  async play() {
    const { document, walk } = this.context;
    this.asking.abort();
    const { signal } = this.asking = new AbortController();
    this.played = document.text;
    const question = { ...personaOf(walk.personas[this.persona?.value]), actions: this.actions };
    try {
      const { app, slug } = walk;
      const answer = await simulate({ app, slug, text: document.text }, question, signal);
      this.runs = answer.runs;
      this.light(answer.runs, answer.rules);
      this.show();
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem)) return;
      this.stage?.replaceChildren(h("p", { class: "finding", role: "alert" }, t("walk.failed"), " ", sentence(error)));
    }
  }

  /** @private @param {any[]} runs @param {any[]} rules */
  light(runs, rules) {
    const { document, walk } = this.context;
    const ids = document.keys("/steps").map((place) => document.get(`/steps/${place}/id`));
    const good = runs.filter(({ errors }) => !errors);
    const path = good.map((run) => run.status === "active" ? ids.indexOf(run.step_id) : /** @type {const} */ ("end"));
    this.visits = new Map();
    path.forEach((place, at) => {
      if (place !== "end" && (at === 0 || place !== path[at - 1])) {
        this.visits.set(place, (this.visits.get(place) ?? 0) + 1);
      }
    });
    this.current = path[path.length - 1];
    this.taken = takenOf(path, rules, ids, document.get(""));
    if (typeof this.current === "number") walk.follow(`/steps/${this.current}`);
    this.tell();
  }

  /** @private */
  show() {
    const last = this.runs[this.runs.length - 1];
    const run = this.runs.findLast(({ errors }) => !errors);
    if (this.start) this.start.lastChild?.replaceWith(t(this.isOn ? "walk.again" : "walk.start"));
    this.element.classList.toggle("is-on", this.isOn);
    if (this.stop) this.stop.hidden = !this.isOn;
    if (this.about) this.about.hidden = this.isOn;
    if (!this.isOn || !run) this.stage?.replaceChildren();
    else if (run.status !== "active") this.stage?.replaceChildren(this.outcome(run));
    else if (last?.errors) this.refused(last.errors);
    else this.stage?.replaceChildren(...this.question(run));
  }

  /** @private @param {any} run */
  outcome(run) {
    const { reason = "", target } = run.outcome ?? {};
    const name = t(`walk.outcome.${reason}`, { target });
    return h(
      "p",
      { class: "walk-title", tabindex: "-1" },
      t("walk.ended", { outcome: name.startsWith("walk.") ? reason : name }),
    );
  }

  /** @private @param {any} run @returns {HTMLElement[]} */
  question(run) {
    const { document, nameOf } = this.context;
    const step = document.get(`/steps/${this.current}`);
    const answers = answerFields(run.step ?? {}, run.responses?.[run.step_id] ?? {});
    const act = (/** @type {string | undefined} */ action) =>
      void this.act({ step_id: run.step_id, action, response: action ? undefined : answers.read() });
    this.refusal = h("ul", { class: "walk-refusal", role: "alert" });
    const next = button(t("walk.next"), "check", () => act(undefined), "primary");
    return [
      h(
        "p",
        { class: "walk-title", tabindex: "-1" },
        t("walk.at", { place: run.step_index + 1, count: run.total_steps, name: nameOf(stepName(step)) }),
      ),
      answers.element,
      this.refusal,
      h(
        "div",
        { class: "list-actions" },
        next,
        run.step?.skip_enabled === true && button(t("walk.skip"), "redo", () => act("skip")),
        run.can_go_back === true && button(t("walk.back"), "undo", () => act("back"), "quiet"),
      ),
    ];
  }

  /** @private @param {any[]} errors */
  refused(errors) {
    this.refusal?.replaceChildren(...errors.map(({ message }) => h("li", { class: "finding" }, message)));
  }

  /** @private */
  focus() {
    this.stage?.querySelector(".walk-title")?.focus();
  }
}

/** The facts about a respondent in a persona. @param {any} persona */
function personaOf(persona) {
  const context = persona?.context ?? {};
  const text = (/** @type {unknown} */ value) => typeof value === "string" ? value : undefined;
  return {
    attributes: context,
    locale: text(persona?.locale) ?? text(context.locale),
    platform: text(context.platform),
    now: text(persona?.now),
  };
}

/**
 * The rules that were followed. `rules` has the outcomes of all rules of each finished step, in order.
 * @param {(number | "end")[]} path @param {any[]} rules @param {unknown[]} ids @param {API.Document} document
 */
function takenOf(path, rules, ids, document) {
  /** @type {Set<string>} */
  const taken = new Set(
    rules.filter(({ holds }) => holds === true).map(({ step_id: id, rule }) => `${ids.indexOf(id)} ${rule}`),
  );
  const leads = leadsOf(document);
  path.forEach((from, at) => {
    if (from === "end" || at + 1 >= path.length || path[at + 1] === from) return;
    const byRule = leads[from]?.edges.some(({ rule, to }) => taken.has(`${from} ${rule}`) && to === path[at + 1]);
    const next = leads[from]?.edges[leads[from].edges.length - 1];
    if (!byRule && next?.to === path[at + 1]) taken.add(`${from} else`);
  });
  return taken;
}
