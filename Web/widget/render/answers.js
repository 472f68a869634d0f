// The parts that the views of a questionnaire and a survey share: faults of answers, drafts, the last page.
import { faultIn } from "../../shared/answers.js";
import { faultsByField } from "../../shared/problems.js";
import { compileVisibleQuestions } from "../../shared/visibility.js";
import { isComplete } from "./questions.js";
import { refusalOf, told, View } from "./view.js";

/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("./controls.js").Control} Control */

export class AnswerView extends View {
  /**
   * @param {import("./view.js").Bellwether} client
   * @param {Run} run
   * @param {() => void} onClosed
   * @param {"keep" | "drop"} policy the default for answers to hidden questions
   */
  constructor(client, run, onClosed, policy) {
    super(client, onClosed);
    this.run = run;
    this.texts = this.texts.with(run.definition.strings);
    this.evaluate = compileVisibleQuestions({ ...run.definition, questions: run.questions }, policy);
    /** All questions, in order; sub-questions follow their parents. @type {any[]} */
    this.questions = run.questions.flatMap((question) => [
      question,
      ...(question.sub_questions ?? []),
    ]);
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    /** The questions without a required answer. @type {Set<string>} */
    this.missing = new Set();
    /** The faults that only the daemon found. @type {Map<string, {answer: string, text: string}>} */
    this.told = new Map();
    /** The questions that show a fault. @type {Set<string>} */
    this.marked = new Set();
    /** The selector of the element after the summary of faults. @type {string | undefined} */
    this.summaryPlace = undefined;
    this.isFinished = false;
    this.cancel = () => this.leave();
  }

  /** @override */
  get detail() {
    const { slug, kind, message } = this.run.options;
    return { slug, kind, message, responseId: this.run.responseId };
  }

  /** @override */
  get isOver() {
    return this.isFinished && Boolean(this.run.round);
  }

  /** @override */
  get hasSheet() {
    return true;
  }

  /** The name of ×: the page's word for closing, else that of the definition. */
  get closeLabel() {
    return this.client.options.texts?.close ?? this.texts.get("cancelButton");
  }

  /** Ids of the questions that are shown, in order. @returns {string[]} */
  get visible() {
    return this.evaluate(this.run.answers).visible;
  }

  /** Shows all questions if the requested one is hidden. @param {string} id */
  showAll(id) {
    if (this.visible.includes(id)) return;
    Object.defineProperty(this, "visible", { value: this.questions.map((question) => question.id) });
  }

  /** Copies the answers on the screen into the run. */
  collect() {
    for (const [id, control] of this.controls) this.take(id, control.read());
  }

  /** @param {string} id @param {any} answer */
  take(id, answer) {
    if (answer === undefined) delete this.run.answers[id];
    else this.run.answers[id] = answer;
  }

  /** Checks an answer when the focus leaves its question. @param {string} id @param {Control} control */
  watch(id, control) {
    this.controls.set(id, control);
    control.element.addEventListener("focusout", async (/** @type {FocusEvent} */ event) => {
      if (control.element.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
      // A fault text that appears now would move a button away from the pointer.
      await this.press;
      if (this.controls.get(id) !== control) return;
      this.collect();
      const isNew = !this.marked.has(id);
      const text = this.mark(id);
      if (text && isNew && !this.isFinished) this.shell.say(text);
    });
  }

  /** Handles a changed answer: removes the fault if it is repaired. @param {string} id */
  changed(id) {
    if (!this.marked.has(id)) return;
    this.mark(id);
    if (this.marked.size === 0) this.summarize([]);
  }

  /** Shows the fault of an answer at its question. @param {string} id */
  mark(id) {
    const text = this.faultOf(id);
    this.controls.get(id)?.setError(text);
    if (text) this.marked.add(id);
    else this.marked.delete(id);
    return text;
  }

  /**
   * The fault of the answer to a visible question; null if there is none.
   * @param {string} id
   * @returns {string | null}
   */
  faultOf(id) {
    const question = this.questions.find((question) => question.id === id);
    if (!question || !this.visible.includes(id)) return null;
    const isMissing = this.missing.has(id) && !isComplete(question, this.run.answers[id]);
    return this.#wrong(question) ?? (isMissing ? this.texts.get("errorRequiredMissing") : null);
  }

  /** Whether a visible question has no complete answer, or a faulty one. @param {API.Question} question */
  isOpen(question) {
    const { id } = question;
    return this.visible.includes(id) && (!isComplete(question, this.run.answers[id]) || this.faultOf(id) !== null);
  }

  /** The reason why an answer cannot be saved. @param {API.Question} question */
  #wrong(question) {
    const answer = this.run.answers[question.id];
    const fault = faultIn(question, answer, this.evaluate(this.run.answers).answers);
    if (fault) return this.texts.fault(fault);
    const told = this.told.get(question.id);
    return told && told.answer === JSON.stringify(answer) ? told.text : null;
  }

  /** @param {Iterable<string>} ids @returns {Map<string, string>} the faults by question */
  faultsOf(ids) {
    const faults = new Map();
    for (const id of ids) {
      const text = this.faultOf(id);
      if (text) faults.set(id, text);
    }
    return faults;
  }

