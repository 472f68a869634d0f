// An author's styles as rules of a style sheet. Each property is set by itself, so that a value cannot contain other
// declarations. An element gets a class, and no element has a style attribute.
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

  /** Chooses colours again, because the background has changed. */
  again = () => this.jobs.forEach((job) => job());

  /**
   * Sets properties of an element.
   * @param {Element} element
   * @param {Properties} properties
   * @param {string} [part] a pseudo-element, such as `::before`
   */
  set(element, properties, part) {
    this.live(element, () => properties, part);
    return element;
  }

  /**
   * Sets properties of an element again when the background changes or when the returned function is called.
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

  /** Removes all rules, for the next step. */
  clear() {
    this.sheet.replaceSync("");
    this.jobs = [];
  }

  end() {
    dark?.removeEventListener("change", this.again);
  }
}
