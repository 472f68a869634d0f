// The frame of a view: its position on the page, its shadow root, and its closing.
import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { viewTheme } from "../../shared/theme.js";
import { Paint } from "./paint.js";
import { part } from "./parts.js";
import { css } from "./style.js";

/** @typedef {"popover" | "modal" | "inline" | "page"} Mode */
/**
 * @typedef {object} ShellOptions
 * @property {Mode} mode
 * @property {Element} [target] the parent of an inline view or a page
 * @property {string} [lang]
 * @property {string} [dir]
 * @property {string} label the name of the region
 * @property {any} [theme] the theme of the app or of the recipe
 * @property {{name?: string, description?: string}} [intro] of a page: what is asked for, above the questions
 * @property {string} [sheet] of a modal view that is a sheet: the name of the grabber. The part `sheet` is loaded
 * @property {() => void} onEscape
 * @property {() => void} onClosed
 */

/** Style sheets by their text: views share them. @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** The types of inputs with one line of text. */
const lines = /^(text|email|tel|url|number|password)$/;

/** Phones (below 600 px) and tablets, on which questions are in a sheet. */
export const isHandheld = () => matchMedia("(width < 600px), (pointer: coarse)").matches;

/** @param {string} text */
function styleSheet(text) {
  const known = sheets.get(text);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}

/**
 * Enter in a line focuses the next control, and after the last line the button: a phone's keyboard covers the button.
 * @param {any} event
 */
function leaveLine(event) {
  const line = event.target;
  // A custom view of the page handles Enter itself.
  if (event.defaultPrevented || event.isComposing || !lines.test(line.type) || line.closest("[part=custom]")) return;
  event.preventDefault();
  if (event.repeat) return;
  const content = line.closest(".content");
  const controls = [...content.querySelectorAll("input, select, textarea")].filter((control) =>
    control.checkVisibility()
  );
  const following = controls[controls.indexOf(line) + 1] ?? content.querySelector(".actions .primary");
  if (following?.matches("button")) following.click();
  else following?.focus();
}

/** @param {ShellOptions} options @returns {Node[]} */
function introOf({ mode, intro: { name, description } = {} }) {
  if (mode !== "page" || !(name || description)) return [];
  const title = name ? h("h1", { class: "bidi", part: "name" }, name) : null;
  const text = description ? h("p", { class: "text bidi", part: "description" }, description) : null;
  return [h("header", { class: "intro" }, title, text)];
}

export class Shell {
  /** @param {ShellOptions} options */
  constructor(options) {
    this.options = options;
    const { mode, target, lang, dir, label, theme, sheet } = options;
    this.host = h("bellwether-view", { class: "bellwether-view", lang, dir, "data-mode": mode });
    const root = this.host.attachShadow({ mode: "open", delegatesFocus: false });
    /** The styles of the author of a step. */
    this.paint = new Paint();
    root.adoptedStyleSheets = [styleSheet(css), ...viewTheme(theme), this.paint.sheet];
    this.panel = h(mode === "modal" ? "dialog" : "div", {
      class: sheet && mode === "modal" ? "panel steady" : "panel",
      part: "panel",
      dir,
      lang,
      "aria-label": label,
    });
    if (mode !== "modal" && mode !== "page") this.panel.setAttribute("role", "region");
    this.status = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
    this.body = h("div", { class: "body" });
    this.panel.append(...introOf(options), this.body, this.status);
    root.append(h("div", { class: mode, dir }, this.panel));
    this.isClosed = false;
    this.#listen();
    this.#show(target);
    const { Sheet } = part("sheet") ?? {};
    /** The sheet on a phone or a tablet; a desktop has a dialog. @type {any} */
    this.sheet = sheet && Sheet && mode === "modal" && isHandheld()
      ? new Sheet(this, sheet, options.onEscape)
      : undefined;
  }

