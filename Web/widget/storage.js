// The data that the page stores: a client id, and posts without a response. If the browser refuses (private mode, full
// disk, blocked storage), the data stays in memory until the page ends.

/**
 * @typedef {{id: string, order: number, path: string, body: any, group?: string, attempts: number,
 * patience?: number, notBefore: number, floor: number, lease: number}} Post `floor`: the earliest time of the next
 * attempt by Retry-After; `patience`: the time limit in milliseconds */

/** Values by name in localStorage. */
export class Settings {
  /** @param {string} prefix */
  constructor(prefix) {
    this.prefix = prefix;
    /** @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** @param {string} name */
  get(name) {
    try {
      return localStorage.getItem(this.prefix + name) ?? this.memory.get(name);
    } catch {
      return this.memory.get(name);
    }
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    this.memory.set(name, value);
    try {
      localStorage.setItem(this.prefix + name, value);
    } catch {
      // The value stays in memory.
    }
  }

  clear() {
    this.memory.clear();
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(this.prefix)) localStorage.removeItem(key);
    } catch {
      // The storage is unavailable, so it has no values.
    }
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function completed(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Posts in IndexedDB, or in memory if that fails. */
export class PostStore {
  /** @param {string} name the name of the database */
  constructor(name) {
    this.name = name;
    /** The posts that the database could not store. @type {Map<string, Post>} */
    this.memory = new Map();
    /** @type {Promise<IDBDatabase | null> | undefined} */
    this.database = undefined;
  }

  #open() {
    this.database ??= new Promise((resolve) => {
      try {
        const request = indexedDB.open(this.name, 1);
        request.onupgradeneeded = () => request.result.createObjectStore("posts", { keyPath: "id" });
        request.onsuccess = () => {
          request.result.onversionchange = () => request.result.close();
          resolve(request.result);
        };
        request.onerror = () => resolve(null);
        request.onblocked = () => resolve(null);
      } catch {
        resolve(null);
      }
    });
    return this.database;
  }

  /**
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T>} work
   * @returns {Promise<T | undefined>} undefined if there is no database
   */
  async #run(mode, work) {
    const database = await this.#open();
    if (!database) return undefined;
    const transaction = database.transaction("posts", mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
    const result = await Promise.all([completed(work(transaction.objectStore("posts"))), done]);
    return result[0];
  }

  /** @returns {Promise<Post[]>} in the order of their creation */
  async all() {
    const stored = await this.#run("readonly", (store) => store.getAll()).catch(() => undefined);
    const posts = new Map((stored ?? []).map((/** @type {Post} */ post) => [post.id, post]));
    for (const post of this.memory.values()) posts.set(post.id, post);
    return [...posts.values()].sort((left, right) => left.order - right.order);
  }

  /** @param {Post} post */
  async put(post) {
    try {
      const isStored = await this.#run("readwrite", (store) => store.put(post)) !== undefined;
      if (isStored) this.memory.delete(post.id);
      else this.memory.set(post.id, post);
    } catch {
      this.memory.set(post.id, post);
    }
  }

  /** @param {string} id */
  async delete(id) {
    this.memory.delete(id);
    await this.#run("readwrite", (store) => store.delete(id)).catch(() => undefined);
  }

  async close() {
    (await this.database)?.close();
    this.database = undefined;
  }

  /** Deletes everything. */
  async clear() {
    await this.close();
    // A response that arrives later must not open the database again.
    this.database = Promise.resolve(null);
    this.memory.clear();
    try {
      indexedDB.deleteDatabase(this.name);
    } catch {
      // There is no database.
    }
  }
}
