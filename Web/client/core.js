// What an app's client and the widget have in common: who the client is, what it records, and what it asks for. It
// needs no page.
import { randomId, Transport } from "./transport.js";

/** @typedef {import("./queue.js").Receipt} Receipt */
/** @typedef {import("./transport.js").Answer & {sessionId: string}} Polled `sessionId`: the session that has asked */
/**
 * @typedef {object} CoreOptions
 * @property {string} app
 * @property {string} base the daemon's address
 * @property {string} [token] a client's token
 * @property {string} [clientId] by default a generated id that the storage keeps
 * @property {string} [locale]
 * @property {string[]} [surfaces] by default all
 * @property {{[name: string]: any}} [context] attributes for targeting
 * @property {"required"} [consent] nothing is stored or sent before `consent(true)`
 * @property {typeof fetch} [fetch]
 */
/** @typedef {{get(name: string): string | undefined, set(name: string, value: string): void, clear(): void}} Settings */

/** The receipt of what is not recorded. @returns {Receipt} */
export const dropped = () => ({
  stored: Promise.resolve(false),
  outcome: Promise.resolve({ state: "dropped" }),
});

/** @template {CoreOptions} O */
export class Core {
  /** @param {O} options @param {Settings} settings @param {string} sdkName the name of the program in what it saves */
  constructor(options, settings, sdkName) {
    this.options = options;
    this.sdkName = sdkName;
    this.settings = settings;
    this.transport = new Transport(options);
    /** @type {import("./queue.js").Queue | undefined} */
    this.queue = undefined;
    this.sessionId = randomId();
    this.isAllowed = options.consent !== "required";
    this.isDestroyed = false;
    /** Settles after the request for messages that was begun last. @type {Promise<unknown>} */
    this.asked = Promise.resolve();
    /** The request for messages that begins after it. @type {Promise<any> | undefined} */
    this.following = undefined;
  }

  /**
   * Is told of a post that was sent later.
   * @param {import("./posts.js").Post} post
   * @param {import("./queue.js").Answered} outcome
   */
  delivered(post, outcome) {
    if (post.path === "identify") this.#identified(post.body.user_id, outcome);
  }

  /** The client's id. */
  get clientId() {
    const known = this.options.clientId ?? this.settings.get("client");
    if (known) return known;
    const id = randomId();
    if (this.isAllowed) this.settings.set("client", id);
    return id;
  }

  /** The user whom this client was assigned to. @returns {string | undefined} */
  get userId() {
    return this.settings.get("user") || undefined;
  }

  /**
   * Records a post.
   * @param {string} path
   * @param {any} body
   * @param {import("./queue.js").PostOptions} [options]
   * @returns {Receipt}
   */
  send(path, body, options) {
    return this.queue?.add(path, body, options) ?? dropped();
  }

  /**
   * Records an event.
   * @param {object} event
   * @param {import("./queue.js").PostOptions} [options]
   */
  note(event, options) {
    const one = { ...event, id: randomId(), at: new Date().toISOString() };
    return this.send("events", { client_id: this.clientId, session_id: this.sessionId, events: [one] }, options);
  }

  /**
   * Assigns this client to a user. From then on, drafts and answers belong to the user, on every device. Another user
   * than before gets another client id, unless the app has chosen the id.
   * @param {string} userId
   * @param {string} [userProof]
   * @returns {Promise<boolean | undefined>} whether the client is the user's; false also while that waits to be sent;
   *   undefined without consent
   */
  async identify(userId, userProof) {
    const { userId: known } = this;
    if (!this.queue) return undefined;
    if (known === userId) return true;
    if (known && !this.options.clientId) this.reset();
    this.settings.set("user", userId);
    const body = { client_id: this.clientId, user_id: userId, user_proof: userProof };
    // Each client has a group, so that another user's does not replace this one.
    const outcome = await this.send("identify", body, { group: body.client_id }).outcome;
    return this.#identified(userId, outcome);
  }

  /**
   * Forgets a user whom the daemon has refused.
   * @param {string} userId
   * @param {import("./queue.js").Outcome} outcome
   * @returns {boolean} whether the daemon has accepted the user
   */
  #identified(userId, outcome) {
    const isAccepted = outcome.state === "answered" && outcome.status === 200;
    if (!isAccepted && outcome.state !== "queued" && this.userId === userId) this.settings.set("user", "");
    return isAccepted;
  }

  /**
   * Requests the messages that may be shown now, and sends the events that wait. One request is under way at a time:
   * calls during a request share the next one.
   * @returns {Promise<any>} what `received` returns
   */
  refresh() {
    return this.following ??= this.asked.then(() => {
      this.following = undefined;
      const answered = this.#ask();
      this.asked = answered;
      return answered.then((answer) => this.received(answer));
    });
  }

  /** Is told of each answer. @abstract @param {Polled | undefined} _answer undefined without consent @returns {any} */
  received(_answer) {}

  /** The language of texts. @abstract @returns {string} */
  get locale() {
    return "";
  }

  /** @returns {Promise<Polled | undefined>} */
  async #ask() {
    const { queue } = this;
    await queue?.identified;
    if (this.isDestroyed || !queue) return undefined;
    const sender = { client_id: this.clientId, session_id: this.sessionId };
    const { context, surfaces } = this.options;
    const body = { ...sender, context: { ...context, locale: this.locale }, surfaces };
    const answer = await queue.carry(
      sender,
      (events) => this.transport.post("messages", { ...body, events: events[0] && events }),
    );
    queue.sendEvents();
    return answer && { ...answer, sessionId: sender.session_id };
  }

  /** Forgets the client, for example after signing out. Unsent answers are still sent. */
  reset() {
    this.options = { ...this.options, clientId: undefined, userId: undefined, userProof: undefined };
    this.settings.clear();
    this.sessionId = randomId();
  }

  /** Deletes what is stored, and sends nothing any more. */
  async withdraw() {
    this.isAllowed = false;
    const { queue } = this;
    this.queue = undefined;
    await queue?.close();
    await queue?.store.clear();
    this.settings.clear();
  }
}
