// The queue of all POST requests that record something. It stores a request until the daemon has responded, so that a
// reload, a lost connection or a closed tab loses nothing. The id of a request makes a repetition harmless.
import { backoff, deadline, isFinal, randomId } from "./transport.js";

/** @typedef {import("./transport.js").Answer} Answer */
/** @typedef {import("./storage.js").Post} Post */
/** @typedef {{state: "answered", status: number, body: any} | {state: "queued"}} Outcome */

/** The end of the lease during which other tabs do not send this tab's post. @param {number} [patience] */
const leaseUntil = (patience = deadline) => Date.now() + patience + 5_000;

export class Queue {
  /**
   * @param {import("./transport.js").Transport} transport
   * @param {import("./storage.js").PostStore} store
   * @param {string} name the name of the lock that the tabs of an origin share
   * @param {(post: Post, outcome: Outcome) => void} onAnswer called for each post that is sent later
   */
  constructor(transport, store, name, onAnswer) {
    this.transport = transport;
    this.store = store;
    this.lockName = name;
    this.onAnswer = onAnswer;
    this.timer = 0;
    this.isClosed = false;
    /** Settles after the last post of events: the daemon records events in the order of their requests. */
    this.turn = Promise.resolve();
    this.lastOrder = 0;
    this.wake = () => this.flush(true);
    addEventListener("online", this.wake);
  }

  /**
   * Sends a post at once, and stores it if it cannot be sent.
   * @param {string} path
   * @param {any} body
   * @param {{id?: string, group?: string, patience?: number}} [options] a newer post of a group replaces an older
   *   waiting post of it
   * @returns {Promise<Outcome>}
   */
  async post(path, body, { id = randomId(), group, patience } = {}) {
    // Posts of one millisecond keep their order, too.
    this.lastOrder = Math.max(Date.now(), this.lastOrder + 0.001);
    /** @type {Post} */
    const post = {
      id,
      order: this.lastOrder,
      path,
      body,
      group,
      patience,
      attempts: 0,
      notBefore: 0,
      floor: 0,
      lease: leaseUntil(patience),
    };
    const turn = path === "events" ? this.turn : undefined;
    const sent = this.#send(post, turn);
    if (turn) this.turn = sent.then(() => {});
    return sent;
  }

  /** @param {Post} post @param {Promise<void>} [turn] the time before which the post is not sent */
  async #send(post, turn) {
    const { group } = post;
    if (group !== undefined) {
      for (const old of await this.store.all()) if (old.group === group) await this.store.delete(old.id);
    }
    await this.store.put(post);
    await turn;
    return this.#attempt(post);
  }

  /** The waiting post of a group. @param {string} group @returns {Promise<Post | undefined>} */
  async waiting(group) {
    return (await this.store.all()).find((post) => post.group === group);
  }

  /** @param {Post} post @returns {Promise<Outcome>} */
  async #attempt(post) {
    /** @type {Answer | undefined} */
    let answer;
    try {
      answer = await this.transport.post(post.path, post.body, post.id, post.patience);
    } catch {
      // There was no response: offline, a lost connection, or the deadline.
    }
    if (answer && isFinal(answer.status)) {
      await this.store.delete(post.id);
      return { state: "answered", status: answer.status, body: answer.body };
    }
    const wait = backoff(post.attempts, answer?.retryAfter);
    // A post of the same group may have replaced this post meanwhile.
    if ((await this.store.all()).some((other) => other.id === post.id)) {
      const [notBefore, floor] = [Date.now() + wait, Date.now() + (answer?.retryAfter ?? 0)];
      await this.store.put({ ...post, attempts: post.attempts + 1, notBefore, floor, lease: 0 });
    }
    this.#schedule(wait);
    return { state: "queued" };
  }

  /** @param {number} wait */
  #schedule(wait) {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), wait + 10);
  }

  /**
   * Sends the posts that are due; only one tab does so at a time.
   * @param {boolean} [isOnline] also sends posts before their backoff ends, but respects Retry-After
   */
  async flush(isOnline = false) {
    if (this.isClosed) return;
    const work = () => this.#flushAlone(isOnline);
    const locks = navigator.locks;
    if (!locks) return work();
    await locks.request(this.lockName, { ifAvailable: true }, (lock) => lock ? work() : this.#schedule(5_000));
  }

  /** @param {boolean} isOnline */
  async #flushAlone(isOnline) {
    for (const post of await this.store.all()) {
      if (this.isClosed) return;
      const now = Date.now();
      if (post.lease > now || (isOnline ? post.floor : post.notBefore) > now) continue;
      const leased = { ...post, lease: leaseUntil(post.patience) };
      await this.store.put(leased);
      const outcome = await this.#attempt(leased);
      if (outcome.state === "queued") return;
      this.onAnswer(post, outcome);
    }
    const rest = await this.store.all();
    if (rest.length === 0) return;
    const next = Math.min(...rest.map((post) => Math.max(post.notBefore, post.lease)));
    this.#schedule(Math.max(next - Date.now(), 100));
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    return this.store.close();
  }
}
