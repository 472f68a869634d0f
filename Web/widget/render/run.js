// A respondent's run of a questionnaire or survey: the definition from the daemon, and the saved answers.

import { Form } from "../../client/form.js";
import { today } from "../../shared/numbers.js";

/** @typedef {import("../client.js").Bellwether} Bellwether */
/**
 * @typedef {object} RunOptions
 * @property {string} slug
 * @property {string} [kind]
 * @property {boolean} [force]
 * @property {string} [responseId]
 * @property {string} [message] the key of the message that presents it
 * @property {any} [loaded] the response with the definition, if the page provides it
 * @property {{[id: string]: string}} [prefill] the initial answers, as texts
 */

/** @param {API.Question} question @returns {API.Question[]} */
const withSubQuestions = (question) => [question, ...question.sub_questions ?? []];

/**
 * Narrows a range, which the daemon gives for all days that it is somewhere on earth, to the respondent's day.
 * @param {any} range
 * @param {any} keys of the question
 */
function narrow(range, { min_date, max_date }) {
  const isToday = (/** @type {unknown} */ bound) => bound === "current_date" || bound === "currentdate";
  if (range && isToday(min_date)) range.min = today();
  if (range && isToday(max_date)) range.max = today();
}

/** @extends {Form<Bellwether>} */
export class Run extends Form {
  /** @param {Bellwether} client @param {RunOptions & {kind: string, body: any}} options */
  constructor(client, options) {
    super(client, options);
    const { prefill = {} } = options;
    /** @type {API.Question[]} */
    this.questions = (options.kind === "questionnaire" ? this.definition.schema : this.definition).questions;
    for (const question of this.questions) {
      for (const { range, ...keys } of withSubQuestions(question)) narrow(range, keys);
    }
    this.answers = { ...this.#prefilled(prefill), ...this.answers };
    /** The saved answers, which need no stash. */
    this.settled = JSON.stringify(this.answers);
  }

  /**
   * The answers in an address, converted to the type of their question. An invalid value shows as no answer.
   * @param {{[id: string]: string}} prefill
   * @returns {{[id: string]: any}}
   */
  #prefilled(prefill) {
    const typed = (/** @type {API.Question} */ { type, question_type }, /** @type {string} */ text) => {
      if (type === "rating" || type === "nps") return Number(text);
      return /^multi_(choice|select)$/.test(type ?? question_type) ? text.split(",") : text;
    };
    const isText =
      /^(text|single_choice|multi_choice|rating|nps|single_select|multi_select|single_text_field|single_text_area|segment_select|year_picker|date_picker)$/;
    const known = this.questions.filter((question) =>
      question.id in prefill && isText.test(question.type ?? question.question_type)
    );
    return Object.fromEntries(
      known.map((question) => [question.id, typed(question, prefill[question.id])]),
    );
  }

  /**
   * Restores answers of this round that were given in this browser and have not been sent.
   * @override
   * @returns {Promise<boolean>} whether the round's answer is complete, and waits in the queue
   */
  async restore() {
    if (this.options.force) return false;
    const isComplete = await super.restore();
    const { settings } = this.client;
    const { slug, user, round, answers } = JSON.parse(settings.get("typed") || "{}");
    // The input of a user is shown to no other user of this browser.
    const isOwn = (round ?? 1) === (this.round ?? 1) && (!user || user === settings.get("user"));
    if (slug === this.options.slug && isOwn && !isComplete) this.takeOver(answers);
    return Boolean(this.round) && isComplete;
  }

  /** Stores unsaved answers in this browser until they are saved. */
  stash() {
    const { client, options } = this;
    if (options.force || JSON.stringify(this.answers) === this.settled) return;
    const answers = { ...this.answers };
    for (const question of this.questions) {
      for (const { id, sensitive } of withSubQuestions(question)) if (sensitive) delete answers[id];
    }
    const user = client.settings.get("user");
    client.settings.set("typed", JSON.stringify({ slug: options.slug, user, round: this.round, answers }));
  }

  /**
   * Saves the answers; the browser keeps what has faults.
   * @override
   * @param {boolean} isComplete
   * @param {string[]} [faulty]
   */
  save(isComplete, faulty = []) {
    const { settings } = this.client;
    this.settled = faulty.length > 0 ? "" : JSON.stringify(this.answers);
    if (settings.get("typed")) settings.set("typed", "");
    this.stash();
    return super.save(isComplete, faulty);
  }
}
