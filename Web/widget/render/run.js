// A respondent's run of a questionnaire or survey: the definition from the daemon, and the saved answers.

import { today } from "../../shared/numbers.js";

/** @typedef {import("../client.js").Bellwether} Bellwether */
/** @typedef {import("../queue.js").Outcome} Outcome */
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

/** The kinds of content by the path that serves them. */
const paths = { questionnaire: "questionnaires", survey: "surveys", flow: "flows" };

/**
 * Requests a definition. Without a kind, the daemon's answer to the first request names the kind of the slug.
 * @param {Bellwether} client
 * @param {RunOptions} options
 * @returns {Promise<{kind: string, status: number, body: any} | null>} null: none; status 0: no response
 */
export async function fetchDefinition(client, options) {
  const { kind, loaded } = options;
  if (loaded) return { kind: /** @type {string} */ (kind), status: 200, body: loaded };
  let found = await fetchKind(client, options, kind ?? "questionnaire");
  const other = found.body?.kind;
  if (found.status === 404 && !kind && other in paths) found = await fetchKind(client, options, other);
  return found.status === 404 ? null : found;
}

/** @param {Bellwether} client @param {RunOptions} options @param {string} kind */
async function fetchKind(client, { slug, force, responseId }, kind) {
  const query = { ...client.options.context, client_id: client.clientId, locale: client.locale };
  const more = kind === "flow" ? {} : { force: force ? "true" : undefined, response_id: responseId };
  const address = `${Reflect.get(paths, kind)}/${encodeURIComponent(slug)}`;
  const answer = await client.transport.get(address, { ...query, ...more }).catch(() => null);
  return { kind, status: answer?.status ?? 0, body: answer?.body ?? null };
}

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

export class Run {
  /** @param {Bellwether} client @param {RunOptions & {kind: string, body: any}} options */
  constructor(client, options) {
    this.client = client;
    this.options = options;
    const { kind, body } = options;
    this.definition = kind === "questionnaire" ? body.questionnaire : body.survey;
    /** @type {API.Question[]} */
    this.questions = kind === "questionnaire" ? this.definition.schema.questions : this.definition.questions;
    for (const question of this.questions) {
      for (const { range, ...keys } of withSubQuestions(question)) narrow(range, keys);
    }
    this.responseId = body.in_progress?.response_id ?? options.responseId;
    this.resumeAt = body.in_progress?.resume_at ?? undefined;
    /** @type {{[id: string]: any}} */
    this.answers = { ...this.#prefilled(), ...body.in_progress?.answers };
    this.isResumed = Boolean(body.in_progress);
    /** The saved answers, which need no stash. */
    this.settled = JSON.stringify(this.answers);
    /** The round that the respondent is in, of a recipe that asks again. @type {number | undefined} */
    this.round = body.round ?? undefined;
    // A save of a round does not replace a waiting one of another round. A recipe that asks once is in the first.
    this.group = `save/${kind}/${options.slug}${(this.round ?? 1) > 1 ? `/${this.round}` : ""}`;
    /** The ids of questions whose answer the daemon or the queue has. @type {Set<string>} */
    this.saved = new Set(Object.keys(body.in_progress?.answers ?? {}));
  }

  /**
   * The answers in an address, converted to the type of their question. An invalid value shows as no answer.
   * @returns {{[id: string]: any}}
   */
  #prefilled() {
    const { prefill = {} } = this.options;
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
   * @returns {Promise<boolean>} whether the round's answer is complete, and waits in the queue
   */
  async restore() {
    if (this.options.force) return false;
    const waiting = await this.client.queue?.waiting(this.group);
    if (waiting && !waiting.body.is_complete) this.#takeOver(waiting.body.answers);
    const { settings } = this.client;
    const { slug, user, round, answers } = JSON.parse(settings.get("typed") || "{}");
    // The input of a user is shown to no other user of this browser.
    const isOwn = (round ?? 1) === (this.round ?? 1) && (!user || user === settings.get("user"));
    if (slug === this.options.slug && isOwn && !waiting?.body.is_complete) this.#takeOver(answers);
    return Boolean(this.round && waiting?.body.is_complete);
  }

  /** @param {{[id: string]: any}} answers null if there are none */
  #takeOver(answers) {
    this.isResumed = true;
    for (const [id, answer] of Object.entries(answers)) {
      if (answer === null) delete this.answers[id];
      else this.answers[id] = answer;
    }
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

  get path() {
    return `${paths[/** @type {"questionnaire" | "survey"} */ (this.options.kind)]}/${
      encodeURIComponent(this.options.slug)
    }`;
  }

  /**
   * Saves the answers: a later save replaces an earlier one that has not been sent. A saved answer that is missing now
   * is cleared.
   * @param {boolean} isComplete
   * @param {string[]} [faulty] the questions whose stored answers stay as they are; the browser keeps what is written
   * @returns {Promise<Outcome>}
   */
  async save(isComplete, faulty = []) {
    const { client, options } = this;
    // With force, each save is a separate row, so there is no draft.
    if (options.force && !isComplete) return { state: "answered", status: 200, body: {} };
    this.settled = faulty.length > 0 ? "" : JSON.stringify(this.answers);
    if (client.settings.get("typed")) client.settings.set("typed", "");
    this.stash();
    const answers = { ...this.answers };
    for (const id of this.saved) if (answers[id] === undefined) answers[id] = null;
    for (const id of faulty) delete answers[id];
    const added = Object.keys(answers).filter((id) => !this.saved.has(id));
    for (const id of added) this.saved.add(id);
    const body = {
      client_id: client.clientId,
      response_id: this.responseId,
      round: this.round,
      message: options.message,
      session_id: client.sessionId,
      locale: this.definition.locale,
      sdk_name: "bellwether-web",
      attributes: client.options.context,
      answers,
      is_complete: isComplete,
      force: options.force || undefined,
    };
    const queue = /** @type {import("../queue.js").Queue} */ (client.queue);
    const outcome = await queue.post(`${this.path}/responses`, body, { group: this.group });
    if (outcome.state !== "answered") return outcome;
    if (outcome.status >= 300) { for (const id of added) this.saved.delete(id); }
    else if (!options.force) this.responseId = outcome.body?.id ?? this.responseId;
    // The answer before this round was deleted: what is written is of the round that is open now.
    if (outcome.body?.errors?.[0]?.code === "wrong_round") {
      this.round = outcome.body.round;
      return this.save(isComplete, faulty);
    }
    return outcome;
  }
}
