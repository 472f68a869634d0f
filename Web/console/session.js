// The session: the signed-in person and the abilities.

import { get, path, Problem, setUnauthorized, write } from "./api.js";
import { list, t } from "./texts.js";

/**
 * @typedef {{name: string, scope: string | null, app: string | null, roles: Record<string, string>, can: string[],
 *   can_in: Record<string, string[]>, expires?: string, sign_out_url?: string | null,
 *   settings?: {require_approval?: boolean, minimum_cell?: number, dev?: boolean,
 *   hosted_public?: boolean, public_url?: string | null}, version?: string}} Session
 *   `roles` and `can_in` are by app, and `*` is all apps; `scope` and `app` are of a person with one role, `can` are the
 *   abilities in at least one app
 */

/** @type {Session | undefined} */
let current;
const address = path("session");
/** The app of the page; empty if it has none. */
let here = "";

/** @returns {Session} */
export const session = () => current ?? { name: "", scope: null, app: null, roles: {}, can: [], can_in: {} };

/** Sets the app of the page, by which `can` decides. @param {string | undefined} app */
export function setApp(app) {
  here = app ?? "";
}

/**
 * Whether somebody has an ability in an app.
 * @param {Pick<Session, "can" | "can_in">} of
 * @param {string} ability
 * @param {string} app empty: in any app
 */
export const mayIn = ({ can, can_in: byApp }, ability, app) =>
  app === "" ? can.includes(ability) : [app, "*"].some((name) => byApp[name]?.includes(ability));

/** Whether the session has an ability in an app: by default that of the page. @param {string} ability @param {string} [app] */
export const can = (ability, app = here) => mayIn(session(), ability, app);

/** Whether the session may make a new app. */
export const mayBegin = () => can("publish", "*");

/** The scope in the app of the page; undefined for a person with several roles, none of which is for this app. */
export function scopeHere() {
  const { roles, scope } = session();
  return roles[here] ?? roles["*"] ?? scope ?? undefined;
}

/** The scopes that have an ability. @type {Record<string, string[]>} */
const scopesOf = {
  read: ["reader", "translator", "reviewer", "support", "owner", "admin"],
  respond: ["support", "owner", "admin"],
  publish: ["owner", "admin"],
  review: ["reviewer", "owner", "admin"],
};

/** The text for a person without an ability. @param {string} ability */
export function refusal(ability) {
  const scopes = list(scopesOf[ability] ?? ["admin"], "disjunction");
  const scope = scopeHere();
  return scope ? t("scope.needs", { scope, scopes }) : t("scope.several", { scopes });
}

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

/** Signs in with a token, or with the secret of a link, which can be used once. @param {{token: string} | {link: string}} by */
export async function signIn(by) {
  current = await write("POST", address, by);
}

/** Signs out. @returns {Promise<string>} the page that follows: the identity provider's sign-out, or the sign-in */
export async function signOut() {
  const next = current?.sign_out_url ?? "/console/sign-in";
  await write("DELETE", address);
  current = undefined;
  return next;
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
