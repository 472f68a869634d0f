// The renderer: loaded when there is something to show. It makes a view of a message or of content with a slug.
import { content, dismissAll, record } from "../../client/requests.js";
import { directionOf } from "../../shared/languages.js";
import { Texts } from "../../shared/i18n.js";
import { FlowView } from "./flow.js";
import { MessageView } from "./message.js";
import { QuestionnaireView } from "./questionnaire.js";
import { Run } from "./run.js";
import { button, closeButton } from "./elements.js";
import { loadParts, loadTexts, part } from "./parts.js";
import { isHandheld } from "./shell.js";
import { css } from "./style.js";
import { SurveyView } from "./survey.js";
import { View } from "./view.js";

/** @typedef {import("./view.js").Bellwether} Bellwether */
/** @typedef {import("./shell.js").Mode} Mode */
/** @typedef {import("./run.js").RunOptions & {mode?: Mode, target?: Element, intro?: boolean, theme?: any}} ContentOptions */

/**
 * @param {Bellwether} client
 * @param {{message: any, target?: Element, mode?: Mode}} what
 * @param {() => void} onClosed
 * @returns {Promise<View | null>}
 */
export async function presentMessage(client, { message, target, mode }, onClosed) {
  const isModal = client.options.modal?.includes(message.surface);
  const shape = mode ?? (target ? "inline" : isModal ? "modal" : "popover");
  if (message.presents && !message.microsurvey) return presentOffer(client, message, { target, mode: shape }, onClosed);
  const view = new MessageView(client, message, onClosed);
  await view.speak(message.locale);
  view.open({
    mode: shape,
    target,
    theme: message.theme,
    lang: message.locale,
    dir: message.dir,
    label: message.title ?? message.text ?? message.key,
  });
  view.start();
  return view;
}

/**
 * A message that presents content: its words ask whether the respondent has time.
 * @param {Bellwether} client
 * @param {any} message
 * @param {{target?: Element, mode: Mode}} place
 * @param {() => void} onClosed
 */
async function presentOffer(client, message, place, onClosed) {
  if (client.deferred.has(message.key)) return null;
  const { slug, kind } = message.presents;
  const made = await makeContent(client, { slug, kind, message: message.key }, onClosed);
  if (!("view" in made)) return null;
  const { view, definition, isResumed } = made;
  const isDirect = message.presents.shows_consent === false;
  view.open({
    ...place,
    mode: isDirect ? sheetMode(view, place.mode) : place.mode,
    theme: definition.theme,
    lang: message.locale,
    dir: message.dir ?? definition.dir,
    label: message.title ?? message.text ?? slug,
    // On a phone and a tablet the sheet opens over the prompt, if there is one.
    isSheet: view.hasSheet && (isDirect || !isHandheld()),
  });
  record(client, "message", "displayed", message);
  client.emit("shown", view.detail);
  client.deferred.add(message.key);
  // A respondent who has started has already consented. On a phone and a tablet that sheet opens on a press only.
  if (isDirect || isResumed && !(view.hasSheet && isHandheld())) {
    await view.start();
    return view;
  }
  client.postponed.add(message.key);
  view.askConsent({
    title: message.title ?? undefined,
    text: message.text ?? undefined,
    accept: message.button_label ?? undefined,
    onNever: () => kind === "flow" ? record(client, "message", "dismissed", message) : dismissAll(client),
  }, () => {
    client.postponed.delete(message.key);
    record(client, "message", "clicked", message);
    if (view.hasSheet) view.raise();
    return view.start();
  });
  return view;
}

/** A sheet is modal. @param {View} view @param {Mode} mode @returns {Mode} */
const sheetMode = (view, mode) => mode === "popover" && view.hasSheet && isHandheld() ? "modal" : mode;

/**
 * Shows the content of `show(slug)`.
 * @param {Bellwether} client
 * @param {ContentOptions} options
 * @param {() => void} onClosed
 * @returns {Promise<{destroy(): void} | null>}
 */
