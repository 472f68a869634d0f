// The posts that wait for a response of the daemon, and values by name, in a storage that the app provides. If the
// storage refuses (private mode, full disk, quota), they stay in memory until the program ends.

/**
 * @typedef {object} Post
 * @property {string} id
 * @property {number} order
 * @property {string} path
 * @property {any} body
 * @property {string} [group]
 * @property {number} attempts
 * @property {number} [patience] the time limit in milliseconds
 * @property {number} notBefore
 * @property {number} floor the earliest time of the next attempt by Retry-After
 * @property {number} lease the time until which only the process that has the post sends it
 */

/**
 * @typedef {object} Backend where posts are stored; each call may be refused
 * @property {() => Promise<Post[]>} all
 * @property {(id: string) => Promise<boolean>} has
 * @property {(post: Post) => Promise<void>} put
 * @property {(id: string) => Promise<void>} delete
 * @property {() => Promise<void>} close
 * @property {() => Promise<void>} clear
 */

/**
 * @typedef {object} Storage values by key, as React Native's AsyncStorage has them
 * @property {(key: string) => Promise<string | null> | string | null} getItem
 * @property {(key: string, value: string) => Promise<void> | void} setItem
 * @property {(key: string) => Promise<void> | void} removeItem
 * @property {() => Promise<readonly string[]> | readonly string[]} getAllKeys
 */

/** Posts in a backend, or in memory if that fails. */
export class PostStore {
  /** @param {Backend} backend */
  constructor(backend) {
    /** Undefined after `clear`. @type {Backend | undefined} */
    this.backend = backend;
    /** The posts that the backend could not store. @type {Map<string, Post>} */
    this.memory = new Map();
  }

  /** @returns {Promise<Post[]>} in the order of their creation */
  async all() {
    const stored = await this.backend?.all().catch(() => []) ?? [];
    const posts = new Map([...stored, ...this.memory.values()].map((post) => [post.id, post]));
    return [...posts.values()].sort((left, right) => left.order - right.order);
  }

  /** @param {string} id */
  async has(id) {
    return this.memory.has(id) || Boolean(await this.backend?.has(id).catch(() => false));
  }

  /** @param {Post} post @returns {Promise<boolean>} whether the backend has stored it */
  async put(post) {
    try {
      await this.backend?.put(post);
      this.memory.delete(post.id);
      return true;
    } catch {
      this.memory.set(post.id, post);
      return false;
    }
  }

  /** @param {string} id */
  async delete(id) {
    this.memory.delete(id);
    await this.backend?.delete(id).catch(() => {});
  }

  async close() {
    await this.backend?.close().catch(() => {});
  }

  /** Deletes everything. A response that arrives later stores nothing. */
  async clear() {
    const { backend } = this;
    this.backend = undefined;
    this.memory.clear();
    await backend?.clear().catch(() => {});
  }
}

/** Posts in an app's storage, each under a key of its own. @implements {Backend} */
export class KeyedPosts {
  /** @param {Storage} storage @param {string} prefix */
  constructor(storage, prefix) {
    this.storage = storage;
    this.prefix = prefix;
  }

  async #keys() {
    return (await this.storage.getAllKeys()).filter((key) => key.startsWith(this.prefix));
  }

  async all() {
    // A value that cannot be read, or is no JSON, does not hide the others.
    const read = async (/** @type {string} */ key) => JSON.parse(await this.storage.getItem(key) ?? "[]");
    const posts = await Promise.all((await this.#keys()).map((key) => read(key).catch(() => [])));
    return posts.flat();
  }

  /** @param {string} id */
  async has(id) {
    return await this.storage.getItem(this.prefix + id) !== null;
  }

  /** @param {Post} post */
  async put(post) {
    await this.storage.setItem(this.prefix + post.id, JSON.stringify(post));
  }

  /** @param {string} id */
  async delete(id) {
    await this.storage.removeItem(this.prefix + id);
  }

  async close() {}

  async clear() {
    for (const key of await this.#keys()) await this.storage.removeItem(key);
  }
}

/** Values by name in an app's storage. They are read once, and are in memory from then on. */
export class KeyedSettings {
  /** @param {Storage} storage @param {string} prefix */
  constructor(storage, prefix) {
    this.storage = storage;
    this.prefix = prefix;
    /** @type {Map<string, string>} */
    this.memory = new Map();
    /** Settles after the last write. @type {Promise<unknown>} */
    this.turn = Promise.resolve();
  }

  /** Reads the stored values. */
  async load() {
    try {
      for (const key of await this.storage.getAllKeys()) {
        if (!key.startsWith(this.prefix)) continue;
        const value = await this.storage.getItem(key);
        if (value !== null) this.memory.set(key.slice(this.prefix.length), value);
      }
    } catch {
      // The storage is unavailable, so it has no values.
    }
  }

  /** @param {string} name */
  get(name) {
    return this.memory.get(name);
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    this.memory.set(name, value);
    this.#write(() => this.storage.setItem(this.prefix + name, value));
  }

  clear() {
    const names = [...this.memory.keys()];
    this.memory.clear();
    for (const name of names) this.#write(() => this.storage.removeItem(this.prefix + name));
  }

  /** @param {() => unknown} write */
  #write(write) {
    // A value that is not stored stays in memory.
    this.turn = this.turn.then(write).catch(() => {});
  }
}

/** A storage that ends with the program. @returns {Storage} */
export function memory() {
  /** @type {Map<string, string>} */
  const values = new Map();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    getAllKeys: () => [...values.keys()],
  };
}
