// An author's styles as rules of a style sheet: each property is set by itself, so that a value can be no more than a
// value. An element gets a class; nothing has a style attribute.
import { uniqueId } from "../../shared/dom.js";

/** @typedef {{[property: string]: string | undefined}} Properties */

const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

export class Paint {
  constructor() {
    this.sheet = new CSSStyleSheet();
    /** @type {(() => void)[]} */
    this.jobs = [];
    dark?.addEventListener("change", this.again);
  }

  /** Colours are chosen by the ground, which has changed. */
  again = () => this.jobs.forEach((job) => job());

  /**
   * Sets properties of an element.
   * @param {Element} element
   * @param {Properties} properties
   * @param {string} [part] what of the element, such as `::before`
   */
  set(element, properties, part) {
    this.live(element, () => properties, part);
    return element;
  }

  /**
   * Sets properties of an element that change: when the ground does, and when the function that is returned is called.
   * @param {Element} element
   * @param {() => Properties} make
   * @param {string} [part]
   */
  live(element, make, part = "") {
    const name = uniqueId("look");
    element.classList.add(name);
    const { sheet } = this;
    const rule = /** @type {CSSStyleRule} */ (
      sheet.cssRules[sheet.insertRule(`.${name}.${name}${part} {}`, sheet.cssRules.length)]
    );
    const job = () => {
      for (const [property, value] of Object.entries(make())) {
        if (value === undefined) rule.style.removeProperty(property);
        else rule.style.setProperty(property, value);
      }
    };
    this.jobs.push(job);
    job();
    return job;
  }

  /** Another step begins. */
  clear() {
    this.sheet.replaceSync("");
    this.jobs = [];
  }

  end() {
    dark?.removeEventListener("change", this.again);
  }
}
