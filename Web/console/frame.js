// The document of the console's preview: the shipped renderer, with the data from the console. Its document has an
// opaque origin, so that it reads neither the session nor the console. It accepts messages from its parent page only.

import { pageTheme } from "../shared/theme.js";
import { Bellwether } from "../widget/client.js";
import { StandIn } from "../widget/parts/stand_in.js";
import { imitate, watchSheets } from "./frame/media.js";
import { followPresses, idShown, keepFocus, setDirection, setState, tellHeight } from "./frame/states.js";

/**
 * @typedef {{scheme?: string, motion?: string, dir?: string, state?: string, at?: string}} Look `at` is the id of a question
 *   or step, or the key of a message
 * @typedef {{slug: string, kind: string, locale: string, dir: string, shown: any, theme: any, attributes?: any, now?: string | null,
 *   offer?: any, look?: Look, number?: number}} Picture `offer` is the card that invites to the content
 */

watchSheets();
keepFocus();
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :root { color-scheme: light dark; background: var(--bw-background, var(--page-background, Canvas)); color: var(--page-text, CanvasText); }
  body { margin: 0; padding: 8px; font-family: system-ui, sans-serif; }
  body.page { padding: 0; }
  @media (width >= 600px) {
    body.page { padding: 32px 24px; }
    body.page main { max-inline-size: 42rem; margin-inline: auto; }
  }
`);
document.adoptedStyleSheets = [sheet];

const base = new URL("..", import.meta.url).href;
const place = /** @type {HTMLElement} */ (document.getElementById("bellwether"));
const tell = (/** @type {unknown} */ message) => parent.postMessage(message, "*");
/** The requests to which the console has not responded yet. @type {Map<number, (answer: any) => void>} */
const asked = new Map();
let questions = 0;

/**
 * Sends a request through the console, because the frame cannot reach the daemon.
 * @param {string} type
 * @param {any} question
 * @returns {Promise<any>}
 */
function ask(type, question) {
  questions += 1;
  tell({ type, question, number: questions });
  return new Promise((resolve) => asked.set(questions, resolve));
}

/** @type {Bellwether | undefined} */
let client;
/** The stand-in's behaviour for hooks and chats. */
let hook = "proceed";
/** The number of the current drawing; earlier drawings are dropped. */
let drawing = 0;

/** @param {Picture} what */
async function show({ slug, kind, locale, dir, shown, theme, attributes, now, offer, look = {}, number = 0 }) {
  const own = drawing += 1;
  client?.destroy();
  place.replaceChildren();
  imitate(look);
  // Content has the space of its hosted page.
  const isMessage = kind === "message";
  document.body.classList.toggle("page", !isMessage);
  const root = document.documentElement;
  [root.lang, root.dir] = [locale, look.dir || dir];
  document.adoptedStyleSheets = [sheet, ...(theme ? pageTheme(theme) : [])];
  const current = client = new Bellwether({
    app: "preview",
    locale,
    base,
    renderer: new URL(RENDERER, base).href,
    poll: "manual",
    context: attributes,
    standIn: new StandIn((question) => ask("play", question), {
      now: now ?? undefined,
      findPlaces: (question) => ask("places", question),
    }),
  });
  /** @type {StandIn} */ (current.options.standIn).hook = hook;
  const views = isMessage
    ? await showMessages(current, shown, look.at)
    : await showContent(current, { slug, kind, shown });
  if (own !== drawing) return current.destroy();
  if (look.dir) setDirection(look.dir);
  for (const view of views) await setState(view, look, offer);
  followPresses(views, tell);
  tell({ type: "shown", number, at: views.map(idShown).find(Boolean) ?? null });
}

/** @param {Bellwether} client @param {{slug: string, kind: string, shown: any}} what */
async function showContent(client, { slug, kind, shown }) {
  await client.show(slug, { kind, mode: "page", target: place, loaded: shown });
  return [...client.views.values()];
}

/**
 * Shows all messages, one below the other, or only the message of a key.
 * @param {Bellwether} client
 * @param {{messages: any[]}} shown
 * @param {string} [key]
 */
async function showMessages(client, shown, key) {
  const { presentMessage } = await import(client.options.renderer);
  const wanted = shown.messages.filter((message) => message.key === key);
  const views = [];
  for (const message of wanted.length > 0 ? wanted : shown.messages) {
    const view = await presentMessage(client, { message, target: place, mode: "page" }, () => {});
    if (view) views.push(view);
  }
  return views;
}

addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data !== "object" || event.data === null) return;
  const { type, number, answer } = event.data;
  if (type === "answer") {
    asked.get(number)?.(answer);
    asked.delete(number);
    return;
  }
  if (type === "hook") {
    hook = event.data.hook;
    if (client?.options.standIn) client.options.standIn.hook = hook;
    return;
  }
  show(event.data).catch((error) => tell({ type: "failed", text: String(error) }));
});
// A step is shown after the daemon has chosen it.
document.addEventListener("bellwether:step", (event) => {
  tell({ type: "at", at: /** @type {CustomEvent} */ (event).detail.step ?? null });
});
tellHeight(tell);
tell({ type: "ready" });
