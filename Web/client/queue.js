// The queue of all POST requests that record something. It stores a request until the daemon has responded, so that a
// reload, a restart, a lost connection or a closed tab loses nothing. The id of a request, or of an event, makes a
// repetition harmless.
import { PostStore } from "./posts.js";
import { backoff, deadline, isFinal, longestWait, randomId } from "./transport.js";

/** @typedef {import("./transport.js").Answer} Answer */
/** @typedef {import("./posts.js").Post} Post */
/** @typedef {{state: "answered", status: number, body: any}} Answered */
/**
 * @typedef {Answered | {state: "queued"} | {state: "dropped"}} Outcome
 *   `queued`: it waits for the next attempt; `dropped`: it is not recorded
 */
/**
 * @typedef {object} Receipt
 * @property {Promise<boolean>} stored whether it survives the end of the program; false: it is in memory only
 * @property {Promise<Outcome>} outcome of the first attempt; it never rejects
 */
/** @typedef {{id?: string, group?: string, patience?: number, isLate?: boolean}} PostOptions `isLate`: not sent yet */
/** @typedef {{client_id: string, session_id?: string}} Sender of events */

/** The number of events of a request. */
const batch = 100;

/** The longest lease of a post, in milliseconds. @param {{patience?: number}} post */
const leaseOf = ({ patience = deadline }) => patience + 5_000;

/**
 * Whether a time has come. A time that is further away than any wait is of a clock that was set back since.
 * @param {number} time
 * @param {number} longest
 */
const hasCome = (time, longest) => time <= Date.now() || time > Date.now() + longest;

export class Queue {
  /**
   * @param {{transport: import("./transport.js").Transport, delivered(post: Post, outcome: Answered): void}} client
   *   `delivered` is told of each post that is sent later
   * @param {import("./posts.js").Backend} backend
   * @param {string} name of the lock that the tabs of an origin share
   */
  constructor(client, backend, name) {
    this.client = client;
    this.store = new PostStore(backend);
    this.lockName = name;
    /** @type {any} */
    this.timer = 0;
    this.isClosed = false;
    this.lastOrder = 0;
    /** Settles when the order of the stored posts is known: a clock that was set back does not change it. */
    this.begun = this.store.all().then((posts) => void (this.lastOrder = posts.at(-1)?.order ?? 0));
    /** Settles after the last request with events, and when the events so far are stored. @type {Promise<unknown>} */
    this.turn = this.begun;
    /** Settles after the first attempt to identify the client: later posts are the user's. @type {Promise<unknown>} */
    this.identified = this.begun;
    /** Settles after the last flush. */
    this.flushed = this.begun.then(() => {});
    /** The events that this process has stored and not tried to send. @type {{post: Post, end(outcome: Outcome): void}[]} */
    this.fresh = [];
    this.wake = () => this.flush(true);
    globalThis.addEventListener?.("online", this.wake);
  }

  /**
   * Stores a post, and sends it.
   * @param {string} path
   * @param {any} body
   * @param {PostOptions} [options] a newer post of a group replaces an older waiting post of it
   * @returns {Receipt}
   */
  add(path, body, { id = randomId(), group, patience, isLate } = {}) {
    /** @type {Post} */
    const post = { id, order: 0, path, body, group, patience, attempts: 0, notBefore: 0, floor: 0, lease: 0 };
    const stored = this.begun.then(() => this.#store(post));
    const ready = Promise.all([stored, this.identified]);
    if (path !== "events") {
      const outcome = ready.then(() => this.#attempt([post]));
      if (path === "identify") this.identified = outcome;
      return { stored, outcome };
    }
    /** @type {Promise<Outcome>} */
    const outcome = new Promise((end) =>
      this.turn = Promise.all([this.turn, stored.then(() => this.fresh.push({ post, end }))])
    );
    if (!isLate) ready.then(() => this.sendEvents());
    return { stored, outcome };
  }

  /** @param {Post} post @returns {Promise<boolean>} whether the storage has it */
  async #store(post) {
    // Posts of one millisecond keep their order, too.
    this.lastOrder = post.order = Math.max(Date.now(), this.lastOrder + 0.001);
    post.lease = Date.now() + leaseOf(post);
    if (post.group) {
      for (const old of await this.store.all()) if (old.group === post.group) await this.store.delete(old.id);
    }
    return this.store.put(post);
  }

  /** The waiting post of a group. @param {string} group @returns {Promise<Post | undefined>} */
  async waiting(group) {
    return (await this.store.all()).find((post) => post.group === group);
  }

  /** Sends the events that this process has not tried to send. */
  async sendEvents() {
    while (this.fresh.length > 0 && !this.isClosed) await this.carry(this.fresh[0].post.body);
  }

  /**
   * Takes fresh events along with a request, after the events before them.
   * @param {Sender} sender whose events they are
   * @param {(events: object[]) => Promise<Answer>} [send] by default events alone
   * @returns {Promise<Answer | undefined>} what `send` returns
   */
  carry(sender, send) {
    const answered = this.turn.then(async () => {
      const taken = this.fresh.filter(({ post }) => isOf(post, sender)).slice(0, batch);
      if (!send && !taken[0]) return undefined;
      this.fresh = this.fresh.filter((one) => !taken.includes(one));
      /** @type {Answer | undefined} */
      let answer;
      const outcome = await this.#attempt(
        taken.map(({ post }) => post),
        send && (async (events) => answer = await send(events)),
      );
      for (const { end } of taken) end(outcome);
      return answer;
    });
    this.turn = answered;
    return answered;
  }

