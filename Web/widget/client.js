// The object of a page for Bellwether: asks for messages, loads the renderer when there is something to show, and keeps
// answers until they have arrived. docs/web.md describes it for pages that embed it.
import { Queue } from "./queue.js";
import { PostStore, Settings } from "./storage.js";
import { backoff, randomId, Transport } from "./transport.js";

/**
 * @typedef {object} Options
 * @property {string} app
 * @property {string} [token] a client's token; it is public
 * @property {string} [base] the daemon's address; by default where the script is from
 * @property {string} [clientId] by default one that is made and kept in this browser
 * @property {string} [userId] with `userProof`: who is signed in
 * @property {string} [userProof]
 * @property {string} [locale] by default the page's language
 * @property {string[]} [surfaces] by default all
 * @property {{[name: string]: any}} [context] attributes for targeting
 * @property {boolean} [attribution] flows are told where the visitor came from, as the page's address says it
 * @property {"required"} [consent] nothing is stored or sent before `consent(true)`
 * @property {string} [event] a behaviour event that is counted at the start
 * @property {"manual"} [poll] do not ask for messages at the start
 * @property {{[key: string]: string}} [texts]
 * @property {string[]} [modal] surfaces whose messages are modal
 * @property {string} [renderer] the renderer's address
 * @property {import("./stand_in.js").StandIn} [standIn] of a preview: it is asked in the daemon's place, and nothing is kept
 */

/** The hooks of a page: functions whose value the widget uses; see docs/web.md#hooks. */
/** @typedef {"beforeAdvance" | "beforeRender" | "locationData"} HookName */

/** Where the visitor came from; a page of the same site is none. */
function attribution() {
  const query = new URLSearchParams(location.search);
  const { referrer } = document;
  const said = {
    source: query.get("utm_source"),
    campaign: query.get("utm_campaign"),
    referrer: referrer.startsWith(location.origin) ? "" : referrer,
  };
  // By characters, none of which is cut in two.
  const parts = Object.entries(said).map(([name, text]) => [name, [...(text ?? "")].slice(0, 1000).join("")]);
  return Object.fromEntries(parts.filter(([, text]) => text));
}

export class Bellwether {
  /** @param {Options & {base: string, renderer: string}} options */
  constructor(options) {
    this.options = options;
    const { standIn } = options;
    this.transport = /** @type {Transport} */ (standIn ?? new Transport(options));
    this.settings = /** @type {Settings} */ (standIn?.settings ?? new Settings(`bellwether.${options.app}.`));
    this.queue = /** @type {Queue | undefined} */ (standIn?.queue);
    /** The views on the screen. @type {Map<string, {destroy(): void}>} */
    this.views = new Map();
    /** @type {Map<string, (view: any) => any>} */
    this.customViews = new Map();
    /** @type {{[name in HookName]?: (detail: any) => any}} */
    this.hooks = {};
    /** Keys of messages that were put off, or opened, on this visit. @type {Set<string>} */
    this.deferred = new Set();
    this.sessionId = randomId();
    /** The attribution in the address at the start: pages may change it. @type {{[name: string]: string}} */
    this.attribution = options.attribution ? attribution() : {};
    this.failures = 0;
    this.timer = 0;
    this.isDestroyed = false;
    this.isAllowed = options.consent !== "required";
    this.onVisible = () => {
      if (document.visibilityState === "visible" && Date.now() > this.nextPoll) this.poll();
    };
    this.nextPoll = Infinity;
    // A button of the page opens something by its attribute: data-bellwether-show="slug".
    this.onClick = (/** @type {Event} */ event) => {
      const opener = event.target instanceof Element ? event.target.closest("[data-bellwether-show]") : null;
      if (!(opener instanceof HTMLElement)) return;
      const { bellwetherShow: slug = "", kind, mode, force } = opener.dataset;
      this.show(slug, { kind, mode: /** @type {any} */ (mode), force: force !== undefined });
    };
    document.addEventListener("click", this.onClick);
  }

