// Stores unsaved text in this browser. A tab that is killed loses the last half second at most.

import { session } from "../session.js";

/**
 * @typedef {{text: string, base: string, etag: string, at: number, slug?: string}} Draft
 * `base` is the original document, with its tag; an empty tag means that the daemon has none. `slug` is the slug that a
 * person chose for a new document.
 * @typedef {[string, string, string]} Key person, app, document
 */

/** The key of a draft. @param {string} app @param {string} document a slug, or another name @returns {Key} */
export const draftKey = (app, document) => [session().name, app, document];

const store = "drafts";
/** The maximum delay between a change and the write of its draft. */
const keepMilliseconds = 300;
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
  // The commit is explicit, because a page that ends gets no completion event.
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

/** The draft of a document. Drafts are deleted after 30 days. @param {Key} key @returns {Promise<Draft | undefined>} */
export async function find(key) {
  await forget((_, draft) => Date.now() - draft.at > maximumAge).catch(() => undefined);
  return transaction("readonly", (drafts) => drafts.get(key)).catch(() => undefined);
}

/** Deletes all drafts that fulfil a condition. @param {(key: Key, draft: Draft) => boolean} isMeant */
export async function forget(isMeant) {
  const keys = await transaction("readonly", (drafts) => drafts.getAllKeys());
  const drafts = await transaction("readonly", (drafts) => drafts.getAll());
  const meant = keys.filter((key, place) => isMeant(/** @type {Key} */ (key), drafts[place]));
  await Promise.all(meant.map((key) => drop(/** @type {Key} */ (key))));
}

/** Writes the current draft soon after a change. */
export class Keeper {
  /**
   * @param {Key} key
   * @param {() => Draft | undefined} draft undefined: there is nothing to store
   * @param {(at: number | undefined) => void} tell called with the time of the write
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

  /** Writes a pending change at once. */
  async flush() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const draft = this.draft();
    try {
      await (draft ? keep(this.key, draft) : drop(this.key));
      this.tell(draft?.at);
    } catch {
      // The browser stores nothing, as in a private window; the page reports that the draft is not stored.
      this.tell(undefined);
    }
  }
}
