// A respondent's answers to a questionnaire or survey: the definition from the daemon, and what was saved.
import { pathOf } from "./requests.js";

/** @typedef {import("./queue.js").Outcome} Outcome */
/**
 * @typedef {object} FormOptions
 * @property {string} slug
 * @property {string} kind
 * @property {any} body the daemon's answer with the definition
 * @property {boolean} [force] a preview: answers count nowhere
 * @property {string} [responseId]
 * @property {string} [message] the key of the message that presents it
 */

/** @template {import("./core.js").Core<any>} C */
export class Form {
  /** @param {C} client @param {FormOptions} options */
  constructor(client, options) {
    this.client = client;
    this.options = options;
    const { kind, body } = options;
    const { in_progress: draft } = body;
    this.definition = body[kind];
    this.responseId = draft?.response_id ?? options.responseId;
    /** @type {{[id: string]: any}} */
    this.answers = { ...draft?.answers };
    this.isResumed = Boolean(draft);
    /** The round that the respondent is in, of a recipe that asks again. @type {number | undefined} */
    this.round = body.round ?? undefined;
    // A save of a round does not replace a waiting one of another round. A recipe that asks once is in the first.
    // One of another client of this storage, that of another user, stays as well.
    this.group = `save/${client.clientId}/${this.path}/${this.round ?? 1}`;
    /** The ids of questions whose answer the daemon or the queue has. @type {Set<string>} */
    this.saved = new Set(Object.keys(this.answers));
  }

  /**
   * Restores the answers of this round that wait in the queue.
   * @returns {Promise<boolean>} whether the round's answer is complete, and waits in the queue
   */
  async restore() {
    if (this.options.force) return false;
    const waiting = await this.client.queue?.waiting(this.group);
    if (waiting && !waiting.body.is_complete) this.takeOver(waiting.body.answers);
    return Boolean(waiting?.body.is_complete);
  }

  /** @param {{[id: string]: any}} answers null if there are none */
  takeOver(answers) {
    this.isResumed = true;
    for (const [id, answer] of Object.entries(answers)) {
      if (answer === null) delete this.answers[id];
      else this.answers[id] = answer;
    }
  }

  get path() {
    return pathOf(this.options.kind, this.options.slug);
  }

  /**
   * Saves the answers: a later save replaces an earlier one that has not been sent. A saved answer that is missing now
   * is cleared.
   * @param {boolean} isComplete
   * @param {string[]} [faulty] the questions whose stored answers stay as they are
   * @returns {Promise<Outcome>}
   */
  async save(isComplete, faulty = []) {
    const { client, options } = this;
    // With force, each save is a separate row, so there is no draft.
    if (options.force && !isComplete) return { state: "answered", status: 200, body: {} };
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
      sdk_name: client.sdkName,
      attributes: client.options.context,
      answers,
      is_complete: isComplete,
      force: options.force || undefined,
    };
    const outcome = await client.send(`${this.path}/responses`, body, { group: this.group }).outcome;
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
