// The client of an app. docs/javascript.md describes it.
import { IndexedPosts, LocalSettings } from "./browser.js";
import { Core, dropped } from "./core.js";
import { Flow } from "./flow.js";
import { Form } from "./form.js";
import { KeyedPosts, KeyedSettings } from "./posts.js";
import { Queue } from "./queue.js";
import { answer, content, dismissAll, record } from "./requests.js";

/**
 * @typedef {object} AppOptions
 * @property {import("./posts.js").Storage} [storage] by default that of the browser
 * @property {"manual"} [refresh] messages are requested by `refresh()` only
 * @property {(post: {path: string, body: any}) => any} [beforeSend] returns the body to record, or null for none
 */
/** @typedef {import("./core.js").CoreOptions & AppOptions} ClientOptions */
/** @typedef {{readonly messages: readonly any[], readonly at: number | null}} Snapshot `at`: when it was received */

/** The number of posts above which behaviour events are dropped, oldest first; other posts never are. */
const limit = 1000;
/** The number of events after which the posts are counted again. */
const interval = 50;

/** @type {Snapshot} */
const empty = freeze({ messages: [], at: null });

/** @template T @param {T} value @returns {T} */
function freeze(value) {
  if (value !== null && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** @param {string | undefined} text @returns {any} */
function read(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/**
 * Opens the client of an app. It waits for the storage, and never for the network.
 * @param {ClientOptions} options
 */
export async function open(options) {
  const client = new Client(options);
  await client.start();
  return client;
}

/** @extends {Core<ClientOptions>} */
export class Client extends Core {
  /** @param {ClientOptions} options */
  constructor(options) {
    const { app, storage } = options;
    const settings = storage
      ? new KeyedSettings(storage, `bellwether.${app}.value.`)
      : new LocalSettings(`bellwether.${app}.`);
    super(options, settings, "bellwether-js");
    /** The last good answer, which is replaced as a whole. @type {Snapshot} */
    this.snapshot = empty;
    /** The first attempts that are under way. @type {Set<Promise<unknown>>} */
    this.underWay = new Set();
    /** The number of events since the posts were counted. */
    this.uncounted = 0;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    this.onVisible = () => {
      if (globalThis.document?.visibilityState === "visible") this.refresh();
    };
  }

  /** Reads what is stored, and begins to send and to ask, unless consent is required and not given. */
  async start() {
    if (!this.isAllowed || this.isDestroyed || this.queue) return;
    const { app, storage } = this.options;
    if (this.settings instanceof KeyedSettings) await this.settings.load();
    if (!this.isAllowed || this.isDestroyed || this.queue) return;
    const name = `bellwether-${app}`;
    const backend = storage ? new KeyedPosts(storage, `bellwether.${app}.post.`) : new IndexedPosts(name);
    this.queue = new Queue(this, backend, name);
    this.queue.flush(true);
    const { client, at, messages } = read(this.settings.get("snapshot")) ?? {};
    const isOpen = (/** @type {any} */ message) =>
      message.max_display_count === null || message.display_count < message.max_display_count;
    if (client === this.clientId) this.#swap({ messages: messages.filter(isOpen), at });
    globalThis.document?.addEventListener("visibilitychange", this.onVisible);
    if (this.options.refresh !== "manual") this.refresh();
  }

  /** @param {Snapshot} snapshot */
  #swap(snapshot) {
    this.snapshot = freeze(snapshot);
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        console.error("bellwether:", error);
      }
    }
  }

  /** @param {Snapshot} snapshot */
  #keep(snapshot) {
    this.settings.set("snapshot", JSON.stringify({ client: this.clientId, ...snapshot }));
    this.#swap(snapshot);
  }

  /**
   * Replaces the snapshot.
   * @override
   * @param {import("./core.js").Polled | undefined} answer
   * @returns {boolean} whether there is a new one
   */
  received(answer) {
    // An answer for a client that was forgotten meanwhile counts for nobody.
    if (answer?.status !== 200 || answer.sessionId !== this.sessionId) return false;
    this.#keep({ messages: answer.body.messages, at: Date.now() });
    return true;
  }

  /**
   * The messages that may be shown on a surface, of the last good answer.
   * @param {string} [surface] by default all surfaces
   * @returns {readonly any[]}
   */
  messages(surface) {
    const { messages } = this.snapshot;
    return surface === undefined ? messages : messages.filter((message) => message.surface === surface);
  }

  /** The age of the last good answer in milliseconds; null without an answer. */
  get age() {
    return this.snapshot.at === null ? null : Math.max(0, Date.now() - this.snapshot.at);
  }

  /** Calls a function when there are other messages. @param {() => void} listener @returns {() => void} ends that */
  onChange(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * @override
   * @param {string} path
   * @param {any} body
   * @param {import("./queue.js").PostOptions} [options]
   */
  send(path, body, options) {
    const { beforeSend } = this.options;
    try {
      const allowed = beforeSend && this.queue ? beforeSend({ path, body }) : body;
      if (!allowed) return dropped();
      const receipt = super.send(path, allowed, options);
      this.underWay.add(receipt.outcome);
      receipt.outcome.then(() => this.underWay.delete(receipt.outcome));
      return receipt;
    } catch (error) {
      console.error("bellwether:", error);
      return dropped();
    }
  }

  /** Adds attributes for targeting. @param {{[name: string]: any}} attributes */
  setAttributes(attributes) {
    this.options = { ...this.options, context: { ...this.options.context, ...attributes } };
  }

  /**
   * Counts a behaviour event.
   * @param {string} name
   * @param {{count?: number, properties?: {[name: string]: string | number | boolean}}} [options]
   */
  track(name, { count = 1, properties } = {}) {
    const receipt = this.note({ type: "behavior", name, count, properties });
    if (++this.uncounted % interval === 0) receipt.stored.then(() => this.#trim());
    return receipt;
  }

  /** Drops the oldest behaviour events if too much waits. */
  async #trim() {
    const { queue } = this;
    if (!queue) return;
    const posts = await queue.store.all();
    const isBehavior = (/** @type {import("./posts.js").Post} */ { path, body }) =>
      path === "events" && body.events[0].type === "behavior";
    for (const { id } of posts.filter(isBehavior).slice(0, Math.max(posts.length - limit, 0))) {
      await queue.store.delete(id);
    }
  }

  /**
   * Records an action on a message.
   * @param {"message" | "microsurvey"} type
   * @param {string} action
   * @param {any} message
   */
  record(type, action, message) {
    const receipt = record(this, type, action, message);
    if (action === "displayed") this.#count(message.key);
    const ends = action === "dismissed" || action === "dismiss_button_tapped" ||
      (action === "clicked" && !message.microsurvey && !message.presents);
    if (ends) this.#remove(message.key);
    return receipt;
  }

  /** Answers a microsurvey. @param {any} message @param {unknown} option the id of the option */
  answer(message, option) {
    const receipt = answer(this, message, option);
    this.#remove(message.key);
    return receipt;
  }

  /** @param {string} key */
  #remove(key) {
    const { at, messages } = this.snapshot;
    this.#keep({ at, messages: messages.filter((message) => message.key !== key) });
  }

  /** Counts a display, so that a start without network does not exceed the message's cap. @param {string} key */
  #count(key) {
    const { at, messages } = this.snapshot;
    const counted = (/** @type {any} */ message) =>
      message.key === key ? { ...message, display_count: message.display_count + 1 } : message;
    this.#keep({ at, messages: messages.map(counted) });
  }

  /** Dismisses all questionnaires and surveys for this client. */
  dismissAll() {
    return dismissAll(this);
  }

  /** @param {string} slug @param {{message?: string, force?: boolean, responseId?: string}} [options] */
  questionnaire(slug, options) {
    return this.#form("questionnaire", slug, options);
  }

  /** @param {string} slug @param {{message?: string, force?: boolean, responseId?: string}} [options] */
  survey(slug, options) {
    return this.#form("survey", slug, options);
  }

  /**
   * Requests a definition. Without a response, it is the last good one.
   * @param {"questionnaire" | "survey"} kind
   * @param {string} slug
   * @param {{message?: string, force?: boolean, responseId?: string}} [options]
   * @returns {Promise<{form: AppForm} | {form: null, reason: string}>}
   */
  async #form(kind, slug, options = {}) {
    const found = await this.#definition(kind, slug, options);
    if (!found.body || found.body.eligible === false) return { form: null, reason: found.body?.reason ?? found.reason };
    const form = new AppForm(this, { ...options, slug, kind, body: found.body }, found.at);
    return await form.restore() ? { form: null, reason: "already_responded" } : { form };
  }

  /**
   * @param {string} kind
   * @param {string} slug
   * @param {{force?: boolean, responseId?: string}} [options]
   * @returns {Promise<{body: any, at: number, reason: string}>}
   */
  async #definition(kind, slug, options) {
    const none = { body: null, at: 0 };
    if (!this.isAllowed || !this.queue) return { ...none, reason: "consent" };
    const name = `${kind}.${slug}`;
    const { status, body } = await content(this, slug, { ...options, kind });
    if (status === 200) {
      const found = { body, at: Date.now(), reason: "" };
      if (!options?.force) this.settings.set(name, JSON.stringify({ ...found, client: this.clientId }));
      return found;
    }
    if (status > 0 && status < 500 && status !== 429) return { ...none, reason: "not_found" };
    const cached = read(this.settings.get(name));
    return cached?.client === this.clientId ? cached : { ...none, reason: "unreachable" };
  }

  /** Forgets a definition: its answer is complete. @param {string} kind @param {string} slug */
  forget(kind, slug) {
    this.settings.set(`${kind}.${slug}`, "null");
  }

  /**
   * Starts a run of a flow, or continues the open one. The daemon chooses the step, so this needs the network.
   * @param {string} slug
   * @param {{message?: string, context?: {[name: string]: any}}} [options]
   * @returns {Promise<{flow: Flow, definition: any} | {flow: null, reason: string}>}
   */
  async flow(slug, options = {}) {
    const found = await this.#definition("flow", slug, {});
    if (!found.body) return { flow: null, reason: found.reason };
    const flow = new Flow(this, { ...options, slug });
    const { status, body } = await flow.start();
    if (status > 0 && status < 300) return { flow, definition: found.body.flow };
    return {
      flow: null,
      reason: body?.errors?.[0]?.code ?? (status > 0 && status < 500 ? "not_found" : "unreachable"),
    };
  }

  /** @override */
  get locale() {
    return this.options.locale ?? Intl.DateTimeFormat().resolvedOptions().locale;
  }

  /** @override @param {string} userId @param {string} [userProof] */
  async identify(userId, userProof) {
    const isNew = this.userId !== userId;
    const isAccepted = await super.identify(userId, userProof);
    if (isNew) this.refresh();
    return isAccepted;
  }

  /** @override */
  reset() {
    super.reset();
    this.#swap(empty);
  }

  /** Gives or withdraws consent. A withdrawal deletes all that is stored. @param {boolean} isGiven */
  async consent(isGiven) {
    this.isAllowed = isGiven;
    if (isGiven) return this.start();
    await this.withdraw();
    if (this.settings instanceof KeyedSettings) await this.settings.turn;
    this.#swap(empty);
  }

  /** Tries to send all that waits. @returns {Promise<number>} the number of posts that wait still */
  async flush() {
    const { queue } = this;
    if (!queue) return 0;
    await Promise.all(this.underWay);
    await queue.flush(true);
    if (this.settings instanceof KeyedSettings) await this.settings.turn;
    return (await queue.store.all()).length;
  }

  /** Ends the client. What was not sent is sent by the next one. */
  async close() {
    this.isDestroyed = true;
    globalThis.document?.removeEventListener("visibilitychange", this.onVisible);
    if (this.settings instanceof KeyedSettings) await this.settings.turn;
    await this.queue?.close();
  }
}

/** A questionnaire or a survey. @extends {Form<Client>} */
class AppForm extends Form {
  /** @param {Client} client @param {import("./form.js").FormOptions} options @param {number} at */
  constructor(client, options, at) {
    super(client, options);
    /** When the definition was received. */
    this.at = at;
  }

  /** Saves a draft. */
  draft() {
    return this.save(false);
  }

  /** Submits the answers. */
  async submit() {
    const outcome = await this.save(true);
    const isRefused = outcome.state === "answered" && outcome.status === 422;
    if (outcome.state !== "dropped" && !isRefused && !this.options.force) {
      this.client.forget(this.options.kind, this.options.slug);
    }
    return outcome;
  }
}
