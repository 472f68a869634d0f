// `bellwether.js`: a classic script. Its tag holds the options as `data-` attributes (docs/web.md#the-tag).
import { Bellwether } from "./client.js";
import { openQueue } from "./open_queue.js";
import { PageStream } from "./stream.js";

/** The renderer's file name, which Scripts/web-bundle inserts. */
/** @type {string} */
const renderer = RENDERER;

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const { app, token, base, clientId, userId, userProof, locale, surfaces, modal, consent, event, poll } = script.dataset;
const { attribution, context, button, buttonSide } = script.dataset;
const home = new URL(base ?? ".", script.src).href;
const settings = Reflect.get(globalThis, "bellwetherSettings") ?? {};

const bellwether = new Bellwether({
  app: app ?? "",
  token,
  clientId,
  userId,
  userProof,
  locale,
  surfaces: surfaces?.split(/\s+/),
  modal: modal?.split(/\s+/),
  consent: consent === "required" ? "required" : undefined,
  event,
  button,
  buttonSide,
  poll: poll === "manual" ? "manual" : undefined,
  context: context ? JSON.parse(context) : {},
  attribution: attribution !== undefined,
  openQueue,
  Stream: poll === "manual" || settings.poll === "manual" ? undefined : PageStream,
  ...settings,
  base: home,
  renderer: new URL(renderer, script.src).href,
});
Reflect.set(globalThis, "bellwether", bellwether);
bellwether.emit("ready");
bellwether.start();
