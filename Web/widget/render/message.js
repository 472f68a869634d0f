// A message: a card with a button, or a microsurvey: a card that opens one question.
import { h, safeUrl } from "../../shared/dom.js";
import { choices, iconOf } from "./controls.js";
import { button, closeButton } from "./elements.js";
import { answer, record } from "../../client/requests.js";
import { loadParts, part } from "./parts.js";
import { refusalOf, View } from "./view.js";

export class MessageView extends View {
  /** @param {import("./view.js").Bellwether} client @param {any} message @param {() => void} onClosed */
  constructor(client, message, onClosed) {
    super(client, onClosed);
    this.message = message;
    this.cancel = () => this.dismiss();
  }

  /** @override */
  get detail() {
    const { key, surface, presents } = this.message;
    return { message: key, surface, slug: presents?.slug };
  }

  /** @override */
  get hasSheet() {
    return Boolean(this.message.microsurvey);
  }

  /** @param {string} [locale] @override */
  async speak(locale) {
    const { icon } = this.message.microsurvey ?? {};
    // A survey without its drawing can be answered.
    const icons = icon && !iconOf(icon) ? loadParts(["icons"]).catch(() => {}) : undefined;
    await Promise.all([super.speak(locale), icons]);
  }

  /** Records an action. @param {string} action @param {string} [type] */
  #note(action, type = "message") {
    return record(this.client, type, action, this.message);
  }

  /** Shows the card, and records a display. */
  start() {
    this.#card();
    this.#note("displayed");
    this.client.emit("shown", this.detail);
  }

  #card() {
    const { message, texts } = this;
    const close = closeButton(texts.get("close"), () => this.dismiss());
    const label = message.button_label ??
      (message.microsurvey ? texts.get("nextButton") : message.action ? texts.get("openButton") : null);
    const actions = label ? [button(label, "primary", () => this.#press())] : [];
    const text = message.microsurvey && message.title ? "" : message.text;
    if (message.title) return this.note(message.title, text ?? "", actions, close);
    const body = h("p", { class: "text bidi", part: "text", "data-heading": true }, message.text);
    this.shell.replace([
      h("div", { class: "head" }, body, close),
      h("div", { class: "actions", part: "actions" }, actions),
    ]);
  }

  #press() {
    const { client, message } = this;
    const sent = this.#note("clicked").outcome;
    if (message.microsurvey) return this.#sheet();
    const { url, name } = message.action ?? {};
    const goes = client.emit("action", { ...this.detail, url, name }, true);
    this.close();
    // The page handles an address of the app's own scheme.
    const address = safeUrl(url);
    if (goes && address && url.includes(":")) sent.then(() => location.assign(address));
  }

  dismiss() {
    this.#note("dismissed");
    this.client.emit("dismissed", this.detail);
    this.close();
  }

  /** The question of a microsurvey, in a sheet or in the card. */
  #sheet() {
    const { client, message, texts } = this;
    const { question, options, header, icon, submit_label: label } = message.microsurvey;
    this.#note("shown", "microsurvey");
    if (!this.raise()) this.cancel = () => this.#returnToCard();
    const dismiss = () => {
      this.#note("dismiss_button_tapped", "microsurvey");
      client.emit("dismissed", this.detail);
      this.close();
    };
    const control = choices(
      { title: question, isHeading: true },
      {
        choices: options.map((/** @type {{id: string, text: string}} */ option) => ({
          value: option.id,
          label: option.text,
        })),
        isRequired: true,
      },
      () => submit.removeAttribute("aria-disabled"),
    );
    const submit = button(label ?? texts.get("submitButton"), "primary", () => this.#answer(control));
    submit.setAttribute("aria-disabled", "true");
    const picture = iconOf(icon) ?? part("icons")?.iconNamed(icon);
    this.shell.replace([
      h(
        "div",
        { class: "head" },
        h("p", { class: "progress topic" }, picture, h("span", { class: "bidi" }, header ?? texts.get("title"))),
        closeButton(texts.get("close"), dismiss),
      ),
      control.element,
      h("div", { class: "actions", part: "actions" }, submit, this.#privacyLink()),
    ], { announce: question, focus: true });
  }

  #privacyLink() {
    const { message } = this;
    const { privacy_url: url, privacy_label: label } = message.microsurvey;
    const onclick = () => this.#note("privacy_notice_tapped", "microsurvey");
    const href = safeUrl(url);
    return href
      ? h("a", { href, target: "_blank", rel: "noopener noreferrer", part: "privacy", onclick }, label)
      : null;
  }

  /** Shows the card in place of its question. Nothing is recorded. */
  #returnToCard() {
    this.cancel = () => this.dismiss();
    this.#card();
    this.shell.body.querySelector("button.primary")?.focus();
    this.client.emit("cancelled", this.detail);
  }

  /** @param {import("./controls.js").Control} control */
  async #answer(control) {
    const { client, message, texts } = this;
    const option = control.read();
    const outcome = await answer(client, message, option).outcome;
    const refusal = refusalOf(outcome);
    if (refusal) {
      client.emit("refused", { ...this.detail, option, reason: refusal.reason });
      return this.finish(texts.get(refusal.title), texts.get(refusal.text), refusal.title === "successTitle");
    }
    if (outcome.state === "queued") {
      client.emit("queued", { ...this.detail, option });
      return this.finish(texts.get("queuedTitle"), texts.get("queuedBody"));
    }
    client.emit("submitted", { ...this.detail, option });
    const { header, text } = message.microsurvey.confirmation ?? {};
    this.finish(header ?? texts.get("successTitle"), text ?? texts.get("successBody"), true);
  }
}
