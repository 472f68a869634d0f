// Text that is typed and not yet saved, kept in this browser: a killed tab loses half a second at most.

/**
 * @typedef {{text: string, base: string, etag: string, at: number}} Draft
 * `base` is the document that was changed, with its tag; an empty tag: the daemon has none.
 * @typedef {[string, string, string]} Key who, app, document
 */

const store = "drafts";
/** A draft is written this long after a change, at the latest. */
export const keepMilliseconds = 300;
const maximumAge = 30 * 86_400_000;

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

/** @returns {Promise<IDBDatabase>} */
function database() {
  return opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("bellwether-console", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>}
 */
async function transaction(mode, ask) {
  const access = (await database()).transaction(store, mode);
  const request = ask(access.objectStore(store));
  // Said at once: a page that is being left hears of no answer.
  if (mode === "readwrite") access.commit();
  return new Promise((resolve, reject) => {
    access.oncomplete = () => resolve(request.result);
    access.onerror = access.onabort = () => reject(access.error);
  });
}

/** @param {Key} key @param {Draft} draft */
export const keep = (key, draft) => transaction("readwrite", (drafts) => drafts.put(draft, key));

/** @param {Key} key */
export const drop = (key) => transaction("readwrite", (drafts) => drafts.delete(key));

/** The draft of a document. Those that are older than 30 days are gone. @param {Key} key @returns {Promise<Draft | undefined>} */
export async function find(key) {
  await forget((_, draft) => Date.now() - draft.at > maximumAge).catch(() => undefined);
  return transaction("readonly", (drafts) => drafts.get(key)).catch(() => undefined);
}

/** Drops all drafts of a kind. @param {(key: Key, draft: Draft) => boolean} isMeant */
export async function forget(isMeant) {
  const keys = await transaction("readonly", (drafts) => drafts.getAllKeys());
  const drafts = await transaction("readonly", (drafts) => drafts.getAll());
  const meant = keys.filter((key, place) => isMeant(/** @type {Key} */ (key), drafts[place]));
  await Promise.all(meant.map((key) => drop(/** @type {Key} */ (key))));
}

/** Writes what is there soon after a change. */
export class Keeper {
  /**
   * @param {Key} key
   * @param {() => Draft | undefined} draft undefined: there is nothing to keep
   * @param {(at: number | undefined) => void} tell when it was kept
   */
  constructor(key, draft, tell) {
    this.key = key;
    this.draft = draft;
    this.tell = tell;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  changed() {
    this.timer ??= setTimeout(() => this.flush(), keepMilliseconds);
  }

  /** Writes at once what a change left to write. */
  async flush() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const draft = this.draft();
    try {
      await (draft ? keep(this.key, draft) : drop(this.key));
      this.tell(draft?.at);
    } catch {
      // A browser that stores nothing, as in a private window: the page says that it is not kept.
      this.tell(undefined);
    }
  }
}
