// What all views have: a frame, texts, and one way to be closed.
import { h } from "../../shared/dom.js";
import { Texts } from "../../shared/i18n.js";
import { button, closeButton, head, Shell } from "./shell.js";

/** @typedef {import("../client.js").Bellwether} Bellwether */
/** @typedef {import("./shell.js").Mode} Mode */
/** @typedef {{mode: Mode, target?: Element, lang?: string, dir?: string, label: string}} Frame */

export class View {
  /** @param {Bellwether} client @param {() => void} onClosed */
  constructor(client, onClosed) {
    this.client = client;
    this.onClosed = onClosed;
    this.texts = new Texts(client.options.texts ?? {});
    /** @type {Shell | undefined} */
    this.frame = undefined;
    /** What Escape and the close button do. @type {() => void} */
    this.cancel = () => this.close();
  }

  /** @param {Frame} frame */
  open(frame) {
    this.frame = new Shell({ ...frame, onEscape: () => this.cancel(), onClosed: this.onClosed });
  }

  get shell() {
    return /** @type {Shell} */ (this.frame);
  }

  /** What events tell of it. @returns {any} */
  get detail() {
    return {};
  }

  /** Closes before the end. */
  leave() {
    this.close();
  }

  close() {
    this.frame?.close();
  }

  destroy() {
    this.close();
  }

  /**
   * A page with a title, a text and buttons.
   * @param {string} title
   * @param {string} text
   * @param {Node[]} actions
   * @param {Node | null} [close]
   */
  note(title, text, actions, close) {
    const nodes = [
      head(title, close),
      text ? h("p", { class: "text bidi", part: "text" }, text) : h("span"),
      h("div", { class: "actions", part: "actions" }, actions),
    ];
    this.shell.replace(nodes, { announce: `${title} ${text}` });
  }

  /**
   * Asks whether there is time: yes, later, or never, which is asked again.
   * @param {{title?: string, text?: string, accept?: string, onNever: () => any}} words
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

  /** @param {{title?: string, text?: string, accept?: string, onNever: () => any}} words @param {() => any} onAccept */
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

  /** The last page. @param {string} title @param {string} text */
  finish(title, text) {
    this.cancel = () => this.close();
    // A page of its own has nothing behind it to go back to.
    const isPage = this.shell.options.mode === "page";
    this.note(title, text, isPage ? [] : [button(this.texts.get("doneButton"), "primary", () => this.close())]);
  }
}
