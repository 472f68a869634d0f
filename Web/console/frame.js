// What stands in the console's preview: the shipped renderer, with what the console sends. Its document has no origin, so
// that it reads neither the session nor the console; it takes messages from the page around it only.

import { pageTheme } from "../shared/theme.js";
import { Bellwether } from "../widget/client.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :root { color-scheme: light dark; background: var(--bw-background, var(--page-background, Canvas)); color: var(--page-text, CanvasText); }
  body { margin: 0; padding: 8px; font-family: system-ui, sans-serif; }
`);
document.adoptedStyleSheets = [sheet];

const base = new URL("..", import.meta.url).href;
const place = /** @type {HTMLElement} */ (document.getElementById("bellwether"));
/** @type {Bellwether | undefined} */
let client;

/** @param {{slug: string, kind: string, locale: string, dir: string, shown: any, theme: any, key?: string}} what */
async function show({ slug, kind, locale, dir, shown, theme, key }) {
  client?.destroy();
  place.replaceChildren();
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
  document.adoptedStyleSheets = [sheet, ...(theme ? pageTheme(theme) : [])];
  client = new Bellwether({
    app: "preview",
    locale,
    base,
    renderer: new URL(RENDERER, base).href,
    poll: "manual",
    preview: true,
  });
  if (kind !== "message") {
    await client.show(slug, { kind, mode: "page", target: place, loaded: shown });
    return;
  }
  const { presentMessage } = await import(client.options.renderer);
  const messages = shown.messages.filter((/** @type {any} */ message) => !key || message.key === key);
  for (const message of messages.length > 0 ? messages : shown.messages) {
    await presentMessage(client, { message, target: place, mode: "page" }, () => {});
  }
}

addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data !== "object") return;
  show(event.data);
});
parent.postMessage({ type: "ready" }, "*");
