// A sheet: a modal view at the lower edge of a phone or a tablet (docs/web.md#sheets). It has a medium and a large
// height. A drag of the grabber, or of content that does not scroll, changes the height; downwards it puts the sheet away.
import { h } from "../../shared/dom.js";
import { css } from "./sheet_style.js";

/** @typedef {{y: number, time: number}} Sample a position of the pointer and its time, both as events have them */

/** The part of a drag that counts for its speed, in milliseconds. */
const recently = 100;
/** The time for which a released sheet would keep its speed, in milliseconds. */
const momentum = 160;
/** The height of a screen on which half is too little, in pixels. */
const lowScreen = 500;

const isTablet = matchMedia("(width >= 600px)");
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** Keeps the page behind a sheet from scrolling. */
const lock = new CSSStyleSheet();
lock.replaceSync(":root { overflow: hidden !important; }");

export class Sheet {
  /**
   * @param {{panel: HTMLDialogElement, body: HTMLElement, adopt: (css: string | CSSStyleSheet) => void}} shell
   * @param {string} label the name of the grabber
   * @param {() => void} onAway puts the view away; the view may also stay
   */
  constructor(shell, label, onAway) {
    this.panel = shell.panel;
    this.body = shell.body;
    this.onAway = onAway;
    this.isLarge = false;
    /** @type {Sample[]} */
    this.samples = [];
    this.start = { y: 0, height: 0 };
    this.gone = new AbortController();
    const rules = new CSSStyleSheet();
    rules.replaceSync("dialog.panel.panel {}");
    /** The measures of a drag and of the keyboard. */
    this.measures = /** @type {CSSStyleRule} */ (rules.cssRules[0]).style;
    shell.adopt(css);
    shell.adopt(rules);
    this.panel.classList.add("sheet");
    this.grabber = h("button", { type: "button", class: "grabber", part: "grabber", "aria-label": label });
    this.panel.prepend(this.grabber);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock];
    this.#listenToGrabber();
    this.#listenToContent();
    this.#listenToScreen();
    this.settle(isTablet.matches);
  }

  /** The large height in pixels. */
  get large() {
    return (visualViewport?.height ?? innerHeight) - 24;
  }

  /** The medium height in pixels; on a low screen it is the large one. */
  get medium() {
    return innerHeight < lowScreen ? this.large : innerHeight / 2;
  }

  /** @param {boolean} isLarge */
  settle(isLarge) {
    this.isLarge = isLarge || innerHeight < lowScreen;
    this.panel.classList.toggle("large", this.isLarge);
    this.panel.classList.remove("dragged");
    this.grabber.setAttribute("aria-expanded", String(this.isLarge));
    for (const name of ["--_height", "--_shift"]) this.measures.removeProperty(name);
  }

  #listenToGrabber() {
    const { grabber } = this;
    let isMoved = false;
    grabber.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      isMoved = false;
      grabber.setPointerCapture(event.pointerId);
      this.#begin(event.clientY, event.timeStamp);
    });
    grabber.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!grabber.hasPointerCapture(event.pointerId)) return;
      isMoved ||= Math.abs(event.clientY - this.start.y) > 4;
      if (isMoved) this.#move(event.clientY, event.timeStamp);
    });
    grabber.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => isMoved && this.#end(event.timeStamp));
    grabber.addEventListener("pointercancel", () => this.settle(this.isLarge));
    // The release of a drag is a click, too.
    grabber.addEventListener("click", () => {
      if (!isMoved) this.settle(!this.isLarge);
      isMoved = false;
    });
    grabber.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      if (event.key === "ArrowUp") this.settle(true);
      else if (this.isLarge && this.medium < this.large) this.settle(false);
      else this.putAway();
    });
  }

  /** A touch of the content drags the sheet where there is nothing to scroll in its direction. */
  #listenToContent() {
    const { body, panel } = this;
    /** @type {{x: number, y: number, isFree: boolean} | undefined} */
    let touch;
    let isDragging = false;
    body.addEventListener("touchstart", (/** @type {TouchEvent} */ event) => {
      const [{ clientX: x, clientY: y }] = event.touches;
      touch = event.touches.length === 1 ? { x, y, isFree: !keepsTouch(event, body) } : undefined;
    }, { passive: true });
    body.addEventListener("touchmove", (/** @type {TouchEvent} */ event) => {
      const [{ clientX: x, clientY: y }] = event.touches;
      if (touch?.isFree && !isDragging && event.cancelable) {
        const [along, down] = [Math.abs(x - touch.x), y - touch.y];
        const scrolls = down > 0 ? body.scrollTop > 0 : body.scrollHeight > body.clientHeight + 1;
        isDragging = Math.abs(down) > along && !scrolls;
        if (isDragging) this.#begin(y, event.timeStamp);
        else if (along !== 0 || down !== 0) touch = undefined;
      }
      if (!isDragging) return;
      event.preventDefault();
      this.#move(y, event.timeStamp);
    }, { passive: false });
    const end = (/** @type {TouchEvent} */ event) => {
      if (isDragging) this.#end(event.timeStamp);
      isDragging = false;
      touch = undefined;
    };
    body.addEventListener("touchend", end);
    body.addEventListener("touchcancel", end);
    // A press outside that also ends outside, so that the selection of a text does not put the sheet away.
    let isOutside = false;
    const isBackdrop = (/** @type {MouseEvent} */ event) => event.target === panel && !contains(panel, event);
    panel.addEventListener("pointerdown", (event) => isOutside = isBackdrop(event));
    panel.addEventListener("click", (event) => {
      if (isOutside && isBackdrop(event)) this.putAway();
    });
  }

  /** The sheet stands above the keyboard of a phone, and is large where half of the screen is too little. */
  #listenToScreen() {
    const { signal } = this.gone;
    const fit = () => {
      const view = visualViewport;
      // A magnified page has no other room.
      const isPlain = view && view.scale <= 1.01;
      const below = isPlain ? Math.max(0, innerHeight - view.height - view.offsetTop) : 0;
      this.measures.setProperty("--_keyboard", `${Math.round(below)}px`);
      this.measures.setProperty("--_room", isPlain ? `${Math.floor(view.height)}px` : "100dvh");
      if (below > 0) this.#focused?.scrollIntoView({ block: "nearest" });
    };
    visualViewport?.addEventListener("resize", fit, { signal });
    visualViewport?.addEventListener("scroll", fit, { signal });
    addEventListener("resize", () => innerHeight < lowScreen && this.settle(true), { signal });
    isTablet.addEventListener("change", () => this.settle(isTablet.matches || this.isLarge), { signal });
    fit();
  }

  get #focused() {
    return /** @type {ShadowRoot} */ (this.panel.getRootNode()).activeElement;
  }

  /** @param {number} y @param {number} time */
  #begin(y, time) {
    this.start = { y, height: this.panel.getBoundingClientRect().height };
    this.samples = [{ y, time }];
  }

  /** @param {number} y @param {number} time */
  #move(y, time) {
    this.samples.push({ y, time });
    const height = Math.min(this.large, this.start.height + this.start.y - y);
    this.panel.classList.add("dragged");
    this.measures.setProperty("--_height", `${Math.max(height, this.medium)}px`);
    this.measures.setProperty("--_shift", `${Math.max(0, this.medium - height)}px`);
  }

  /** @param {number} time */
  #end(time) {
    const recent = this.samples.filter((sample) => time - sample.time < recently);
    const [first, last] = [recent[0], recent.at(-1)];
    const speed = first && last && last.time > first.time ? (last.y - first.y) / (last.time - first.time) : 0;
    const { y } = /** @type {Sample} */ (this.samples.at(-1));
    // A flick goes to the next height, not beyond.
    const farthest = this.medium * 0.35;
    const more = Math.max(-farthest, Math.min(farthest, speed * momentum));
    const height = this.start.height + this.start.y - y - more;
    if (height < this.medium * 0.6) return this.putAway();
    return this.settle(height > (this.large + this.medium) / 2);
  }

  /** Moves the sheet out of the screen, then puts the view away. If the view stays, it comes back. */
  async putAway() {
    this.panel.classList.remove("dragged");
    if (!isStill.matches) {
      const slide = this.panel.animate([{ transform: "translateY(100%)" }], { duration: 180, easing: "ease-in" });
      await slide.finished.catch(() => {});
    }
    if (this.gone.signal.aborted) return;
    this.onAway();
    if (!this.gone.signal.aborted) this.settle(this.isLarge);
  }

  /** Gives the page its scrolling back. */
  end() {
    this.gone.abort();
    const others = [...document.adoptedStyleSheets];
    const own = others.lastIndexOf(lock);
    if (own >= 0) document.adoptedStyleSheets = others.toSpliced(own, 1);
  }
}

/** @param {Element} element @param {MouseEvent} event */
function contains(element, { clientX, clientY }) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/**
 * Whether a touched element uses the touch itself: a slider, a drawing, a text that scrolls.
 * @param {TouchEvent} event
 * @param {HTMLElement} body
 */
function keepsTouch(event, body) {
  for (const element of event.composedPath()) {
    if (element === body) return false;
    if (!(element instanceof Element)) continue;
    const { touchAction, overflowY } = getComputedStyle(element);
    const scrolls = /auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1;
    if (scrolls || touchAction === "none" || element.matches("input[type=range], select, canvas")) return true;
  }
  return false;
}