  /**
   * Stores the faults that the daemon found.
   * @param {any} problem
   * @param {any} answers the sent answers
   * @returns {boolean} whether there is a new fault
   */
  #learn(problem, answers) {
    let isNew = false;
    for (const [id, fault] of faultsByField(problem)) {
      const answer = JSON.stringify(answers[id]);
      if (fault.code === "required") this.missing.add(id);
      else if (this.told.get(id)?.answer !== answer) {
        this.told.set(id, { answer, text: this.texts.fault(fault) });
        isNew = true;
      }
    }
    return isNew;
  }

  /** Saves the answers on the screen, except those with faults. @returns {Promise<void>} */
  async saveDraft() {
    this.collect();
    const { visible } = this;
    const answers = { ...this.run.answers };
    const faulty = this.questions.filter((question) => visible.includes(question.id) && this.#wrong(question));
    const outcome = await this.run.save(false, faulty.map(({ id }) => id));
    // After a submission or a removal from the page, there is nothing to save.
    if (outcome.state !== "answered" || this.controls.size === 0) return undefined;
    if (outcome.body?.status === "screened_out" && !this.isFinished) {
      return this.#finished("closedTitle", "closedBody", "refused", "screened_out");
    }
    if (outcome.status !== 422 || !this.#learn(outcome.body, answers)) return undefined;
    for (const id of this.controls.keys()) if (this.told.has(id)) this.mark(id);
    return this.saveDraft();
  }

  /** Closes the view, and keeps the draft. @override */
  leave() {
    if (!this.isFinished) {
      this.collect();
      if (this.controls.size > 0 && Object.keys(this.run.answers).length > 0) this.saveDraft();
      this.client.emit("cancelled", this.detail);
    }
    this.isFinished = true;
    this.close();
  }

  /** Keeps the answers in this browser, where the prompt opens them again. @override */
  putAway() {
    super.putAway();
    this.controls.clear();
    this.run.isResumed = true;
  }

  /** @override */
  destroy() {
    this.isFinished = true;
    this.controls.clear();
    this.close();
  }

  /** @override */
  stash() {
    if (this.isFinished || this.controls.size === 0) return;
    this.collect();
    this.run.stash();
  }

  /**
   * Shows each fault at its question, and focuses the first one. Faults without a place on the page are in a summary.
   * @param {Map<string, string>} faults by question
   */
  showFaults(faults) {
    this.marked = new Set(faults.keys());
    for (const [id, control] of this.controls) control.setError(faults.get(id) ?? null);
    const isVisible = (/** @type {string} */ id) => this.controls.get(id)?.element.hidden === false;
    const elsewhere = [...faults].filter(([id]) => !isVisible(id));
    const first = [...faults.keys()].find(isVisible);
    const titles = new Map(this.questions.map((question) => [question.id, question.title ?? question.question]));
    const items = first === undefined ? elsewhere : elsewhere.filter(([id]) => !titles.has(id));
    this.summarize(
      items.map(([id, message]) => ({ text: titles.has(id) ? told(titles.get(id), message) : message })),
      this.summaryPlace,
    );
    if (first !== undefined && items.length === 0) this.#focusFault(first, faults.get(first) ?? "");
  }

  /** Focuses the control of a question, with the view's button in sight. @param {string} id @param {string} fault */
  #focusFault(id, fault) {
    const control = /** @type {Control} */ (this.controls.get(id));
    const isThere = control.element.contains(this.shell.host.shadowRoot.activeElement);
    control.focus();
    // A screen reader reads the description of a control that gets the focus.
    if (isThere) this.shell.say(fault);
    this.shell.body.querySelector(".actions .primary")?.scrollIntoView({ block: "nearest" });
    control.element.scrollIntoView({ block: "nearest" });
  }

  /**
   * Submits the answers, and shows the outcome.
   * @param {(faults: Map<string, string>) => void} onFaults called if answers have faults
   */
  async submit(onFaults) {
    const { run, texts } = this;
    const allowed = await this.ask("beforeAdvance", { ...this.detail, answers: run.answers, isComplete: true });
    if (allowed === false) return;
    if (typeof allowed === "string") return onFaults(new Map([["", allowed]]));
    const outcome = await this.working(run.save(true));
    if (outcome.state !== "answered") return this.#finished("queuedTitle", "queuedBody", "queued");
    const refusal = refusalOf(outcome);
    if (!refusal) return this.#finished("successTitle", "successBody", "submitted");
    if (outcome.status === 422) {
      this.#learn(outcome.body, run.answers);
      return onFaults(new Map([...faultsByField(outcome.body)].map(([id, fault]) => [id, texts.fault(fault)])));
    }
    if (outcome.status < 300 || outcome.status === 409) {
      return this.#finished(refusal.title, refusal.text, "refused", refusal.reason);
    }
    onFaults(new Map([["", texts.get("errorGeneric")]]));
  }

  /** @param {string} title @param {string} text @param {string} event @param {string} [reason] of a refusal */
  #finished(title, text, event, reason) {
    this.isFinished = true;
    this.controls.clear();
    if (event === "submitted") this.renew(this.run.round);
    this.client.emit(event, { ...this.detail, reason });
    this.finish(this.texts.get(title), this.texts.get(text), title === "successTitle");
  }
}
