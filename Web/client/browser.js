// The storage of a browser: posts in IndexedDB, values in localStorage.

/** @typedef {import("./posts.js").Post} Post */
/** @typedef {import("./posts.js").Backend} Backend */

/** Values by name in localStorage, or in memory if that fails. */
export class LocalSettings {
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

/** Posts in IndexedDB. @implements {Backend} */
export class IndexedPosts {
  /** @param {string} name the name of the database */
  constructor(name) {
    this.name = name;
    /** @type {Promise<IDBDatabase> | undefined} */
    this.database = undefined;
  }

  #open() {
    this.database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("posts", { keyPath: "id" });
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    });
    return this.database;
  }

  /**
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T>} work
   * @returns {Promise<T>}
   */
  async #run(mode, work) {
    const transaction = (await this.#open()).transaction("posts", mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
    return (await Promise.all([completed(work(transaction.objectStore("posts"))), done]))[0];
  }

  /** @returns {Promise<Post[]>} */
  all() {
    return this.#run("readonly", (store) => store.getAll());
  }

  /** @param {string} id */
  async has(id) {
    return await this.#run("readonly", (store) => store.getKey(id)) !== undefined;
  }

  /** @param {Post} post */
  async put(post) {
    await this.#run("readwrite", (store) => store.put(post));
  }

  /** @param {string} id */
  async delete(id) {
    await this.#run("readwrite", (store) => store.delete(id));
  }

  async close() {
    const { database } = this;
    this.database = undefined;
    (await database)?.close();
  }

  async clear() {
    await this.close().catch(() => {});
    indexedDB.deleteDatabase(this.name);
  }
}
