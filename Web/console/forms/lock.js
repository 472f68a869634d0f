// One tab edits a document; another tab opens it read-only, and may take over the lock.

/** The wait for the other tab to store its typed text, in milliseconds. */
const patience = 1500;

export class EditLock {
  /**
   * @param {import("../document/drafts.js").Key} key
   * @param {() => Promise<void>} yielded called when another tab takes the lock, to store the typed text
   */
  constructor(key, yielded) {
    this.name = `bellwether-edit ${JSON.stringify(key)}`;
    this.yielded = yielded;
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = () => void this.give();
    /** @type {(() => void) | undefined} */
    this.release = undefined;
  }

  /** @returns {Promise<boolean>} whether this tab edits */
  acquire() {
    return this.request({ ifAvailable: true });
  }

  /** Takes the lock from the tab that holds it. */
  async takeOver() {
    this.channel.postMessage("yield");
    if (!await this.request({ signal: AbortSignal.timeout(patience) })) await this.request({ steal: true });
  }

  /** @private @param {LockOptions} options @returns {Promise<boolean>} */
  request(options) {
    if (!navigator.locks) return Promise.resolve(true);
    return new Promise((resolve) => {
      navigator.locks.request(this.name, options, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise((release) => this.release = () => release(undefined)) : undefined;
      }).catch(() => {
        resolve(false);
        if (this.release) void this.give();
      });
    });
  }

  /** @private */
  async give() {
    if (!this.release) return;
    const release = this.release;
    this.release = undefined;
    await this.yielded();
    release();
  }

  close() {
    this.release?.();
    this.release = undefined;
    this.channel.close();
  }
}