  /**
   * Sends a post, or posts of events of one sender as one request. Removes them if they are answered, and keeps them for
   * the next attempt otherwise.
   * @param {Post[]} posts
   * @param {(events: object[]) => Promise<Answer>} [carrier] the request that takes the events along
   * @returns {Promise<Outcome>}
   */
  async #attempt(posts, carrier) {
    const [first] = posts;
    const { transport } = this.client;
    /** @type {any[]} */
    const events = posts.flatMap(({ body }) => body.events ?? []);
    const sendEvents = (/** @type {object[]} */ some) => transport.post("events", { ...first.body, events: some });
    const send = () =>
      events[0] || !first
        ? (carrier ?? sendEvents)(events)
        : transport.post(first.path, first.body, first.id, first.patience);
    let answer = await send();
    // If the clock of this device is wrong, the events count now.
    const { rejected = [] } = answer.body?.events ?? answer.body ?? {};
    const timeless = rejected.flatMap((/** @type {{index: number, code: string}} */ { index, code }) =>
      code === "future" || code === "too_old" ? { ...events[index], at: undefined } : []
    );
    if (events[0] && timeless[0]) answer = await sendEvents(timeless);
    // A refused request of another kind says nothing of the events that it has carried.
    const isTaken = carrier ? answer.status === 200 : isFinal(answer.status);
    const wait = backoff(first?.attempts, answer.retryAfter);
    for (const post of posts) {
      if (isTaken) {
        await this.store.delete(post.id);
      } else if (await this.store.has(post.id)) {
        // A post of the same group may have replaced this post meanwhile.
        const [notBefore, floor] = [Date.now() + wait, Date.now() + answer.retryAfter];
        await this.store.put({ ...post, attempts: post.attempts + 1, notBefore, floor, lease: 0 });
      }
    }
    if (isTaken) return { state: "answered", status: answer.status, body: answer.body };
    if (first) this.#schedule(wait);
    return { state: "queued" };
  }

  /** @param {number} wait */
  #schedule(wait) {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), wait + 10);
    // In Node and Deno a timer would keep the program running.
    this.timer.unref?.();
  }

  /**
   * Sends the posts that are due; only one tab does so at a time.
   * @param {boolean} [isOnline] also sends posts before their backoff ends, but respects Retry-After
   */
  flush(isOnline = false) {
    this.flushed = this.flushed.then(async () => {
      const work = () => this.#flushAlone(isOnline);
      const locks = globalThis.navigator?.locks;
      if (!locks) return work();
      await locks.request(this.lockName, { ifAvailable: true }, (lock) => lock ? work() : this.#schedule(5_000));
    });
    return this.flushed;
  }

  /** @param {boolean} isOnline */
  async #flushAlone(isOnline) {
    let posts = await this.store.all();
    while (posts.length > 0 && !this.isClosed) {
      const [first] = posts;
      const together = first.path === "events"
        ? posts.filter((post) => isOf(post, first.body)).slice(0, batch)
        : [first];
      posts = posts.filter((post) => !together.includes(post));
      const due = together.filter((post) =>
        hasCome(post.lease, leaseOf(post)) && hasCome(isOnline ? post.floor : post.notBefore, longestWait)
      );
      if (due.length === 0) continue;
      for (const post of due) await this.store.put({ ...post, lease: Date.now() + leaseOf(post) });
      const outcome = await this.#attempt(due);
      if (outcome.state !== "answered") return;
      for (const post of due) this.client.delivered(post, outcome);
    }
    const rest = await this.store.all();
    if (rest.length === 0) return;
    const next = Math.min(...rest.map((post) => Math.max(post.notBefore, post.lease)));
    this.#schedule(Math.min(Math.max(next - Date.now(), 100), longestWait));
  }

  /** Stops. What was not sent stays stored. */
  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    globalThis.removeEventListener?.("online", this.wake);
    return this.store.close();
  }
}

/** Whether a post has events of this sender. @param {Post} post @param {Sender} sender */
const isOf = ({ path, body }, sender) =>
  path === "events" && body.client_id === sender.client_id && body.session_id === sender.session_id;
