// The page's stream, on which the daemon says that the page has to poll again (docs/reference/streams.md).
import { isFinal, randomId } from "../client/transport.js";

/** The time from a poll until the stream opens, in milliseconds. Most visits of a page are over by then. */
const delay = 5000;
/** The time within which the first event has to come, in milliseconds. A proxy that buffers lets none through. */
const patience = 10_000;

const isHidden = () => document.visibilityState !== "visible";

export class PageStream {
  /**
   * @param {import("../client/transport.js").Transport} transport
   * @param {() => void} notify called when the page has to poll: now, or when it is visible again
   */
  constructor(transport, notify) {
    this.transport = transport;
    this.notify = notify;
    /** The page's name in its requests, so that its own changes do not notify it. */
    this.name = randomId();
    /** The id of the last event; empty before the first one. */
    this.lastID = "";
    /** Whether this page can have no stream. It polls as without one. */
    this.isUnavailable = typeof EventSource === "undefined";
    /** @type {object | undefined} the attempt to have a stream that is under way, or whose stream is open */
    this.attempt = undefined;
    /** @type {EventSource | undefined} */
    this.source = undefined;
    this.inactivity = 0;
    this.timer = 0;
    this.hiddenTimer = 0;
    this.onVisibility = () => this.#watch();
    document.addEventListener("visibilitychange", this.onVisibility);
  }

  /** Opens the stream of a client in a moment, unless there is one. Called after each poll. @param {string} clientID */
  follow(clientID) {
    if (this.isUnavailable || this.attempt || isHidden()) return;
    const attempt = this.attempt = {};
    this.timer = setTimeout(() => this.#open(clientID, attempt), delay);
  }

  /** @param {string} clientID @param {object} attempt */
  async #open(clientID, attempt) {
    if (isHidden()) return this.close();
    const body = { client_id: clientID, name: this.name };
    const answer = await this.transport.post("stream", body);
    if (this.attempt !== attempt) return;
    if (answer.status !== 200) {
      this.close();
      // After a failure that passes, the next poll tries again.
      this.isUnavailable = isFinal(answer.status);
      return;
    }
    this.inactivity = answer.body.inactivity_seconds * 1000;
    const last = this.lastID && `&last_event_id=${encodeURIComponent(this.lastID)}`;
    const source = new EventSource(this.transport.origin.replace(/\/$/, "") + answer.body.url + last);
    this.source = source;
    this.transport.streamName = this.name;
    source.onmessage = ({ lastEventId }) => {
      clearTimeout(this.timer);
      this.lastID = lastEventId;
      this.notify();
    };
    // The browser opens an ended stream again, except after a refusal: then the next poll does. A hidden page needs none.
    source.onerror = () => {
      if (isHidden()) this.#stop();
      else if (source.readyState === EventSource.CLOSED) this.close();
    };
    // Without the id of an event, the daemon sends one at once.
    if (!last) {
      this.timer = setTimeout(() => {
        this.close();
        this.isUnavailable = true;
      }, patience);
    }
    this.#watch();
  }

  /** Closes the stream some time after the page was hidden. */
  #watch() {
    clearTimeout(this.hiddenTimer);
    if (this.source && isHidden()) this.hiddenTimer = setTimeout(() => this.#stop(), this.inactivity);
  }

  /** Closes the stream. The page polls as soon as it can, because it may have missed an event. */
  #stop() {
    this.close();
    this.notify();
  }

  /** Closes the stream; the next poll opens it again. */
  close() {
    this.attempt = undefined;
    this.source?.close();
    this.source = undefined;
    this.transport.streamName = undefined;
    clearTimeout(this.timer);
    clearTimeout(this.hiddenTimer);
  }

  /** Closes the stream of a client that this page forgets. */
  forget() {
    this.close();
    this.lastID = "";
  }

  /** Closes the stream for good. */
  destroy() {
    this.close();
    document.removeEventListener("visibilitychange", this.onVisibility);
  }
}
