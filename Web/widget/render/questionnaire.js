// A questionnaire: one question per page, and a draft after each page.
import { h } from "../../shared/dom.js";
import { AnswerView } from "./answers.js";
import { isComplete, questionControl } from "./questions.js";
import { button, closeButton, meter } from "./elements.js";

export class QuestionnaireView extends AnswerView {
  /** @param {import("./view.js").Bellwether} client @param {import("./run.js").Run} run @param {() => void} onClosed */
  constructor(client, run, onClosed) {
    super(client, run, onClosed, "drop");
  }

  /** The questions that are shown, in order. @returns {any[]} */
  get shown() {
    const { visible } = this;
    return this.run.questions.filter((question) => visible.includes(question.id));
  }

  /** Shows the first page: the page at which the draft ends, or else the first question. */
  start() {
    const rest = this.shown.findIndex((question) => this.isOpen(question));
    if (!this.run.isResumed) this.page(0);
    else this.page(rest < 0 ? this.shown.length - 1 : rest);
    this.client.emit("started", this.detail);
  }

  /** @param {number} index @param {Map<string, string>} [faults] @returns {void} */
  page(index, faults) {
    const { texts, shown } = this;
    const question = shown[index];
    if (!question) return this.page(0);
    this.shell.paint.clear();
    const caption = {
      title: question.title,
      hint: question.subtitle,
      note: question.required ? texts.get("required") : undefined,
      isHeading: true,
      part: `question-${question.id}`,
    };
    const control = questionControl({
      question,
      caption,
      texts,
      value: this.run.answers[question.id],
      onChange: () => {
        label();
        this.changed(question.id);
      },
    });
    this.controls.clear();
    this.watch(question.id, control);
    const next = button("", "primary", () => this.#advance(index));
    // The last page depends on the answers: a condition may add questions.
    const label = () => {
      this.collect();
      const isLast = this.shown.at(-1) === question;
      const isSkip = !question.required && !isComplete(question, this.run.answers[question.id]);
      next.classList.toggle("skip", isSkip && !isLast);
      next.textContent = texts.get(isLast ? "submitButton" : isSkip ? "skipButton" : "nextButton");
    };
    label();
    const progress = texts.get("progress", { n: index + 1, total: shown.length });
    this.shell.replace([
      h(
        "div",
        { class: "head" },
        h("p", { class: "progress", part: "progress" }, progress),
        this.isPage ? null : closeButton(this.closeLabel, () => this.leave()),
      ),
      h("div", { class: "top bar" }, meter({ index, total: shown.length, label: progress }, this.shell.paint)),
      control.element,
      h(
        "div",
        { class: "actions", part: "actions" },
        index > 0 ? button(texts.get("backButton"), "", () => this.#back(index)) : null,
        h("span", { class: "spacer" }),
        next,
      ),
    ], { announce: `${progress}. ${question.title}` });
    if (faults) this.showFaults(faults);
    else this.mark(question.id);
  }

  /** Shows a question independent of its conditions, for previews. @param {string} id */
  reveal(id) {
    this.showAll(id);
    this.page(this.shown.findIndex((question) => question.id === id));
  }

  /** @param {number} index */
  #back(index) {
    this.collect();
    this.page(index - 1);
  }

  /** @param {number} index */
  async #advance(index) {
    this.collect();
    const question = this.shown[index];
    if (question.required) this.missing.add(question.id);
    const faults = this.faultsOf([question.id]);
    this.showFaults(faults);
    if (faults.size > 0) return;
    const following = this.shown.indexOf(question) + 1;
    if (following >= this.shown.length) return this.#submit();
    this.saveDraft();
    this.page(following);
  }

  #submit() {
    const faults = this.faultsOf(this.visible);
    return faults.size > 0 ? this.#goTo(faults) : this.submit((found) => this.#goTo(found));
  }

  /** Shows the first page that has a fault. @param {Map<string, string>} faults */
  #goTo(faults) {
    const index = this.shown.findIndex(({ id }) => faults.has(id));
    this.page(index < 0 ? this.shown.length - 1 : index, faults);
  }
}
