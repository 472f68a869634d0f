// The parts that all views have: a frame, texts, closing, waiting and the display of faults.
import { h } from "../../shared/dom.js";
import { Texts } from "../../shared/i18n.js";
import { loadParts, loadTexts } from "./parts.js";
import { button, closeButton, doneMark, head } from "./elements.js";
import { isHandheld, Shell } from "./shell.js";

/** @typedef {import("../client.js").Bellwether} Bellwether */
/** @typedef {import("./shell.js").Mode} Mode */
/** @typedef {{mode: Mode, target?: Element, lang?: string, dir?: string, label: string, theme?: any, isSheet?: boolean, intro?: any}} Frame */
/** @typedef {{title?: string, text?: string, accept?: string, onNever: () => any}} ConsentWords */

/** The time limit for a function of the page. */
const hookMilliseconds = 10_000;
/** The texts of a wait, and the milliseconds after which they appear. @type {[string, number][]} */
const waits = [["working", 1_000], ["stillWorking", 15_000]];

export class View {
  /** @param {Bellwether} client @param {() => void} onClosed */
  constructor(client, onClosed) {
    this.client = client;
    this.onClosed = onClosed;
    this.texts = new Texts(client.options.texts ?? {});
    /** @type {Shell | undefined} */
    this.frame = undefined;
    /** Settles after the current press of the pointer. @type {Promise<void> | undefined} */
    this.press = undefined;
    /** What `frame` and `cancel` were before a sheet covered them. @type {{frame: Shell, cancel: () => void} | undefined} */
    this.prompt = undefined;
    /** The action of Escape, and of a sheet that is put away. @type {() => void} */
    this.cancel = () => this.close();
  }

  /** Whether the view has a sheet on a phone and a tablet (docs/web.md#sheets). */
  get hasSheet() {
    return false;
  }

  /** Loads what the view needs before it opens: the built-in texts of a language, and the sheet. @param {string} [locale] */
  async speak(locale = "en") {
    // Without its part a sheet is a dialog.
    const sheet = this.hasSheet && isHandheld() ? loadParts(["sheet"]).catch(() => {}) : undefined;
    const [builtIn] = await Promise.all([loadTexts(locale), sheet]);
    try {
      this.texts = this.texts.in(locale, builtIn);
    } catch {
      // A page may have an invalid language tag.
    }
  }

  /** @param {Frame} frame */
  open(frame) {
    const { prompt } = this;
    const gone = new AbortController();
    const onClosed = () => {
      gone.abort();
      if (!prompt) this.onClosed();
    };
    const sheet = frame.isSheet ? this.texts.get("sheetSize") : undefined;
    this.frame = new Shell({ ...frame, sheet, onEscape: () => this.cancel(), onClosed });
    this.frame.panel.addEventListener("pointerdown", () => this.press = released());
    if (prompt || this.frame.sheet) this.cancel = () => this.putAway();
    // A phone may end a hidden page without an event.
    const leave = () => document.visibilityState === "hidden" && this.stash();
    document.addEventListener("visibilitychange", leave, { signal: gone.signal });
    addEventListener("pagehide", () => this.stash(), { signal: gone.signal });
  }

  /** Stores unsent inputs at once, because the page may end. */
  stash() {}

  get shell() {
    return /** @type {Shell} */ (this.frame);
  }

  /** Whether the view is a page of its own, with nothing behind it. */
  get isPage() {
    return this.shell.options.mode === "page";
  }

  /** Whether the respondent has answered, and may answer again: the next opening replaces the view. */
  get isOver() {
    return false;
  }

  /** Lets the offer of a recipe that asks again return in this visit. @param {number | undefined} round that was answered */
  renew(round) {
    if (round) this.client.deferred.delete(this.detail.message);
  }

  /** The detail of events. @returns {any} */
  get detail() {
    return {};
  }

  /** Closes the view before its end. */
  leave() {
    this.close();
  }

  /**
   * Opens a sheet over the prompt, on a phone and a tablet. The view is drawn there until the sheet is lowered.
   * @returns {boolean} whether there is a sheet
   */
  raise() {
    const { frame, cancel } = this;
    if (!frame || frame.sheet || this.isPage || !isHandheld()) return false;
    this.prompt = { frame, cancel };
    this.open({ ...frame.options, mode: "modal", target: undefined, isSheet: true });
    return true;
  }

  /** Closes the sheet over the prompt. @returns {boolean} whether there was one */
  lower() {
    const { prompt } = this;
    if (!prompt) return false;
    this.shell.close();
    this.prompt = undefined;
    Object.assign(this, prompt);
    return true;
  }

  /** Puts a sheet away. The prompt is there again, and nothing is sent. */
  putAway() {
    this.stash();
    this.client.emit("cancelled", this.detail);
    if (!this.lower()) return this.close();
    this.shell.body.querySelector("button.primary")?.focus();
  }

  /** Closes the view, with the prompt under a sheet. */
  close() {
    this.lower();
    this.frame?.close();
  }

  destroy() {
    this.close();
  }