export async function presentContent(client, options, onClosed) {
  const { slug, mode = options.target ? "inline" : "modal", target, force } = options;
  const made = await makeContent(client, options, onClosed);
  if (!("view" in made)) {
    const isTold = mode === "page" || made.reason === "unreachable";
    return isTold ? presentRefusal(client, { ...options, mode }, made.reason, onClosed) : null;
  }
  const { view, definition, isResumed } = made;
  const { locale: lang, dir, theme, name } = definition;
  view.open({
    mode: sheetMode(view, mode),
    target,
    lang,
    dir,
    theme,
    label: name ?? slug,
    isSheet: view.hasSheet,
    intro: view.hasSheet ? definition : undefined,
  });
  client.emit("shown", view.detail);
  const isAsking = definition.shows_consent !== false && view instanceof QuestionnaireView;
  const asks = options.intro ?? (isAsking && !isResumed && !force && mode !== "page");
  if (asks) view.askConsent({ onNever: () => dismissAll(client) }, () => view.start());
  else await view.start();
  return view;
}

/** Shows the feedback button while its recipe is open to the respondent. @param {Bellwether} client */
export async function placeButton(client) {
  await loadParts(["edge"]);
  if (client.isDestroyed || !client.isAllowed) return;
  const find = async () => {
    const { kind, body } = await content(client, client.options.button ?? "");
    return body?.eligible === false ? undefined : body?.[kind];
  };
  const speak = async () => (new Texts(client.options.texts ?? {})).over(await loadTexts(client.locale));
  const button = client.views.get("button") ?? new (part("edge").EdgeButton)(client, { css, find, speak });
  client.views.set("button", button);
  await button.update();
}

/**
 * @param {Bellwether} client
 * @param {ContentOptions} options
 * @param {() => void} onClosed
 * @returns {Promise<{reason: string} | {view: QuestionnaireView | SurveyView | FlowView, definition: any, isResumed: boolean}>}
 */
async function makeContent(client, options, onClosed) {
  const ineligible = (/** @type {string} */ reason) => {
    client.emit("ineligible", { slug: options.slug, reason });
    return { reason };
  };
  const { loaded } = options;
  const found = loaded
    ? { kind: /** @type {string} */ (options.kind), status: 200, body: loaded }
    : await content(client, options.slug, options);
  const { kind, status, body } = found;
  if (status !== 200 || body.eligible === false) {
    const isReached = status > 0 && status < 500;
    return ineligible(isReached ? body?.reason ?? "not_found" : "unreachable");
  }
  if (kind === "flow") {
    const view = new FlowView(client, { ...options, flow: body.flow }, onClosed);
    // The name of a flow is for its owners.
    const name = document.title || undefined;
    const definition = { ...body.flow, name, locale: client.locale, dir: directionOf(client.locale) };
    await view.speak(client.locale);
    return { view, definition, isResumed: Boolean(client.settings.get(`run.${options.slug}`)) };
  }
  const run = new Run(client, { ...options, kind, body });
  if (await run.restore()) {
    // The next round begins when this one's answer has arrived.
    await client.queue?.flush(true);
    if (!await run.restore()) return makeContent(client, options, onClosed);
    return ineligible("already_responded");
  }
  const view = kind === "questionnaire"
    ? new QuestionnaireView(client, run, onClosed)
    : new SurveyView(client, run, onClosed);
  await view.speak(run.definition.locale);
  return { view, definition: run.definition, isResumed: run.isResumed };
}

/**
 * Says why there is no content. If the daemon was unreachable, the respondent can try again.
 * @param {Bellwether} client
 * @param {ContentOptions & {mode: Mode}} options
 * @param {string} reason
 * @param {() => void} onClosed
 */
async function presentRefusal(client, options, reason, onClosed) {
  const { mode, target, theme } = options;
  let isReplaced = false;
  const view = new View(client, () => isReplaced || onClosed());
  await view.speak(client.locale);
  /** @type {{destroy(): void}} */
  let current = view;
  const { texts } = view;
  const isFailure = reason === "unreachable";
  const isAnswered = reason === "already_responded";
  const title = texts.get(isFailure ? "errorTitle" : isAnswered ? "successTitle" : "closedTitle");
  const text = texts.get(isFailure ? "loadError" : isAnswered ? "answeredBody" : "closedBody");
  const retry = button(texts.get("retry"), "primary", async () => {
    isReplaced = true;
    view.close();
    current = await presentContent(client, options, onClosed) ?? view;
  });
  const isSpoken = Object.keys(texts.builtIn).length > 0;
  view.open({
    mode,
    target,
    theme,
    label: title,
    ...(isSpoken ? { lang: client.locale, dir: directionOf(client.locale) } : {}),
  });
  const close = mode === "page" ? null : closeButton(texts.get("close"), () => view.close());
  if (isAnswered) view.finish(title, text, true);
  else view.note(title, text, isFailure ? [retry] : [], close);
  return { destroy: () => current.destroy() };
}
