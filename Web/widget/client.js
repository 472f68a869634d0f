// The page's Bellwether object. It requests messages, loads the renderer when there is something to show, and stores
// answers until the daemon has received them. docs/web.md describes it for pages that embed it.
import { LocalSettings } from "../client/browser.js";
import { Core } from "../client/core.js";
import { backoff } from "../client/transport.js";

/**
 * @typedef {object} Options
 * @property {string} app
 * @property {string} [token] a client's token; it is public
 * @property {string} [base] the daemon's address; by default the origin of the script
 * @property {string} [clientId] by default a generated id that this browser stores
 * @property {string} [userId] the id of the signed-in user, with `userProof`
 * @property {string} [userProof]
 * @property {string} [locale] by default the page's language
 * @property {string[]} [surfaces] by default all
 * @property {{[name: string]: any}} [context] attributes for targeting
 * @property {boolean} [attribution] flows get the visitor's origin from the page's address
 * @property {"required"} [consent] nothing is stored or sent before `consent(true)`
 * @property {string} [event] a behaviour event that is recorded at the start
 * @property {string} [button] the slug that a feedback button at the page's edge opens
 * @property {string} [buttonSide] `end`, `start` or `bottom`; by default `end`
 * @property {"manual"} [poll] do not ask for messages at the start
 * @property {{[key: string]: string}} [texts]
 * @property {string[]} [modal] surfaces whose messages are modal
 * @property {string} [renderer] the renderer's address
 * @property {(client: Bellwether, name: string) => import("../client/queue.js").Queue} [openQueue] absent with a stand-in
 * @property {typeof import("./stream.js").PageStream} [Stream] of a page that polls; a page without polls has none
 * @property {import("./parts/stand_in.js").StandIn} [standIn] of a preview: it replaces the daemon, and nothing is stored
 */

/** The hooks of a page: functions whose value the widget uses; see docs/web.md#hooks. */
/** @typedef {"beforeAdvance" | "beforeRender" | "locationData"} HookName */

/** The beginning of a text; undefined if it is empty. It slices code points, so no character is split. @param {string | null} text */
const beginning = (text) => [...text ?? ""].slice(0, 1000).join("") || undefined;

/** The visitor's origin; a referrer of the same site is left out. */
function attribution() {
  const query = new URLSearchParams(location.search);
  const { referrer } = document;
  return {
    source: beginning(query.get("utm_source")),
    campaign: beginning(query.get("utm_campaign")),
    referrer: beginning(referrer.startsWith(location.origin) ? "" : referrer),
  };
}

/** @extends {Core<Options & {base: string, renderer: string}>} */
export class Bellwether extends Core {
  /** @param {Options & {base: string, renderer: string}} options */
  constructor(options) {
    const { standIn } = options;
    super(options, standIn?.settings ?? new LocalSettings(`bellwether.${options.app}.`), "bellwether-web");
    if (standIn) Object.assign(this, { transport: standIn, queue: standIn.queue });
    /** The views on the screen. @type {Map<string, {destroy(): void, isOver?: boolean}>} */
    this.views = new Map();
    /** @type {Map<string, (view: any) => any>} */
    this.customViews = new Map();
    /** @type {{[name in HookName]?: (detail: any) => any}} */
    this.hooks = {};
    /** Keys of messages that were postponed or opened during this visit. @type {Set<string>} */
    this.deferred = new Set();
    /** The places that flows have received, by the id of the field. @type {Map<string, any>} */
    this.places = new Map();
    /** Keys of offers that were not accepted: they may return with `app_foreground`. @type {Set<string>} */
    this.postponed = new Set();
    /**
     * The attribution from the address at the start, because pages may change the address.
     * @type {{[name: string]: string | undefined}}
     */
    this.attribution = options.attribution ? attribution() : {};
    this.failures = 0;
    this.timer = 0;
    this.onVisible = () => {
      if (document.visibilityState === "visible" && Date.now() > this.nextPoll) this.poll();
    };
    this.nextPoll = Infinity;
    /** The poll that was begun last. @type {Promise<void> | undefined} */
    this.lastPoll = undefined;
    this.stream = options.Stream && new options.Stream(this.transport, () => this.#pollAgain());
    // A button of the page opens content by its attribute: data-bellwether-show="slug".
    this.onClick = (/** @type {Event} */ event) => {
      const opener = event.target instanceof Element ? event.target.closest("[data-bellwether-show]") : null;
      if (!(opener instanceof HTMLElement)) return;
      const { bellwetherShow: slug = "", kind, mode, force } = opener.dataset;
      this.show(slug, { kind, mode: /** @type {any} */ (mode), force: force !== undefined });
    };
    document.addEventListener("click", this.onClick);
  }

  /** Starts the client, unless consent is required and not given. */
  async start() {
    if (!this.isAllowed || this.isDestroyed || this.queue) return;
    const { app, userId, userProof, event, poll } = this.options;
    this.queue = this.options.openQueue?.(this, `bellwether-${app}`);
    this.queue?.flush(true);
    document.addEventListener("visibilitychange", this.onVisible);
    if (userId && this.userId !== userId) await this.identify(userId, userProof);
    this.#placeButton();
    if (event) await this.event(event);
    else if (poll !== "manual") await this.poll();
  }

  /** Shows the feedback button, if the page has one and its recipe is open to the respondent. */
  #placeButton() {
    if (this.options.button) import(this.options.renderer).then((one) => one.placeButton(this)).catch(() => {});
  }