  /**
   * Calls a function of the page. The result is undefined without such a function, or after ten seconds.
   * @param {import("../client.js").HookName} name
   * @param {any} detail
   */
  async ask(name, detail) {
    const hook = this.client.hooks[name];
    if (!hook) return undefined;
    let timer = 0;
    const late = new Promise((resolve) => timer = setTimeout(resolve, hookMilliseconds));
    try {
      return await Promise.race([hook(detail), late]);
    } catch (error) {
      console.error("bellwether:", error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits, and shows the wait after a second. @template T @param {Promise<T>} work @returns {Promise<T>} */
  async working(work) {
    const timers = waits.map(([key, wait]) => setTimeout(() => this.shell.say(this.texts.get(key), true), wait));
    try {
      return await work;
    } finally {
      timers.forEach(clearTimeout);
      if (this.shell.isBusy) this.shell.say("");
    }
  }

  /**
   * Shows faults in a summary that has the focus and links to each answer.
   * @param {{text: string, control?: import("./controls.js").Control}[]} faults an empty array removes the summary
   * @param {string} [place] the selector of the element after it; by default the summary is first
   */
  summarize(faults, place) {
    const { body } = this.shell;
    body.querySelector(".summary")?.remove();
    if (faults.length === 0) return;
    const items = faults.map(({ text, control }) =>
      h("li", { class: "bidi" }, control ? button(text, "", () => control.focus()) : text)
    );
    const summary = h(
      "div",
      { class: "summary", part: "summary", role: "group", tabindex: "-1", "aria-labelledby": "bw-summary" },
      h("h3", { id: "bw-summary" }, this.texts.get("errorSummary")),
      h("ul", {}, items),
    );
    const content = body.querySelector(".content");
    content.insertBefore(summary, place ? content.querySelector(place) : content.firstChild);
    summary.focus();
    this.shell.say(this.texts.get("errorSummary"));
  }

  /**
   * Shows a page with a title, a text and buttons.
   * @param {string} title
   * @param {string} text
   * @param {Node[]} actions
   * @param {Node | null} [close]
   */
  note(title, text, actions, close) {
    this.shell.replace(noteOf(title, text, actions, close), { announce: `${title} ${text}`, look: "note" });
  }

  /**
   * Asks whether the respondent has time: yes, later, or never. "Never" needs a confirmation.
   * @param {ConsentWords} words
   * @param {() => any} onAccept
   */
  askConsent(words, onAccept) {
    const { texts } = this;
    const later = () => this.leave();
    this.note(words.title ?? texts.get("consentTitle"), words.text ?? texts.get("consentBody"), [
      button(words.accept ?? texts.get("consentAccept"), "primary", onAccept),
      button(texts.get("consentLater"), "", later),
      button(texts.get("consentNever"), "plain", () => this.#confirmNever(words, onAccept)),
    ], closeButton(texts.get("close"), later));
  }

  /** @param {ConsentWords} words @param {() => any} onAccept */
  #confirmNever(words, onAccept) {
    const { texts } = this;
    const never = async () => {
      await words.onNever();
      this.client.emit("dismissed", this.detail);
      this.destroy();
    };
    this.note(texts.get("neverTitle"), texts.get("neverBody"), [
      button(texts.get("doNotShowAgain"), "primary", never),
      button(texts.get("backButton"), "", () => this.askConsent(words, onAccept)),
    ]);
    this.shell.body.querySelector("h2")?.focus();
  }

  /** Shows the last page. @param {string} title @param {string} text @param {boolean} [isSuccess] shows a check mark */
  finish(title, text, isSuccess = false) {
    this.cancel = () => this.close();
    const close = button(this.texts.get("doneButton"), "primary", () => this.close());
    const nodes = noteOf(title, text, this.isPage ? [] : [close]);
    this.shell.replace(isSuccess ? [doneMark(), ...nodes] : nodes, { announce: `${title} ${text}`, look: "ended" });
  }
}

/** @returns {Promise<void>} settles after the release of the pointer and its click */
function released() {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      over.abort();
      setTimeout(resolve);
    };
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, end, { signal: over.signal });
  });
}

/**
 * Why the daemon took no answer, and the keys of the texts that say so; undefined if it took the answer, or will get it.
 * @param {import("../../client/queue.js").Outcome | undefined} outcome
 * @returns {{reason: string, title: string, text: string} | undefined}
 */
export function refusalOf(outcome) {
  if (outcome?.state !== "answered") return undefined;
  const isClosed = outcome.body?.status === "screened_out";
  if (outcome.status < 300 && !isClosed) return undefined;
  const reason = isClosed ? "screened_out" : outcome.body?.errors?.[0]?.code ?? String(outcome.status);
  return { reason, ...wordsOf(reason) };
}

/** The keys of the texts that say why nothing can be answered. @param {string} reason */
export const wordsOf = (reason) =>
  reason === "already_responded"
    ? { title: "successTitle", text: "answeredBody" }
    : { title: "closedTitle", text: "closedBody" };

/** The fault of an answer, after the title of its question. @param {string} title @param {string} fault */
export const told = (title, fault) => /[?.!:;？。！؟]$/.test(title) ? `${title} ${fault}` : `${title}: ${fault}`;

/** @param {string} title @param {string} text @param {Node[]} actions @param {Node | null} [close] */
export const noteOf = (title, text, actions, close) => [
  head(title, close),
  text ? h("p", { class: "text bidi", part: "text" }, text) : h("span"),
  h("div", { class: "actions", part: "actions" }, actions),
];
