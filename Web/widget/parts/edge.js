// The feedback button: fixed at the edge of the page, it opens a recipe (docs/web.md#feedback-button).
import { h } from "../../shared/dom.js";
import { viewTheme } from "../../shared/theme.js";
import { css } from "./edge_style.js";

/** @typedef {import("../client.js").Bellwether} Bellwether */
/** @typedef {import("../../shared/i18n.js").Texts} Texts */
/**
 * What the renderer gives to the button: its style, the recipe if it is open to the respondent, and the texts.
 * @typedef {{css: string, find: () => Promise<any>, speak: () => Promise<Texts>}} Means
 */

export class EdgeButton {
  /** @param {Bellwether} client @param {Means} means */
  constructor(client, means) {
    this.client = client;
    this.means = means;
    this.gone = new AbortController();
    /** The number of updates: only the newest one counts. */
    this.updates = 0;
    const again = (/** @type {Event & {detail?: any}} */ { detail }) =>
      detail.slug === client.options.button && this.update();
    for (const name of ["submitted", "ineligible", "refused"]) {
      document.addEventListener(`bellwether:${name}`, again, { signal: this.gone.signal });
    }
  }

  /** Shows the button if the recipe is open to the respondent, and removes it otherwise. */
  async update() {
    const number = this.updates += 1;
    const [definition, texts] = await Promise.all([this.means.find(), this.means.speak()]);
    if (number !== this.updates || this.gone.signal.aborted) return;
    // A button that stays keeps its focus.
    if (!definition) this.#remove();
    else if (!this.host) this.#place(definition, texts);
  }

  /** @param {any} definition @param {Texts} texts */
  #place({ strings, theme }, texts) {
    const { client, means } = this;
    const { button: slug = "", buttonSide } = client.options;
    const label = h("span", { part: "label" }, texts.with(strings).get("feedbackButton"));
    const attributes = { type: "button", part: "button", "aria-haspopup": "dialog" };
    const button = h("button", attributes, label);
    // Who presses the button has the time.
    button.addEventListener("click", () => client.show(slug, { intro: false }));
    this.host = h("bellwether-button", { class: "bellwether-button", "data-side": buttonSide });
    const sheets = [means.css, css].map((rules) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      return sheet;
    });
    const root = this.host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [...sheets, ...viewTheme(theme)];
    root.append(button);
    document.body.append(this.host);
  }

  #remove() {
    this.host?.remove();
    this.host = undefined;
  }

  destroy() {
    this.client.views.delete("button");
    this.gone.abort();
    this.#remove();
  }
}