  /** Begins, unless consent is required and has not been given. */
  async start() {
    if (!this.isAllowed || this.isDestroyed || this.queue) return;
    const { app, userId, userProof, event, poll } = this.options;
    const name = `bellwether-${app}`;
    this.queue = new Queue(this.transport, new PostStore(name), `${name}-queue`, (post, outcome) => {
      this.emit("delivered", { path: post.path, status: outcome.state === "answered" ? outcome.status : 0 });
    });
    this.queue.flush(true);
    document.addEventListener("visibilitychange", this.onVisible);
    if (userId && this.settings.get("user") !== userId) await this.identify(userId, userProof);
    if (event) await this.event(event);
    else if (poll !== "manual") await this.poll();
  }

  /** The client's id. */
  get clientId() {
    const known = this.options.clientId ?? this.settings.get("client");
    if (known) return known;
    const id = randomId();
    this.settings.set("client", id);
    return id;
  }

  get locale() {
    return this.options.locale ?? (document.documentElement.lang || navigator.language);
  }

  /**
   * Asks which messages may be shown now, and shows them.
   * @param {object[]} [events] recorded first
   */
  async poll(events = []) {
    if (!this.isAllowed || this.isDestroyed) return;
    const { surfaces, context } = this.options;
    const body = {
      client_id: this.clientId,
      session_id: this.sessionId,
      context: { ...context, locale: this.locale },
      ...(surfaces ? { surfaces } : {}),
      ...(events.length > 0 ? { events } : {}),
    };
    clearTimeout(this.timer);
    const answer = await this.transport.post("messages", body).catch(() => undefined);
    if (this.isDestroyed) return;
    if (answer?.status !== 200) {
      // The events have ids: those that did arrive are not counted again.
      if (events.length > 0) await this.queue?.post("events", { client_id: this.clientId, events });
      return this.#pollIn(backoff(this.failures++ + 4, answer?.retryAfter));
    }
    this.failures = 0;
    this.#pollIn(answer.body.next_poll_seconds * 1000);
    // Loaded while it is found out which of them is shown.
    if (answer.body.messages.length > 0) import(this.options.renderer).catch(() => {});
    for (const message of answer.body.messages) await this.#offer(message);
  }

