// A document as respondents would see it, drawn by the shipped renderer in a frame that cannot read the console. The
// daemon plays the actions in the frame. The preview records nothing.

import { kindNamed } from "../kinds.js";
import { consult, loadApps, path, Problem } from "../api.js";
import { branchAt, idAt, pointerOfId } from "../document/places.js";
import { released } from "../press.js";
import { h } from "../../shared/dom.js";
import { t } from "../texts.js";
import { previewBar } from "./preview-bar.js";
import { findPlaces, play } from "./preview-play.js";

/**
 * @typedef {{locale?: string, theme?: string, width?: string, branch?: string, dir?: string, motion?: string, persona?: string,
 *   hook?: string, state?: string, pointer?: string}} PreviewLook `width` is in pixels, or "free"; `persona` is a name of the
 *   manifest's; `hook` is the owner's server's stand-in; `pointer` is that of the question, step or message that is
 *   shown; a missing value has the default of the daemon, the system or the document
 * @typedef {{text: string, isSound: boolean, get(pointer: string): any}} ShownDocument
 * @typedef {{kind: string, branches: string[], personas: string[], hooks: boolean, locale: string, dir: string, shown: any,
 *   theme: any, attributes: any, now: string | null, offer: any}} Picture `offer` is the card that invites to the content
 * @typedef {HTMLElement & {update(look?: PreviewLook): void, leave(): void, look: PreviewLook}} PreviewPane
 */

/** The delay of the request after the last key. */
const pauseMilliseconds = 120;
const maximumMessages = 20;
const names = /** @type {const} */ (["locale", "theme", "width", "branch", "dir", "motion", "persona", "hook"]);

/** A look in the syntax of an address. @param {PreviewLook} look */
export const lookText = (look) =>
  names.map((name) => (look[name] ?? "").replaceAll("%", "%25").replaceAll(",", "%2C")).join(",").replace(/,+$/, "");

/** @param {string | null} text @returns {PreviewLook} */
export function lookOf(text) {
  const values = (text ?? "").split(",");
  const plain = (/** @type {string | undefined} */ value) => value?.replaceAll("%2C", ",").replaceAll("%25", "%");
  return Object.fromEntries(names.map((name, place) => [name, plain(values[place]) || undefined]));
}

/**
 * Events: `bw-choose` with `{pointer}` when a question is pressed, `bw-look` with the look after a change in the bar,
 * `bw-walk` with the daemon's response after each action in a flow.
 * @param {{app: string, slug: string, document: ShownDocument, look?: PreviewLook, isStill?: boolean,
 *   questions?: import("./preview-bar.js").Question[]}} options
 *   a still preview has no controls and cannot be pressed; the questions can be chosen as states
 * @returns {PreviewPane}
 */
export function previewPane({ app, slug, document, look = {}, isStill = false, questions }) {
  const frame = h("iframe", {
    class: "preview-frame",
    src: `/console/preview/${encodeURIComponent(app)}`,
    sandbox: "allow-scripts",
    title: t("preview.frame"),
    tabindex: isStill ? "-1" : null,
    inert: isStill,
  });
  const note = h("p", { class: "hint", role: isStill ? null : "status" });
  const stage = h("div", { class: "preview-stage" }, frame);
  const element = /** @type {PreviewPane} */ (h(
    "section",
    { class: isStill ? "preview is-still" : "preview", "aria-label": t("preview.title") },
  ));
  const drawing = new Drawing({ app, slug, document, look: { ...look }, frame, note });
  const change = (/** @type {PreviewLook} */ newer) => {
    element.update(newer);
    element.dispatchEvent(new CustomEvent("bw-look", { bubbles: true, detail: element.look }));
  };
  const bar = isStill ? undefined : previewBar(change, () => drawing.draw(), questions);
  element.append(...(bar ? [bar.element] : []), stage, note);
  drawing.onPicture = (picture) => {
    bar?.update(element.look, picture);
    stage.style.setProperty("--preview-width", widthOf(element.look));
  };
  drawing.onChoose = (pointer) =>
    element.dispatchEvent(new CustomEvent("bw-choose", { bubbles: true, detail: { pointer } }));
  drawing.onWalk = (walk) => element.dispatchEvent(new CustomEvent("bw-walk", { bubbles: true, detail: walk }));
  Object.defineProperty(element, "look", { get: () => drawing.look });
  element.update = (newer = {}) => {
    drawing.update(newer);
    stage.style.setProperty("--preview-width", widthOf(element.look));
  };
  element.leave = () => drawing.leave();
  bar?.update(drawing.look);
  if (bar) loadLocales(app).then((locales) => bar.setLocales(locales), () => undefined);
  element.update();
  return element;
}

