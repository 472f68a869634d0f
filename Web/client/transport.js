// Requests to the daemon, without cookies and with a deadline. An id makes a repeated POST recognizable.

/**
 * @typedef {{status: number, body: any, retryAfter: number}} Answer `status` 0: there is no response, because of the
 *   network or the deadline; `retryAfter` in milliseconds, 0 for none
 */

/** The time limit of a request that does not depend on other servers, in milliseconds. */
export const deadline = 15_000;
/**
 * The time limit in milliseconds for a response that waits for owners' servers. It covers the hooks of a step and of
 * the next step, each with four attempts of up to a minute, and pauses (docs/reference/flows.md#hooks).
 */
export const patience = 500_000;
/** The longest wait that a Retry-After leads to, in milliseconds. */
export const longestWait = 3_600_000;
/** The maximum body size of a keepalive request: browsers limit the sum of such bodies. */
const keepaliveBytes = 32_000;

/** A random id of 128 bits. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The wait before the next attempt: doubled each time up to five minutes, with jitter, and never shorter than the
 * daemon's Retry-After.
 * @param {number} attempt 0 after the first failure
 * @param {number} [retryAfter]
 */
export function backoff(attempt, retryAfter = 0) {
  const longest = Math.min(300_000, 1000 * 2 ** Math.min(attempt, 20));
  return Math.max(retryAfter, longest * (0.5 + Math.random() / 2));
}

/**
 * Whether another attempt would have the same outcome. 401 is none, because the app may get another token.
 * @param {number} status
 */
export function isFinal(status) {
  return status > 0 && status < 500 && ![401, 408, 425, 429].includes(status);
}

/** @param {string | null} header seconds, or a date */
function readRetryAfter(header) {
  if (!header) return 0;
  const wait = /^[0-9]+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestWait) : 0;
}

export class Transport {
  /** @param {{base: string, app: string, token?: string, fetch?: typeof fetch}} options */
  constructor({ base, app, token, fetch }) {
    this.root = `${base.replace(/\/$/, "")}/v1/apps/${encodeURIComponent(app)}/`;
    this.origin = base;
    this.token = token;
    this.fetch = fetch;
    /** The name of the page's open stream. @type {string | undefined} */
    this.streamName = undefined;
  }

  /**
   * @param {string} path below the app
   * @param {{[name: string]: unknown}} [query] undefined and null values are omitted
   * @returns {Promise<Answer>} never rejects
   */
  get(path, query = {}) {
    const items = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = items.map((item) => item.map((part) => encodeURIComponent(String(part))).join("=")).join("&");
    return this.#send("GET", search ? `${path}?${search}` : path);
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {string} [key] two requests with the same key and body are one request
   * @param {number} [patience] milliseconds
   * @returns {Promise<Answer>} never rejects
   */
  post(path, body, key, patience) {
    return this.#send("POST", path, JSON.stringify(body), key, patience);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string} [body]
   * @param {string} [key]
   * @param {number} [patience]
   */
  async #send(method, path, body, key, patience = deadline) {
    /** @type {{[name: string]: string}} */
    const headers = { Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    if (this.streamName) headers["Bellwether-Stream"] = this.streamName;
    try {
      const response = await (this.fetch ?? fetch)(this.root + path, {
        method,
        headers,
        body,
        mode: "cors",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
        keepalive: body !== undefined && body.length < keepaliveBytes,
        // React Native has no `timeout`, and deadlines of its own.
        signal: AbortSignal.timeout?.(patience),
      });
      const text = await response.text();
      let json = null;
      try {
        json = JSON.parse(text);
      } catch {
        // The body is empty or not JSON, for example a proxy's page; the status is sufficient.
      }
      return { status: response.status, body: json, retryAfter: readRetryAfter(response.headers.get("Retry-After")) };
    } catch {
      return { status: 0, body: null, retryAfter: 0 };
    }
  }
}
