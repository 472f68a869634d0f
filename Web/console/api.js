// Requests to the daemon. Reads return a stored response at once, and then request a newer one. Writes have an
// idempotency key, so that they can be repeated after a lost connection.

import { released } from "./press.js";

/** A refusal of the daemon, or a missing response (status 0). */
export class Problem extends Error {
  /** @param {number} status @param {any} body a problem document (RFC 9457), if there is one */
  constructor(status, body) {
    super(body?.detail ?? body?.title ?? "");
    this.status = status;
    this.body = body ?? {};
  }

  /** Whether a later attempt may succeed. */
  get isPassing() {
    return this.status === 0 || this.status === 503 || this.status === 429;
  }
}

/** @typedef {{etag: string, body: any}} Kept */

/** @type {Map<string, Kept>} The newest response of each address. */
const kept = new Map();
const maximumKept = 200;
/** The time for which a write is repeated, in milliseconds. */
const writePatience = 30_000;

/** The address of a route, with percent-encoded parts. @param {...(string | number)} parts */
export const path = (...parts) => "/v1/" + parts.map((part) => encodeURIComponent(part)).join("/");

/**
 * The heartbeat's checks, even if some of them fail.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{checks: Record<string, any>, reasons?: Record<string, string[]>, backups?: {newest_at?: string}}>}
 */
export const heartbeat = (signal) =>
  get("/__heartbeat__", { signal }).catch((error) => {
    if (error instanceof Problem && error.body.checks) return error.body;
    throw error;
  });

/** The apps that the scope may see. @param {Parameters<typeof get>[1]} [options] @returns {Promise<API.App[]>} */
export const loadApps = (options) => get(path("apps"), options).then(({ apps }) => apps);

/**
 * @param {string} address
 * @param {{signal?: AbortSignal, onNewer?: (body: any) => void}} [options] With `onNewer`, the result is a stored
 * response if there is one, and `onNewer` is called with a newer response.
 * @returns {Promise<any>}
 */
export function get(address, { signal, onNewer } = {}) {
  const known = kept.get(address);
  const asked = ask(address, known, signal);
  if (!known || !onNewer) return asked.then((answer) => answer.body);
  asked.then((answer) => answer !== known && onNewer(answer.body), () => undefined);
  return Promise.resolve(known.body);
}

/** @param {string} address @param {Kept | undefined} known @param {AbortSignal} [signal] @returns {Promise<Kept>} */
async function ask(address, known, signal) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (known) headers["If-None-Match"] = known.etag;
  const response = await send(address, { headers, signal });
  if (response.status === 304 && known) return known;
  const body = await read(response);
  const answer = { etag: response.headers.get("ETag") ?? "", body };
  kept.delete(address);
  if (answer.etag) kept.set(address, answer);
  if (kept.size > maximumKept) kept.delete(kept.keys().next().value ?? "");
  return answer;
}

/**
 * @param {string} method
 * @param {string} address
 * @param {unknown} [body]
 * @param {Record<string, string>} [extra] header fields
 * @returns {Promise<any>}
 */
export async function write(method, address, body, extra = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return (await writeText(method, address, text, extra)).body;
}

/**
 * Sends a text unchanged.
 * @param {string} method
 * @param {string} address
 * @param {string | undefined} text
 * @param {Record<string, string>} [extra] header fields
 * @returns {Promise<Kept>}
 */
export async function writeText(method, address, text, extra = {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID(), ...extra };
  const end = Date.now() + writePatience;
  for (let pause = 500;; pause = Math.min(pause * 2, 8000)) {
    try {
      const response = await send(address, { method, headers, body: text });
      return { body: await read(response), etag: response.headers.get("ETag") ?? "" };
    } catch (problem) {
      // The key makes a repetition harmless if the first request has arrived.
      if (!(problem instanceof Problem) || problem.status !== 0 || Date.now() + pause > end) throw problem;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * A document with its author's formatting, and its entity tag.
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @returns {Promise<{text: string, etag: string}>}
 */
export async function readText(address, signal) {
  const response = await send(address, { headers: { Accept: "application/json" }, signal });
  if (!response.ok) await read(response);
  return { text: await response.text(), etag: response.headers.get("ETag") ?? "" };
}

/** A file with all its bytes. @param {string} address @param {AbortSignal} [signal] @returns {Promise<Blob>} */
export async function readFile(address, signal) {
  const response = await send(address, { signal });
  if (!response.ok) await read(response);
  return await response.blob();
}

/**
 * Sends an unsaved document to a route that only examines it; the request is sent once.
 * @param {string} address
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function consult(address, text, signal) {
  return await read(
    await send(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: text, signal }, true),
  );
}

/**
 * Sends a request that the page makes by itself: the response is not stored, and a closed sign-in dialog does not open
 * again.
 * @param {string} address
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export const listen = async (address, signal) =>
  await read(await send(address, { headers: { Accept: "application/json" }, signal }, true));

/** @type {(status: number, isWrite: boolean) => void} */
let onAnswer = () => {};

/**
 * Sets the observer of the status of each response; 0 if there was none.
 * @param {(status: number, isWrite: boolean) => void} observer
 */
export function setOnAnswer(observer) {
  onAnswer = observer;
}

/** @type {((isUnasked: boolean) => Promise<void>) | undefined} */
let unauthorized;

/**
 * Sets the function that renews an ended session. The request waits for it, and is then repeated.
 * @param {(isUnasked: boolean) => Promise<void>} ask gets whether the page sent the request, not the person
 */
export function setUnauthorized(ask) {
  unauthorized = ask;
}

/** @param {string} address @param {RequestInit} init @param {boolean} [isUnasked] @returns {Promise<Response>} */
async function send(address, init, isUnasked = false) {
  try {
    const response = await fetch(address, { credentials: "same-origin", ...init });
    // What a response changes on the page may move what is being pressed.
    await released();
    onAnswer(response.status, new Headers(init.headers).has("Idempotency-Key"));
    if (response.status !== 401 || !unauthorized || address === path("session")) return response;
    await unauthorized(isUnasked);
    return await fetch(address, { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof Problem || (error instanceof DOMException && error.name === "AbortError")) throw error;
    onAnswer(0, false);
    throw new Problem(0, {});
  }
}

/** @param {Response} response */
async function read(response) {
  const text = await response.text();
  let body = null;
  try {
    body = text === "" ? null : JSON.parse(text);
  } catch {
    body = { detail: text.slice(0, 200) };
  }
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}
