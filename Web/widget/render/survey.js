// A survey: one question after another. Earlier questions stay above and can be changed. A question appears and
// disappears with the answers before it.
import { h } from "../../shared/dom.js";
import { asksPredicate } from "../../shared/visibility.js";
import { AnswerView } from "./answers.js";
import { questionControl, untouchedAnswer } from "./questions.js";
import { button, closeButton, head } from "./elements.js";

const draftMilliseconds = 1_000;

export class SurveyView extends AnswerView {
  /** @param {import("./view.js").Bellwether} client @param {import("./run.js").Run} run @param {() => void} onClosed */
  constructor(client, run, onClosed) {
    super(client, run, onClosed, "keep");
    /** Whether a condition has a predicate, which only the daemon can evaluate. */
    this.asksDaemon = asksPredicate(run.questions);
    /** The questions that the daemon reports as visible. @type {string[]} */
    this.answered = this.run.options.body.visible ?? [];
    /** The questions that the respondent has used or passed; only their controls' values are answers. */
    this.given = new Set(Object.keys(run.answers));
    /** The index of the last question that has appeared; earlier questions stay above it. */
    this.last = 0;
    this.draftTimer = 0;
    this.summaryPlace = ".actions";
  }

  /** @override */
  get visible() {
    return this.asksDaemon ? this.answered : super.visible;
  }

  /** The questions on the screen. @returns {API.Question[]} */
  get reached() {
    const { visible } = this;
    return this.questions.slice(0, this.last + 1).filter(({ id }) => visible.includes(id));
  }

  /** The index of the next question; 0 if there is none. */
  get following() {
    const { visible } = this;
    return this.questions.findIndex(({ id }, index) => index > this.last && visible.includes(id)) + 1;
  }

  start() {
    const { run, texts, client } = this;
    const { name = texts.get("title"), description } = run.definition;
    const { visible } = this;
    const isAnswered = (/** @type {{id: string}} */ { id }) => visible.includes(id) && run.answers[id] !== undefined;
    const open = this.questions.findIndex((question) => this.isOpen(question));
    this.last = Math.max(open < 0 ? this.questions.length - 1 : open, this.questions.findLastIndex(isAnswered));
    this.progress = h("p", { class: "progress", part: "progress" });
    this.next = button("", "primary", () => this.#advance());
    this.shell.replace([
      // A page has its heading and the description above.
      this.isPage ? h("span") : head(name, closeButton(this.closeLabel, () => this.leave())),
      description && !this.isPage ? h("p", { class: "text bidi", part: "text" }, description) : h("p", {}),
      h("div", {}, run.questions.map((question) => this.#question(question))),
      h("div", { class: "actions", part: "actions" }, this.progress, h("span", { class: "spacer" }), this.next),
    ]);
    this.#draw();
    if (run.isResumed) this.#resume(this.questions[open] ?? this.reached.at(-1));
    client.emit("started", this.detail);
  }

  /** Leads to the question at which the respondent stopped; leaves the focus and the scrolling of a host page alone. */
  #resume(/** @type {API.Question} */ question) {
    const { mode } = this.shell.options;
    const isOwn = mode === "modal" || mode === "page" || this.shell.hasFocus;
    if (question && (isOwn || mode === "popover")) this.#lead(question.id, isOwn);
  }

  /** @override */
  putAway() {
    clearTimeout(this.draftTimer);
    super.putAway();
  }

  /** @override */
  close() {
    clearTimeout(this.draftTimer);
    super.close();
  }

  /** @param {API.Question} question @param {boolean} [isBelow] @returns {HTMLElement} */
  #question(question, isBelow = false) {
    const { id } = question;
    const control = questionControl({
      question,
      caption: {
        title: question.question,
        header: question.header,
        note: question.required === false ? this.texts.get("optional") : undefined,
        part: isBelow ? "sub-question" : `question-${id}`,
      },
      texts: this.texts,
      value: this.run.answers[id],
      onChange: () => this.#use(question),
    });
    this.watch(id, control);
    const below = (question.sub_questions ?? []).map((sub) => this.#question(sub, true));
    return below.length > 0 ? h("div", {}, control.element, h("div", { class: "below" }, below)) : control.element;
  }

  /** @override */
  collect() {
    for (const { id } of this.questions) {
      const control = this.controls.get(id);
      if (control) this.take(id, this.given.has(id) ? control.read() : undefined);
    }
  }

  /** Handles the use of a control. @param {API.Question} question */
  async #use(question) {
    this.given.add(question.id);
    this.collect();
    const { units } = this.controls.get(question.id) ?? {};
    if (units) { for (const other of this.controls.values()) other.units?.offer(units); }
    clearTimeout(this.draftTimer);
    this.draftTimer = setTimeout(() => this.saveDraft(), draftMilliseconds);
    await this.#evaluate();
    this.#draw();
    this.changed(question.id);
  }

  /** Requests the visible questions from the daemon if the page cannot compute them. */
  async #evaluate() {
    if (!this.asksDaemon) return;
    const { client, run } = this;
    const body = { answers: run.answers, client_id: client.clientId, attributes: client.options.context };
    const answer = await client.transport.post(`${run.path}/evaluate`, body);
    if (answer.status === 200) this.answered = answer.body.visible;
  }

  /** Shows the reached questions and hides the others; elements stay, to keep focus and text. */
  #draw() {
    const { run, texts, reached } = this;
    const shown = new Set(reached.map(({ id }) => id));
    for (const [id, control] of this.controls) control.element.hidden = !shown.has(id);
    // Questions come and go with the answers: the places in the document stay.
    const { questions } = run;
    const last = this.questions[this.last]?.id;
    const index = questions.findIndex((question) =>
      question.id === last || question.sub_questions?.some((sub) => sub.id === last)
    );
    const counts = texts.get("progress", { n: index + 1, total: questions.length });
    if (this.progress) this.progress.textContent = counts;
    const submit = run.definition.submit?.button_title ?? texts.get("submitButton");
    if (this.next) this.next.textContent = this.following ? texts.get("nextButton") : submit;
    return counts;
  }

  /** Shows the questions up to this one, independent of their conditions, for previews. @param {string} id */
  reveal(id) {
    this.showAll(id);
    this.last = Math.max(0, this.questions.findIndex((question) => question.id === id));
    this.#draw();
  }

  /** Checks all questions on the screen, and continues to the next one or submits. */
  async #advance() {
    clearTimeout(this.draftTimer);
    for (const question of this.reached) {
      const { id } = question;
      // Passing a question accepts the value of its control; some types need no choice.
      this.given.add(id);
      this.take(id, this.controls.get(id)?.read() ?? untouchedAnswer(question));
      if (question.required !== false) this.missing.add(id);
    }
    await this.#evaluate();
    const faults = this.faultsOf(this.reached.map(({ id }) => id));
    this.showFaults(faults);
    if (faults.size > 0) return undefined;
    if (!this.following) return this.submit((found) => this.showFaults(found));
    this.last = this.following - 1;
    this.saveDraft();
    this.shell.say(this.#draw());
    return this.#lead(this.questions[this.last].id);
  }

  /** Scrolls a question into view and focuses it. @param {string} id @param {boolean} [focuses] */
  #lead(id, focuses = true) {
    const element = this.controls.get(id)?.element;
    const title = /** @type {HTMLElement | null | undefined} */ (element?.querySelector(".legend, .label"));
    title?.setAttribute("tabindex", "-1");
    this.next?.scrollIntoView({ block: "nearest" });
    element?.scrollIntoView({ block: "nearest" });
    if (focuses) title?.focus({ preventScroll: true });
  }
}
