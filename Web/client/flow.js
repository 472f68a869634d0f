// A respondent's run of a flow: the daemon chooses the step.
import { pathOf } from "./requests.js";
import { patience, randomId } from "./transport.js";

/** @typedef {import("./queue.js").Outcome} Outcome */

export class Flow {
  /**
   * @param {import("./core.js").Core<any>} client
   * @param {{slug: string, message?: string, context?: {[name: string]: any}}} options
   */
  constructor(client, options) {
    this.client = client;
    this.options = options;
    /** The run in the last response. @type {any} */
    this.run = null;
    /** The id of the start: a repeated one is the same run. */
    this.startId = randomId();
  }

  get path() {
    return `runs/${this.run.run_id}`;
  }

  /**
   * Starts a run, or continues the open one.
   * @returns {Promise<{status: number, body: any}>} status 0: no response
   */
  start() {
    const { client, options } = this;
    const body = {
      client_id: client.clientId,
      message: options.message,
      locale: client.locale,
      attributes: client.options.context,
      context: options.context,
    };
    const path = `${pathOf("flow", options.slug)}/runs`;
    return this.#note(client.transport.post(path, body, this.startId, patience));
  }

  /** Requests the run again, for example when a step that waited has arrived. */
  reload() {
    return this.#note(this.client.transport.get(this.path));
  }

  /** @param {Promise<{status: number, body: any}>} asked */
  async #note(asked) {
    const answer = await asked;
    if (answer.status > 0 && answer.status < 300) this.run = answer.body;
    return answer;
  }

  /** The action of this run that waits in the queue. */
  async waiting() {
    return (await this.client.queue?.waiting(this.path))?.body;
  }

  /**
   * Answers a step. The queue stores answers until they arrive, but never a secret. A run has one action at a time.
   * @param {"next" | "skip" | "back"} action
   * @param {any} [response]
   * @param {{host?: any, isSecret?: boolean}} [options] `host`: what the app's own hook has decided
   * @returns {Promise<Outcome>} status 0: no response, and nothing waits
   */
  async advance(action, response = {}, { host, isSecret = false } = {}) {
    const { client, run } = this;
    const id = randomId();
    const path = `${this.path}/advance`;
    const body = { step_id: run.step_id, response, action, host, id };
    /** @type {Outcome} */
    const outcome = isSecret
      ? { state: "answered", ...await client.transport.post(path, body, id, patience) }
      : await client.send(path, body, { id, group: this.path, patience }).outcome;
    const next = outcome.state === "answered" && (outcome.status === 200 ? outcome.body : outcome.body?.run);
    if (next) this.run = next;
    return outcome;
  }

  /** Ends the run. */
  dismiss() {
    return this.client.send(`${this.path}/dismiss`, {});
  }
}