/** @param {PreviewLook} look */
const widthOf = ({ width }) => width && width !== "free" ? `${Number(width) || 360}px` : "100%";

/** @param {string} app @returns {Promise<string[]>} */
async function loadLocales(app) {
  const apps = await loadApps();
  const found = apps.find((item) => item.app === app);
  return found ? [...new Set([found.default_locale, ...found.locales])] : [];
}

/**
 * The drawn messages: the chosen one, or else the first ones, because hundreds would be slow.
 * @param {{messages: any[]}} shown
 * @param {string} [key]
 */
function fewMessages(shown, key) {
  if (!Array.isArray(shown?.messages)) return shown;
  const chosen = shown.messages.filter((message) => message.key === key);
  return { ...shown, messages: chosen.length > 0 ? chosen : shown.messages.slice(0, maximumMessages) };
}

/** Requests the preview from the daemon, and sends it to the frame. */
class Drawing {
  /** @param {{app: string, slug: string, document: ShownDocument, look: PreviewLook, frame: HTMLIFrameElement, note: HTMLElement}} parts */
  constructor({ app, slug, document, look, frame, note }) {
    this.app = app;
    this.slug = slug;
    this.document = document;
    this.look = look;
    this.frame = frame;
    this.note = note;
    /** The last successful picture. @type {Picture | undefined} */
    this.picture = undefined;
    this.isReady = false;
    /** The last request, which is not repeated. */
    this.asked = "";
    /** The text from which the picture was made. */
    this.pictured = "";
    /** The content that the frame shows. @type {string | null} */
    this.at = null;
    this.number = 0;
    this.pause = 0;
    this.asking = new AbortController();
    /** @type {(picture: Picture) => void} */
    this.onPicture = () => undefined;
    /** @type {(pointer: string) => void} */
    this.onChoose = () => undefined;
    /** @type {(walk: any) => void} */
    this.onWalk = () => undefined;
    this.over = new AbortController();
    addEventListener("message", (event) => this.hear(event), { signal: this.over.signal });
  }

  leave() {
    clearTimeout(this.pause);
    this.asking.abort();
    this.over.abort();
  }

  /** @param {PreviewLook} newer */
  update(newer) {
    const before = this.look;
    this.look = { ...before, ...newer };
    if (newer.pointer !== undefined && newer.pointer !== before.pointer) this.follow(newer.pointer);
    if (newer.hook !== before.hook) this.tellHook();
    clearTimeout(this.pause);
    if (this.question() === this.asked) {
      if (this.isOther(before)) this.draw();
      return;
    }
    if (!this.picture) void this.ask();
    else this.pause = setTimeout(() => this.ask(), pauseMilliseconds);
  }

  /** Shows the branch in which a chosen value is. @param {string} pointer */
  follow(pointer) {
    this.look.branch = branchAt(this.document, pointer) ?? this.look.branch;
  }

  /** The state that is drawn: at a place in the offer it is the invitation. @param {PreviewLook} look */
  stateOf({ state, pointer }) {
    return state ?? (pointer?.startsWith("/offer") && this.picture?.offer ? "offer" : undefined);
  }

  /** Whether the frame must draw again. @param {PreviewLook} before */
  isOther(before) {
    const isSame =
      ["theme", "dir", "motion"].every((name) => Reflect.get(before, name) === Reflect.get(this.look, name)) &&
      this.stateOf(before) === this.stateOf(this.look);
    const wanted = this.wanted();
    return !isSame || (wanted !== undefined && wanted !== this.at);
  }

  /** The id of the question, step or message in which the pointer lies. */
  wanted() {
    return this.look.pointer === undefined ? undefined : idAt(this.document, this.look.pointer);
  }

