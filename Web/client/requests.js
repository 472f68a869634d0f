// What is recorded of messages and microsurveys, and the request for a definition: functions over a `Core`, so that a
// program has only those that it uses.
import { randomId } from "./transport.js";

/** @typedef {import("./core.js").Core<any>} AnyCore */

/** The path of a recipe that people answer. @param {string} kind @param {string} slug */
export const pathOf = (kind, slug) => `${kind}s/${encodeURIComponent(slug)}`;

/**
 * Records an action on a message.
 * @param {AnyCore} client
 * @param {string} type `message` or `microsurvey`
 * @param {string} action
 * @param {any} message
 */
export function record(client, type, action, message) {
  const uuid = action === "clicked" ? message.action?.uuid : undefined;
  return client.note({ type, action, message: message.key, action_uuid: uuid });
}

/** Answers a microsurvey. @param {AnyCore} client @param {any} message @param {unknown} option the id of the option */
export function answer(client, message, option) {
  const { key, revision, locale } = message;
  const { clientId } = client;
  const id = randomId();
  const body = { client_id: clientId, message: key, option, revision, locale, id };
  return client.send("responses", body, { id, group: `answer/${clientId}/${key}` });
}

/** Dismisses all questionnaires and surveys for this client. @param {AnyCore} client */
export function dismissAll(client) {
  return client.send("questionnaires/dismiss", { client_id: client.clientId });
}

/**
 * Requests a definition. Without a kind, the daemon's answer to the first request names the kind of the slug.
 * @param {AnyCore} client
 * @param {string} slug
 * @param {{kind?: string, force?: boolean, responseId?: string}} [options]
 * @returns {Promise<{kind: string, status: number, body: any}>} status 0: no response
 */
export async function content(client, slug, options = {}) {
  const found = await contentOf(client, slug, options.kind ?? "questionnaire", options);
  const other = found.body?.kind;
  return found.status === 404 && !options.kind && other ? contentOf(client, slug, other, options) : found;
}

/**
 * @param {AnyCore} client
 * @param {string} slug
 * @param {string} kind
 * @param {{force?: boolean, responseId?: string}} options
 */
async function contentOf(client, slug, kind, { force, responseId }) {
  const query = { ...client.options.context, client_id: client.clientId, locale: client.locale };
  const more = kind === "flow" ? {} : { force: force ? "true" : undefined, response_id: responseId };
  return { ...await client.transport.get(pathOf(kind, slug), { ...query, ...more }), kind };
}
