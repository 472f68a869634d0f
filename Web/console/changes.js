// The changes of an app while a person looks at it. One visible tab polls for all tabs, under a lock, and informs the
// others. A hidden tab does not poll, and an absent person's tab does not either
// (docs/decisions/archive/0116-one-visible-tab-asks-what-has-changed.md).

import { listen, path, Problem } from "./api.js";

/**
 * @typedef {{cursor: string, recipes: string[], strings: string[], manifest: boolean, responses: string[],
 *   results: string[], webhooks: boolean, restarted: boolean}} Change
 * @typedef {(change: Change) => void} Observer
 */

/** The time for which a request waits for a change, in seconds. */
const patience = 25;
/** The pauses after a failure, in milliseconds. */
const [firstPause, longestPause] = [2000, 30_000];
/** The time without a press or key after which a person counts as absent, so that the session can expire. */
const absence = 15 * 60_000;

/** @type {Map<string, Following>} */
const apps = new Map();
let lastSeen = Date.now();

/**
 * Calls the observer after each change of the app. Returns a function that removes the observer.
 * @param {string} app
 * @param {Observer} observer
 */
export function follow(app, observer) {
  const following = apps.get(app) ?? new Following(app);
  apps.set(app, following);
  following.observers.add(observer);
  following.check();
  return () => {
    following.observers.delete(observer);
    if (following.observers.size > 0) return;
    apps.delete(app);
    following.end();
  };
}

class Following {
  /** @param {string} app */
  constructor(app) {
    this.app = app;
    /** @type {Set<Observer>} */
    this.observers = new Set();
    /**
     * The cursor of the next request. All tabs share it, so that no tab misses the changes that another tab received.
     */
    this.cursor = "";
    /** @type {AbortController | undefined} */
    this.asking = undefined;
    this.channel = new BroadcastChannel(`bellwether-changes:${app}`);
    this.channel.onmessage = ({ data }) => this.take(data);
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("visibilitychange", () => this.check(), { signal });
    const seen = () => {
      lastSeen = Date.now();
      if (!this.asking) this.check();
    };
    addEventListener("pointerdown", seen, { signal, capture: true, passive: true });
    addEventListener("keydown", seen, { signal, capture: true, passive: true });
  }

  /** Polls if the tab is visible, or else stops. */
  check() {
    const isSeen = document.visibilityState === "visible" && Date.now() - lastSeen < absence;
    if (!isSeen) return this.pause();
    if (this.asking) return;
    const { signal } = this.asking = new AbortController();
    const run = () => this.run(signal);
    navigator.locks.request(`bellwether-changes:${this.app}`, { signal }, run).catch(() => undefined);
  }

  /** @private */
  pause() {
    this.asking?.abort();
    this.asking = undefined;
  }

  end() {
    this.pause();
    this.listeners.abort();
    this.channel.close();
  }

  /** Polls while the tab holds the lock. @private @param {AbortSignal} signal */
  async run(signal) {
    for (let wait = firstPause; !signal.aborted;) {
      if (Date.now() - lastSeen > absence) return this.pause();
      try {
        const query = this.cursor ? `?after=${encodeURIComponent(this.cursor)}&wait=${patience}` : "";
        const change = await listen(path("apps", this.app, "changes") + query, signal);
        this.channel.postMessage(change);
        this.take(change);
        wait = firstPause;
      } catch (error) {
        if (signal.aborted) return;
        // A tab without permission or session polls again after the next press.
        if (!(error instanceof Problem) || !error.isPassing) return this.pause();
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, longestPause);
      }
    }
  }

  /** @private @param {Change} change */
  take(change) {
    // The journal does not report changes between the load of a page and its first cursor.
    const isFirst = this.cursor === "";
    this.cursor = change.cursor;
    const isSomething = isFirst || change.restarted || change.manifest || change.webhooks ||
      [change.recipes, change.strings, change.responses, change.results].some((list) => list.length > 0);
    if (isSomething) {
      for (const observer of [...this.observers]) observer({ ...change, restarted: isFirst || change.restarted });
    }
  }
}