  /** @override @param {import("../client/posts.js").Post} post @param {import("../client/queue.js").Answered} outcome */
  delivered(post, outcome) {
    super.delivered(post, outcome);
    this.emit("delivered", { path: post.path, status: outcome.status });
  }

  /** @override */
  get locale() {
    return this.options.locale ?? (document.documentElement.lang || navigator.language);
  }

  /** Requests the messages that may be shown now, and shows them. */
  poll() {
    return this.lastPoll = this.refresh();
  }

  /** Polls after the poll that is under way: now, or when the page is visible again. */
  async #pollAgain() {
    await this.lastPoll;
    this.nextPoll = 0;
    this.onVisible();
  }

  /** Shows the messages. @override @param {import("../client/core.js").Polled | undefined} answer */
  async received(answer) {
    if (this.isDestroyed || !this.isAllowed) return;
    if (answer?.status !== 200) return this.#pollIn(backoff(this.failures++ + 4, answer?.retryAfter));
    this.failures = 0;
    this.#pollIn(answer.body.next_poll_seconds * 1000);
    // A reset while the poll was under way: the answer is for a client that is forgotten.
    const isCurrent = () => answer.sessionId === this.sessionId;
    if (!isCurrent()) return;
    this.stream?.follow(this.clientId);
    // The renderer loads while the client selects a message.
    if (answer.body.messages.length > 0) import(this.options.renderer).catch(() => {});
    for (const message of answer.body.messages) {
      if (isCurrent()) await this.#offer(message);
    }
  }

  /** @param {number} milliseconds */
  #pollIn(milliseconds) {
    this.nextPoll = Date.now() + milliseconds;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onVisible, milliseconds + 50);
  }

  /**
   * Counts a behaviour event, such as `page_viewed`, and polls again: the response has the messages that it triggers.
   * @param {string} name
   * @param {number} [count]
   */
  event(name, count = 1) {
    if (name === "app_foreground") this.#recall();
    this.note({ type: "behavior", name, count }, { isLate: true });
    return this.poll();
  }

  /** Lets postponed offers return, except those on the screen. */
  #recall() {
    const shown = [...this.views.keys()];
    for (const key of this.postponed) {
      if (!shown.some((place) => place.endsWith(`/${key}`))) this.deferred.delete(key);
    }
  }

  /**
   * @override
   * @param {string} userId
   * @param {string} [userProof]
   */
  async identify(userId, userProof) {
    const isAccepted = await super.identify(userId, userProof);
    if (isAccepted) this.#placeButton();
    return isAccepted;
  }

  /** @override */
  reset() {
    for (const view of this.views.values()) view.destroy();
    super.reset();
    this.deferred.clear();
    this.places.clear();
    this.postponed.clear();
    this.stream?.forget();
    this.#placeButton();
  }

  /** Gives or withdraws consent. A withdrawal deletes all data in this browser. @param {boolean} isGiven */
  async consent(isGiven) {
    this.isAllowed = isGiven;
    if (isGiven) return this.start();
    for (const view of this.views.values()) view.destroy();
    clearTimeout(this.timer);
    this.stream?.forget();
    await this.withdraw();
  }

  /**
   * Opens a questionnaire, a survey or a flow.
   * @param {string} slug
   * @param {{force?: boolean, kind?: string, mode?: "popover" | "modal" | "inline" | "page", target?: Element, responseId?: string, intro?: boolean, loaded?: any, prefill?: {[id: string]: string}, theme?: any, userProperties?: {[name: string]: any}, context?: {[name: string]: any}}} [options]
   *   `userProperties` and `context`: of a flow (docs/reference/flows.md#attribution)
   * @returns {Promise<boolean>} whether it is shown
   */
  async show(slug, options = {}) {
    if (!this.isAllowed || this.isDestroyed) return false;
    await this.start();
    await this.queue?.identified;
    const place = options.mode === "inline" || options.mode === "page" ? "inline/show/" : "over/";
    return this.#present(place + slug, { slug, ...options }, (renderer) => renderer.presentContent);
  }

  /** @param {any} message of the poll's response */
  #offer(message) {
    const target = document.querySelector(`[data-bellwether-surface="${CSS.escape(message.surface)}"]`);
    // Each slot of the page shows one message, and one more floats over the page.
    const place = target ? `inline/${message.surface}/` : "over/";
    if (this.isDestroyed || [...this.views.keys()].some((key) => key.startsWith(place))) return;
    const what = { message, target, slug: message.presents?.slug };
    return this.#present(place + message.key, what, (renderer) => renderer.presentMessage);
  }

  /**
   * Shows one item in one tab only: a tab does nothing if another tab of this origin holds the item's lock.
   * @param {string} key
   * @param {any} what
   * @param {(renderer: any) => any} choose
   * @returns {Promise<boolean>}
   */
  async #present(key, what, choose) {
    const shown = this.views.get(key);
    if (shown && !shown.isOver) return false;
    shown?.destroy();
    // The lock of a view that is replaced is free in a moment.
    const release = await this.#lock(what.slug ?? what.message.key, !shown);
    if (!release) return false;
    if (!this.emit("beforeshow", { slug: what.slug, message: what.message?.key }, true)) {
      release();
      return false;
    }
    // A reset may come while the renderer loads.
    let isGone = false;
    const pending = { destroy: () => void (isGone = true) };
    this.views.set(key, pending);
    const close = () => {
      release();
      if (this.views.get(key) === view) this.views.delete(key);
    };
    /** @type {{destroy(): void} | null} */
    let view = pending;
    try {
      const renderer = await import(this.options.renderer);
      const made = this.isDestroyed || isGone ? null : await choose(renderer)(this, what, () => close());
      if (made && isGone) {
        made.destroy();
      } else if (made) {
        view = made;
        this.views.set(key, made);
        return true;
      }
    } catch (error) {
      console.error("bellwether:", error);
    }
    close();
    return false;
  }

  /** @param {string} key @param {boolean} ifAvailable @returns {Promise<(() => void) | null>} null if another tab holds it */
  #lock(key, ifAvailable) {
    if (!navigator.locks) return Promise.resolve(() => {});
    return new Promise((resolve) => {
      navigator.locks.request(`bellwether-${this.options.app}-${key}`, { ifAvailable }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise((release) => resolve(() => release(undefined)));
      }).catch(() => resolve(() => {}));
    });
  }

  /**
   * Notifies the page with a `bellwether:NAME` event on the document.
   * @param {string} name
   * @param {any} [detail]
   * @param {boolean} [cancelable]
   * @returns {boolean} false if the page cancelled the event
   */
  emit(name, detail = {}, cancelable = false) {
    return document.dispatchEvent(
      new CustomEvent(`bellwether:${name}`, { detail: { ...detail, bellwether: this }, cancelable }),
    );
  }

  /**
   * Registers the function that renders custom steps and views of this id.
   * @param {string} id
   * @param {(view: any) => any} render
   */
  registerView(id, render) {
    this.customViews.set(id, render);
  }

  /**
   * Stores the places among a flow's answers.
   * @param {{[step: string]: any}} [responses] by step and field
   */
  notePlaces(responses = {}) {
    for (const answers of Object.values(responses)) {
      for (const [id, answer] of Object.entries(answers ?? {})) {
        if (answer?.formatted_address) this.places.set(id, answer);
      }
    }
  }

  /** The place that was chosen in a flow's field; null if there is none. @param {string} fieldId */
  getLocationData(fieldId) {
    return this.places.get(fieldId) ?? null;
  }

  /**
   * Removes all views, listeners and timers from the page. Unsent posts stay stored for the next visit.
   */
  destroy() {
    this.isDestroyed = true;
    clearTimeout(this.timer);
    this.stream?.destroy();
    document.removeEventListener("visibilitychange", this.onVisible);
    document.removeEventListener("click", this.onClick);
    for (const view of this.views.values()) view.destroy();
    this.views.clear();
    this.queue?.close();
    if (Reflect.get(globalThis, "bellwether") === this) Reflect.deleteProperty(globalThis, "bellwether");
  }
}
