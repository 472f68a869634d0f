// One tab edits a document; another one that opens it reads, and may take it over.

/** Long enough for the other tab to keep what was typed. */
const patience = 1500;

export class EditLock {
  /**
   * @param {import("../document/drafts.js").Key} key
   * @param {() => Promise<void>} yielded another tab takes it: what was typed is to be kept
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

  /** Takes it from the tab that has it. */
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