  /** @param {number} milliseconds */
  #pollIn(milliseconds) {
    this.nextPoll = Date.now() + milliseconds;
    this.timer = setTimeout(this.onVisible, milliseconds + 50);
  }

  /**
   * Counts a behaviour event, such as `page_viewed`, and asks again: what it triggers is in the same answer.
   * @param {string} name
   * @param {number} [count]
   */
  event(name, count = 1) {
    return this.poll([{ type: "behavior", name, count, id: randomId(), at: new Date().toISOString() }]);
  }

  /**
   * Says that this client is a user's. Drafts and answers are the user's from then on, on every device.
   * @param {string} userId
   * @param {string} [userProof]
   */
  async identify(userId, userProof) {
    if (!this.isAllowed) return;
    const body = { client_id: this.clientId, user_id: userId, ...(userProof ? { user_proof: userProof } : {}) };
    const answer = await this.transport.post("identify", body).catch(() => undefined);
    if (answer?.status === 200) this.settings.set("user", userId);
    return answer?.status === 200;
  }

  /** Forgets the client, as after signing out. Answers that are not sent yet are still sent. */
  reset() {
    for (const view of [...this.views.values()]) view.destroy();
    this.options = { ...this.options, clientId: undefined, userId: undefined, userProof: undefined };
    this.deferred.clear();
    this.settings.clear();
    this.sessionId = randomId();
  }

  /** Gives or withdraws consent. Withdrawn: what this browser keeps is deleted. @param {boolean} isGiven */
  async consent(isGiven) {
    this.isAllowed = isGiven;
    if (isGiven) return this.start();
    for (const view of this.views.values()) view.destroy();
    clearTimeout(this.timer);
    const queue = this.queue;
    this.queue = undefined;
    await queue?.close();
    await queue?.store.clear();
    this.settings.clear();
  }

  /**
   * Opens a questionnaire, a survey or a flow.
   * @param {string} slug
   * @param {{force?: boolean, kind?: string, mode?: "popover" | "modal" | "inline" | "page", target?: Element, responseId?: string, intro?: boolean, loaded?: any, prefill?: {[id: string]: string}, theme?: any}} [options]
   * @returns {Promise<boolean>} whether it is shown
   */
  async show(slug, options = {}) {
    if (!this.isAllowed || this.isDestroyed) return false;
    await this.start();
    const place = options.mode === "inline" || options.mode === "page" ? "inline/show/" : "over/";
    return this.#present(place + slug, { slug, ...options }, (renderer) => renderer.presentContent);
  }

  /** @param {any} message of the poll's answer */
  #offer(message) {
    const target = document.querySelector(`[data-bellwether-surface="${CSS.escape(message.surface)}"]`);
    // In each slot of the page stands one, and one at a time floats over the page.
    const place = target ? `inline/${message.surface}/` : "over/";
    if (this.isDestroyed || [...this.views.keys()].some((key) => key.startsWith(place))) return;
    const what = { message, target, slug: message.presents?.slug };
    return this.#present(place + message.key, what, (renderer) => renderer.presentMessage);
  }

  /**
   * Shows one thing in one tab: another tab of this origin that holds the same lock already shows it.
   * @param {string} key
   * @param {any} what
   * @param {(renderer: any) => any} choose
   * @returns {Promise<boolean>}
   */
  async #present(key, what, choose) {
    if (this.views.has(key)) return false;
    const release = await this.#lock(what.slug ?? what.message.key);
    if (!release) return false;
    if (!this.emit("beforeshow", { slug: what.slug, message: what.message?.key }, true)) {
      release();
      return false;
    }
    const pending = { destroy: () => {} };
    this.views.set(key, pending);
    const close = () => {
      release();
      if (this.views.get(key) === view) this.views.delete(key);
    };
    /** @type {{destroy(): void} | null} */
    let view = pending;
    try {
      const renderer = await import(this.options.renderer);
      const shown = this.isDestroyed ? null : await choose(renderer)(this, what, () => close());
      if (shown) {
        view = shown;
        this.views.set(key, shown);
        return true;
      }
    } catch (error) {
      console.error("bellwether:", error);
    }
    close();
    return false;
  }

  /** @param {string} key @returns {Promise<(() => void) | null>} null: another tab has it */
  #lock(key) {
    if (!navigator.locks) return Promise.resolve(() => {});
    return new Promise((resolve) => {
      navigator.locks.request(`bellwether-${this.options.app}-${key}`, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise((release) => resolve(() => release(undefined)));
      }).catch(() => resolve(() => {}));
    });
  }

  /**
   * Records something of a message.
   * @param {string} type `message` or `microsurvey`
   * @param {string} action
   * @param {any} message
   */
  record(type, action, message) {
    const event = { type, action, message: message.key, id: randomId(), at: new Date().toISOString() };
    if (action === "clicked" && message.action?.uuid) Object.assign(event, { action_uuid: message.action.uuid });
    return this.queue?.post("events", { client_id: this.clientId, session_id: this.sessionId, events: [event] });
  }

  /**
   * Informs the page: a `bellwether:NAME` event on the document.
   * @param {string} name
   * @param {any} [detail]
   * @param {boolean} [cancelable]
   * @returns {boolean} false if the page has cancelled it
   */
  emit(name, detail = {}, cancelable = false) {
    return document.dispatchEvent(
      new CustomEvent(`bellwether:${name}`, { detail: { ...detail, bellwether: this }, cancelable }),
    );
  }

  /** Renders custom steps and views of this id. @param {string} id @param {(view: any) => any} render */
  registerView(id, render) {
    this.customViews.set(id, render);
  }

  /**
   * Takes everything out of the page: views, listeners, timers. Posts that were not sent yet stay for the next visit.
   */
  destroy() {
    this.isDestroyed = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.onVisible);
    document.removeEventListener("click", this.onClick);
    for (const view of [...this.views.values()]) view.destroy();
    this.views.clear();
    this.queue?.close();
    if (Reflect.get(globalThis, "bellwether") === this) Reflect.deleteProperty(globalThis, "bellwether");
  }
}
