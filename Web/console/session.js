// The session: the signed-in person and the abilities.

import { get, path, Problem, setUnauthorized, write } from "./api.js";
import { list, t } from "./texts.js";

/**
 * @typedef {{name: string, scope: string, app: string | null, can: string[], expires?: string,
 *   settings?: {require_approval?: boolean, minimum_cell?: number, dev?: boolean,
 *   hosted_public?: boolean, public_url?: string | null}, version?: string}} Session
 */

/** @type {Session | undefined} */
let current;
const address = path("session");

/** @returns {Session} */
export const session = () => current ?? { name: "", scope: "", app: null, can: [] };

/** Whether the session has an ability. @param {string} ability */
export const can = (ability) => session().can.includes(ability);

/** The scopes that have an ability. @type {Record<string, string[]>} */
const scopesOf = {
  read: ["reader", "translator", "support", "owner", "admin"],
  respond: ["support", "owner", "admin"],
  publish: ["owner", "admin"],
};

/** The text for a person without an ability. @param {string} ability */
export const refusal = (ability) =>
  t("scope.needs", { scope: session().scope, scopes: list(scopesOf[ability] ?? ["admin"], "disjunction") });

/** Refuses a page that needs an ability. @param {string} ability */
export function demand(ability) {
  if (!can(ability)) throw new Problem(403, { detail: refusal(ability) });
}

/** Whether the daemon runs with `--dev`, which has no sign-in and no sign-out. */
export const isOpen = () => session().settings?.dev === true;

/** Loads the session. The result is false if there is none. @returns {Promise<boolean>} */
export async function load() {
  try {
    current = await get(address);
    return true;
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 401) return false;
    throw problem;
  }
}

/** @param {string} token */
export async function signIn(token) {
  current = await write("POST", address, { token });
}

export async function signOut() {
  await write("DELETE", address);
  current = undefined;
}

/**
 * Sets the dialog that asks for a token after the end of a session, while the page stays. After a person has closed the
 * dialog, the page's own requests do not open it again; the person's next action does.
 * @param {() => Promise<void>} ask
 */
export function whenEnded(ask) {
  /** @type {Promise<void> | undefined} */
  let asking;
  /** @type {unknown} */
  let refusal;
  setUnauthorized((isUnasked) => {
    if (refusal && isUnasked) return Promise.reject(refusal);
    return asking ??= ask()
      .then(() => refusal = undefined, (error) => {
        refusal = error;
        throw error;
      })
      .finally(() => asking = undefined);
  });
}