  #listen() {
    const { mode, onEscape } = this.options;
    // The view handles keys in its own elements only, not the keys of the page.
    this.panel.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") return leaveLine(event);
      if (event.key !== "Escape" || mode === "page" || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    });
    if (mode !== "modal") return;
    this.panel.addEventListener("cancel", (/** @type {Event} */ event) => {
      event.preventDefault();
      onEscape();
    });
    // The browser closes a dialog on a second Escape, even if the page prevents it.
    this.panel.addEventListener("close", () => {
      if (!this.isClosed) onEscape();
      if (!this.isClosed) this.panel.showModal();
    });
  }

  /** @param {Element} [target] */
  #show(target) {
    const { mode } = this.options;
    if (mode === "inline" || mode === "page") {
      (target ?? document.body).append(this.host);
      return;
    }
    if (mode === "popover") this.host.setAttribute("popover", "manual");
    document.body.append(this.host);
    if (mode === "modal") this.panel.showModal();
    else this.host.showPopover?.();
  }

  /** @returns {CSSStyleSheet[]} */
  get #adopted() {
    return [...this.host.shadowRoot.adoptedStyleSheets];
  }

  set #adopted(sheets) {
    this.host.shadowRoot.adoptedStyleSheets = sheets;
  }

  /** Adds the rules of a part of the renderer, before the rules of authors. @param {string | CSSStyleSheet} rules */
  adopt(rules) {
    const sheet = typeof rules === "string" ? styleSheet(rules) : rules;
    const [own, ...others] = this.#adopted;
    if (!others.includes(sheet)) this.#adopted = [own, sheet, ...others];
  }

  /** Whether the focus is in the view. */
  get hasFocus() {
    return this.host.shadowRoot.activeElement !== null;
  }

  /**
   * Replaces the content. The heading gets the focus if the focus was in the view, for example after a press of Next.
   * @param {Node[]} nodes
   * @param {{announce?: string, focus?: boolean, look?: string}} [options]
   */
  replace(nodes, { announce, focus = this.hasFocus, look = "" } = {}) {
    const content = h("div", { class: `content enter ${look}`.trim(), part: "content" }, nodes);
    this.body.replaceChildren(content);
    this.#lead(content, focus);
    this.panel.scrollTop = this.body.scrollTop = 0;
    if (announce) this.say(announce);
  }

  /**
   * Shows nodes in place of the current content, which stays unchanged.
   * @param {Node[]} nodes
   * @returns {() => void} restores the content and its focus
   */
  cover(nodes) {
    const [covered] = this.body.children;
    const focused = this.host.shadowRoot.activeElement;
    const content = h("div", { class: "content enter", part: "content" }, nodes);
    covered.hidden = true;
    this.body.append(content);
    this.#lead(content, true);
    return () => {
      content.remove();
      covered.hidden = false;
      this.#lead(covered, !focused);
      focused?.focus();
    };
  }

  /** @param {HTMLElement} content the heading in it names the view @param {boolean} focus */
  #lead(content, focus) {
    const heading = /** @type {HTMLElement | null} */ (content.querySelector("[data-heading]") ??
      content.querySelector("h2"));
    if (!heading) return;
    heading.id ||= uniqueId("heading");
    heading.setAttribute("tabindex", "-1");
    this.panel.setAttribute("aria-labelledby", heading.id);
    if (focus) heading.focus();
  }

  /**
   * Announces a text politely to a screen reader; the text of a wait is visible to everyone.
   * @param {string} text
   * @param {boolean} [isWait]
   */
  say(text, isWait = false) {
    // Screen readers defer changes inside a busy element, so the text is outside of it.
    setAttribute(this.body, "aria-busy", isWait ? "true" : null);
    this.status.className = isWait ? "working" : "visually-hidden";
    this.status.textContent = "";
    this.status.textContent = text;
  }

  get isBusy() {
    return this.body.hasAttribute("aria-busy");
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.paint.end();
    this.sheet?.end();
    if (this.options.mode === "modal") this.panel.close();
    this.host.remove();
    this.options.onClosed();
  }
}