  question() {
    const query = new URLSearchParams({ slug: this.slug });
    if (this.look.locale) query.set("locale", this.look.locale);
    if (this.look.branch) query.set("branch", this.look.branch);
    if (this.look.persona) query.set("persona", this.look.persona);
    return `${query}\n${this.document.text}`;
  }

  async ask() {
    this.asking.abort();
    if (!this.document.isSound) return this.tell("preview.broken");
    const { signal } = this.asking = new AbortController();
    const asked = this.asked = this.question();
    const { text } = this.document;
    const query = asked.slice(0, asked.indexOf("\n"));
    try {
      this.picture = await consult(
        `${path("apps", this.app, "recipes", "render")}?${query}`,
        text,
        signal,
      );
      this.pictured = text;
      this.tell();
      this.draw();
    } catch (problem) {
      if (signal.aborted) return;
      this.asked = "";
      const isEmpty = problem instanceof Problem && problem.body.errors?.[0]?.code === "preview";
      this.tell(
        problem instanceof Problem && problem.isPassing
          ? "preview.waits"
          : isEmpty
          ? "preview.nothing"
          : "preview.broken",
      );
    }
  }

  /** @param {string} [key] */
  tell(key) {
    const shown = key === "preview.broken" && !this.picture ? "preview.nothing" : key;
    this.note.textContent = shown ? t(shown) : "";
    this.frame.toggleAttribute("data-stale", Boolean(key));
  }

  draw() {
    const { picture, look, slug } = this;
    if (!picture) return;
    this.onPicture(picture);
    if (!this.isReady) return;
    const { kind, locale, dir, theme, attributes, now, offer } = picture;
    const shown = fewMessages(picture.shown, this.wanted());
    const state = this.stateOf(look);
    const wanted = { scheme: look.theme, motion: look.motion, dir: look.dir, state, at: this.wanted() };
    this.number += 1;
    this.frame.contentWindow?.postMessage(
      { slug, kind, locale, dir, shown, theme, attributes, now, offer, look: wanted, number: this.number },
      "*",
    );
  }

  /** Sets the stand-in for the owner's server from now on; earlier steps stay. */
  tellHook() {
    this.frame.contentWindow?.postMessage({ type: "hook", hook: this.look.hook ?? "proceed" }, "*");
  }

  /**
   * Responds to a request of the frame.
   * @param {"play" | "places"} type
   * @param {any} question
   * @param {number} number
   */
  async answer(type, question, number) {
    const { app, slug, pictured, frame } = this;
    const answer = type === "play"
      ? await play({ app, slug, text: pictured }, question)
      : await findPlaces(app, question);
    if (type === "play" && answer.body.runs) this.onWalk(answer.body);
    frame.contentWindow?.postMessage({ type: "answer", number, answer }, "*");
  }

  /** Gives the frame the height of its page; a step of a flow fills its page. @private @param {number} height */
  async resize(height) {
    await released();
    const { isTall } = kindNamed(this.picture?.kind);
    this.frame.style.setProperty("block-size", `${isTall ? 640 : Math.min(Math.max(height, 120), 4000)}px`);
  }

  /** Handles a message of the frame, and ignores messages of other windows. @param {MessageEvent} event */
  hear(event) {
    if (event.source !== this.frame.contentWindow || typeof event.data !== "object" || event.data === null) return;
    const { type, height, id, at, number, question } = event.data;
    if (type === "play" || type === "places") {
      void this.answer(type, question, number);
    } else if (type === "ready") {
      this.isReady = true;
      this.tellHook();
      this.draw();
    } else if (type === "height" && typeof height === "number") {
      void this.resize(height);
    } else if (type === "shown" && number === this.number) {
      this.at = typeof at === "string" ? at : null;
      this.frame.dataset.drawn = String(number);
    } else if (type === "at") {
      this.at = typeof at === "string" ? at : null;
    } else if (type === "choose" && typeof id === "string") {
      const pointer = pointerOfId(this.document, id, this.look.branch);
      if (pointer !== undefined) this.onChoose(pointer);
    }
  }
}
