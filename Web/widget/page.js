// The page at `/s/{app}/{slug}`, and the page of a preview: one questionnaire, survey or flow, and nothing else. The
// attributes of its one element name its subject. The fragment may name the respondent, because no server sees it.
import { pageTheme } from "../shared/theme.js";
import { Bellwether } from "./client.js";
import { openQueue } from "./open_queue.js";

const pageStyle = `
  :root {
    --ground: var(--bw-background, var(--page-background, #fff)); --ink: var(--bw-text, var(--page-text, #1d2430)); color-scheme: light dark;
    background: var(--ground); color: var(--ink); scroll-padding-block: 12px 6rem; font: var(--page-font, 400 1rem/1.45 system-ui, sans-serif);
  }
  @media (prefers-color-scheme: dark) {
    :root { --ground: var(--bw-background, var(--page-background, #1b1f27)); --ink: var(--bw-text, var(--page-text, #eceff4)); }
  }
  body { margin: 0; min-height: 100svh; display: flex; flex-direction: column; }
  body > header { padding: 14px 20px 0; font-weight: 600; }
  main { flex: 1 0 auto; display: flex; flex-direction: column; gap: 16px; }
  main > bellwether-view:only-child { flex: 1 0 auto; }
  #link { display: block; margin: 24px auto; font: inherit; min-height: 44px; padding: 8px 18px; border-radius: 12px; border: 1px solid; background: none; color: inherit; cursor: pointer; }
  @media (width >= 600px) {
    body { background: color-mix(in srgb, var(--ink) 6%, var(--ground)); justify-content: center; box-sizing: border-box; padding: 32px 24px; }
    body > header, main { inline-size: 100%; max-inline-size: 42rem; margin-inline: auto; box-sizing: border-box; }
    body > header { padding: 0 4px 14px; }
    main { flex: 0 1 auto; min-block-size: min(44rem, 100svh - 7.5rem); }
  }
`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(pageStyle);

const place = /** @type {HTMLElement} */ (document.getElementById("bellwether"));
const { app, slug, kind, token, locale, preview, theme, link, now, given = "{}" } = place.dataset;
/** The values in the address for the names that the recipe lists (docs/web.md#links). */
const { answers, attributes } = JSON.parse(given);
const look = theme === undefined ? undefined : JSON.parse(theme);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet, ...pageTheme(look)];

const base = new URL("..", import.meta.url).href;
const fragment = new URLSearchParams(location.hash.slice(1));
/** Only a preview needs the part that replaces the daemon. */
const { StandIn } = preview === undefined ? {} : await import(new URL(PARTS.stand_in, import.meta.url).href);
const standIn = StandIn && new StandIn(play, { now });
if (standIn) standIn.hook = new URLSearchParams(location.search).get("hook") ?? standIn.hook;

/** Sends a question to the page's own address; the daemon plays the document there. @param {API.Question} question */
async function play(question) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(location.pathname, { method: "POST", headers, body: JSON.stringify(question) });
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

const bellwether = new Bellwether({
  app: app ?? "",
  token,
  locale,
  base,
  renderer: new URL(RENDERER, base).href,
  userId: fragment.get("user_id") ?? undefined,
  userProof: fragment.get("user_proof") ?? undefined,
  context: attributes,
  poll: "manual",
  standIn,
  openQueue,
});
Reflect.set(globalThis, "bellwether", bellwether);
bellwether.emit("ready");
if (kind === "message" && preview !== undefined) {
  // A preview of messages: all messages, one below the other.
  const { presentMessage } = await import(bellwether.options.renderer);
  for (const message of JSON.parse(preview).messages) {
    await presentMessage(bellwether, { message, target: place, mode: "page" }, () => {});
  }
} else {
  bellwether.show(slug ?? "", {
    kind,
    mode: "page",
    target: place,
    prefill: answers,
    responseId: fragment.get("response_id") ?? undefined,
    theme: look,
    // A page without a kind has no content, and says so.
    loaded: kind === undefined ? { eligible: false } : preview === undefined ? undefined : JSON.parse(preview),
  });
}

if (link !== undefined) {
  // A preview of content with its own page: the QR code of its address, made on demand.
  const open = async () =>
    (await import(new URL(PARTS.qr, import.meta.url).href)).show(new URL(link, location.href).href);
  const button = document.createElement("button");
  Object.assign(button, { id: "link", type: "button", textContent: "QR code of the link", onclick: open });
  place.after(button);
}
