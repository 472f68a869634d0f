// What a questionnaire and a survey have in common on the screen: consent, faults, the last page.
import { h } from "../../shared/dom.js";
import { faultsByField } from "../../shared/problems.js";
import { button } from "./shell.js";
import { View } from "./view.js";

/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("./controls.js").Control} Control */

export class AnswerView extends View {
  /** @param {import("./view.js").Bellwether} client @param {Run} run @param {() => void} onClosed */
  constructor(client, run, onClosed) {
    super(client, onClosed);
    this.run = run;
    this.texts = this.texts.with(run.definition.strings);
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    this.isFinished = false;
    this.cancel = () => this.leave();
  }

  /** @override */
  get detail() {
    const { slug, kind, message } = this.run.options;
    return { slug, kind, message, responseId: this.run.responseId };
  }

  /** Reads what is on the screen into the run. */
  collect() {
    for (const [id, control] of this.controls) {
      const answer = control.read();
      if (answer === undefined) delete this.run.answers[id];
      else this.run.answers[id] = answer;
    }
  }

  /** Closes, and keeps the draft. @override */
  leave() {
    if (!this.isFinished) {
      this.collect();
      if (this.controls.size > 0 && Object.keys(this.run.answers).length > 0) this.run.save(false);
      this.client.emit("cancelled", this.detail);
    }
    this.isFinished = true;
    this.close();
  }

  /** @override */
  destroy() {
    this.isFinished = true;
    this.close();
  }

  /**
   * Says what is wrong, in a summary that has the focus and leads to each answer.
   * @param {Map<string, string>} faults by question
   */
  showFaults(faults) {
    this.shell.body.querySelector(".summary")?.remove();
    for (const [id, control] of this.controls) control.setError(faults.get(id) ?? null);
    if (faults.size === 0) return;
    const titles = new Map(this.#allQuestions().map((question) => [question.id, question.title ?? question.question]));
    const items = [...faults].map(([id, message]) => {
      const control = this.controls.get(id);
      const text = titles.has(id) ? `${titles.get(id)}: ${message}` : message;
      return h("li", { class: "bidi" }, control ? button(text, "", () => control.focus()) : text);
    });
    const summary = h(
      "div",
      { class: "summary", part: "summary", role: "group", tabindex: "-1", "aria-labelledby": "bw-summary" },
      h("h3", { id: "bw-summary" }, this.texts.get("errorSummary")),
      h("ul", {}, items),
    );
    this.shell.body.querySelector(".content").prepend(summary);
    summary.focus();
    this.shell.say(this.texts.get("errorSummary"));
  }

  /** @returns {any[]} */
  #allQuestions() {
    return this.run.questions.flatMap((/** @type {any} */ question) => [question, ...(question.sub_questions ?? [])]);
  }

  /**
   * Submits, and shows what became of it.
   * @param {(faults: Map<string, string>) => void} onFaults where answers are wrong
   */
  async submit(onFaults) {
    const allowed = await this.client.ask("beforeAdvance", {
      ...this.detail,
      answers: this.run.answers,
      isComplete: true,
    });
    if (allowed === false) return;
    if (typeof allowed === "string") return onFaults(new Map([["", allowed]]));
    const outcome = await this.run.save(true);
    if (outcome.state === "queued") return this.#finished("queuedTitle", "queuedBody", "queued");
    if (outcome.status < 300) return this.#finished("successTitle", "successBody", "submitted");
    if (outcome.status === 422) {
      const faults = [...faultsByField(outcome.body)].map((
        [id, fault],
      ) => /** @type {[string, string]} */ ([id, this.texts.fault(fault)]));
      return onFaults(new Map(faults));
    }
    const code = outcome.body?.errors?.[0]?.code;
    if (code === "already_responded") return this.#finished("successTitle", "answeredBody", "refused");
    if (outcome.status === 409) return this.#finished("closedTitle", "closedBody", "refused");
    onFaults(new Map([["", this.texts.get("errorGeneric")]]));
  }

  /** @param {string} title @param {string} text @param {string} event */
  #finished(title, text, event) {
    this.isFinished = true;
    this.controls.clear();
    this.client.emit(event, this.detail);
    this.finish(this.texts.get(title), this.texts.get(text));
  }
}
