// A survey: all questions on one page. Earlier answers stay visible and can be changed; a question comes and goes with
// the answers before it.
import { h } from "../../shared/dom.js";
import { asksPredicate, compileVisibleQuestions } from "../../shared/visibility.js";
import { AnswerView } from "./answers.js";
import { isComplete, questionControl, untouchedAnswer } from "./questions.js";
import { button, closeButton, head } from "./shell.js";

const draftMilliseconds = 1_000;

export class SurveyView extends AnswerView {
  /** @param {import("./view.js").Bellwether} client @param {import("./run.js").Run} run @param {() => void} onClosed */
  constructor(client, run, onClosed) {
    super(client, run, onClosed);
    this.evaluate = compileVisibleQuestions({ ...run.definition, questions: run.questions }, "keep");
    /** A condition asks a predicate, which only the daemon can answer. */
    this.asksDaemon = asksPredicate(run.questions);
    /** @type {string[]} */
    this.visible = this.run.options.body.visible ?? [];
    this.draftTimer = 0;
    this.questionCount = 0;
    this.close = () => {
      clearTimeout(this.draftTimer);
      super.close();
    };
  }

  start() {
    const { run, texts, client } = this;
    const name = run.definition.name ?? texts.get("title");
    const isPage = this.shell.options.mode === "page";
    this.list = h("div");
    for (const question of run.questions) this.list.append(this.#question(question));
    this.#update(false);
    const submitText = run.definition.submit?.button_title ?? texts.get("submitButton");
    this.shell.replace([
      head(name, isPage ? null : closeButton(texts.get("close"), () => this.cancel())),
      h("p", {}),
      this.list,
      h("div", { class: "actions", part: "actions" }, button(submitText, "primary", () => this.#send())),
    ]);
    client.emit("started", this.detail);
  }

  /** @param {any} question @param {boolean} [isBelow] */
  #question(question, isBelow = false) {
    const caption = {
      title: question.question,
      header: question.header,
      note: question.required === false ? this.texts.get("optional") : undefined,
      part: isBelow ? "sub-question" : `question-${question.id}`,
    };
    const control = questionControl({
      question,
      caption,
      texts: this.texts,
      value: this.run.answers[question.id],
      onChange: () => this.#changed(),
    });
    this.controls.set(question.id, control);
    const below = (question.sub_questions ?? []).map((/** @type {any} */ sub) => this.#question(sub, true));
    return below.length > 0 ? h("div", {}, control.element, h("div", { class: "below" }, below)) : control.element;
  }

  #changed() {
    this.#update(true);
    clearTimeout(this.draftTimer);
    this.draftTimer = setTimeout(() => this.run.save(false), draftMilliseconds);
  }

  /** Shows and hides questions; the elements stay, so that focus and text stay. @param {boolean} isChange */
  async #update(isChange) {
    this.collect();
    if (this.asksDaemon) {
      if (isChange) await this.#askDaemon();
    } else this.visible = this.evaluate(this.run.answers).visible;
    const shown = new Set(this.visible);
    for (const [id, control] of this.controls) control.element.hidden = !shown.has(id);
    const added = this.visible.length - this.questionCount;
    if (isChange && added > 0) {
      this.shell.say(this.texts.get("progress", { n: this.visible.length - added + 1, total: this.visible.length }));
    }
    this.questionCount = this.visible.length;
  }

  async #askDaemon() {
    const { client, run } = this;
    const body = { answers: run.answers, client_id: client.clientId, attributes: client.options.context };
    const answer = await client.transport.post(`${run.path}/evaluate`, body).catch(() => null);
    if (answer?.status === 200) this.visible = answer.body.visible;
  }

  async #send() {
    clearTimeout(this.draftTimer);
    this.collect();
    const questions = this.run.questions.flatMap((
      /** @type {any} */ question,
    ) => [question, ...(question.sub_questions ?? [])]);
    const faults = new Map();
    for (const question of questions) {
      if (!this.visible.includes(question.id)) continue;
      const answer = this.run.answers[question.id] ??= untouchedAnswer(question);
      if (question.required !== false && !isComplete(question, answer)) {
        faults.set(question.id, this.texts.get("errorRequiredMissing"));
      }
    }
    this.showFaults(faults);
    if (faults.size > 0) return;
    await this.submit((found) => this.showFaults(found));
  }
}
