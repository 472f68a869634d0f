// The frame of a view: where it stands on the page, its shadow root, and how it is closed.
import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { css } from "./style.js";

/** @typedef {"popover" | "modal" | "inline" | "page"} Mode */
/**
 * @typedef {object} ShellOptions
 * @property {Mode} mode
 * @property {Element} [target] where an inline view or a page stands
 * @property {string} [lang]
 * @property {string} [dir]
 * @property {string} label the name of the region
 * @property {() => void} onEscape
 * @property {() => void} onClosed
 */

/** @type {CSSStyleSheet | undefined} */
let sheet;

function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}

export class Shell {
  /** @param {ShellOptions} options */
  constructor(options) {
    this.options = options;
    const { mode, target, lang, dir, label } = options;
    this.host = h("bellwether-view", { class: "bellwether-view", lang, dir, "data-mode": mode });
    const root = this.host.attachShadow({ mode: "open", delegatesFocus: false });
    root.adoptedStyleSheets = [styleSheet()];
    this.panel = h(mode === "modal" ? "dialog" : "div", {
      class: "panel",
      part: "panel",
      dir,
      lang,
      "aria-label": label,
    });
    if (mode !== "modal" && mode !== "page") this.panel.setAttribute("role", "region");
    this.status = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
    this.body = h("div", { class: "body" });
    this.panel.append(this.body, this.status);
    root.append(h("div", { class: mode }, this.panel));
    this.isClosed = false;
    this.#listen();
    this.#show(target);
  }

  #listen() {
    const { mode, onEscape } = this.options;
    // Keys are read inside of the view only: those of the page stay the page's.
    this.panel.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
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
    // The browser closes a dialog on a second Escape whatever the page says.
    this.panel.addEventListener("close", () => {
      if (!this.isClosed) onEscape();
      if (!this.isClosed) this.panel.showModal();
    });
  }

  /** @param {Element} [target] */
  #show(target) {
    const { mode } = this.options;
    if (mode === "inline" || mode === "page") {
      const reserved = mode === "inline" ? (target?.clientHeight ?? 0) : 0;
      (target ?? document.body).append(this.host);
      // Inside of the space that the page has reserved, until somebody uses it.
      if (reserved > 40) {
        const limit = new CSSStyleSheet();
        limit.replaceSync(`.panel { max-block-size: ${reserved}px }`);
        this.host.shadowRoot.adoptedStyleSheets = [styleSheet(), limit];
        this.panel.addEventListener("pointerdown", () => this.release(), { once: true });
        this.panel.addEventListener("keydown", () => this.release(), { once: true });
      }
      return;
    }
    if (mode === "popover") this.host.setAttribute("popover", "manual");
    document.body.append(this.host);
    if (mode === "modal") this.panel.showModal();
    else this.host.showPopover?.();
  }

  /** An inline view may grow beyond the reserved space. */
  release() {
    this.host.shadowRoot.adoptedStyleSheets = [styleSheet()];
  }

  /** Whether the focus is in the view. */
  get hasFocus() {
    return this.host.shadowRoot.activeElement !== null;
  }

  /**
   * Replaces what is shown. The heading gets the focus if the focus was in the view, as it is after a press of Next.
   * @param {Node[]} nodes
   * @param {{announce?: string, focus?: boolean}} [options]
   */
  replace(nodes, { announce, focus = this.hasFocus } = {}) {
    const content = h("div", { class: "content enter", part: "content" }, nodes);
    this.body.replaceChildren(content);
    this.#lead(content, focus);
    this.panel.scrollTop = 0;
    if (announce) this.say(announce);
  }

  /**
   * Shows something in the place of what is shown, which stays as it is.
   * @param {Node[]} nodes
   * @returns {() => void} brings it back, with the focus where it was
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

  /** @param {HTMLElement} content its heading names the view @param {boolean} focus */
  #lead(content, focus) {
    const heading = /** @type {HTMLElement | null} */ (content.querySelector("[data-heading]") ??
      content.querySelector("h2"));
    if (!heading) return;
    heading.id ||= uniqueId("heading");
    heading.setAttribute("tabindex", "-1");
    this.panel.setAttribute("aria-labelledby", heading.id);
    if (focus) heading.focus();
  }

  /** Tells a screen reader, politely; that something takes its time is for all to see. @param {string} text @param {boolean} [isWait] */
  say(text, isWait = false) {
    // A reader waits with what changes inside of a busy element: the text stands outside.
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
    if (this.options.mode === "modal") this.panel.close();
    this.host.remove();
    this.options.onClosed();
  }
}

/**
 * A button. It stays focusable while it is busy.
 * @param {string} text
 * @param {string} kind `primary`, `plain` or empty
 * @param {(event: Event) => any} action
 * @returns {HTMLButtonElement}
 */
export function button(text, kind, action) {
  let isBusy = false;
  const element = h("button", { type: "button", class: kind || undefined, part: `button ${kind}`.trim() }, text);
  element.addEventListener("click", async (/** @type {Event} */ event) => {
    if (isBusy) return;
    isBusy = true;
    element.setAttribute("aria-disabled", "true");
    try {
      await action(event);
    } finally {
      isBusy = false;
      element.removeAttribute("aria-disabled");
    }
  });
  return element;
}

/** @param {string} label @param {() => any} action */
export function closeButton(label, action) {
  const element = button("×", "close", action);
  element.setAttribute("aria-label", label);
  return element;
}

/** A heading with a close button beside it. @param {string} text @param {Node | null} [close] */
export function head(text, close) {
  return h("div", { class: "head" }, h("h2", { class: "bidi", part: "title" }, text), close);
}
