// A message: a card with a button, or a microsurvey: a card that opens one question.
import { h, safeUrl } from "../../shared/dom.js";
import { randomId } from "../transport.js";
import { choices, iconOf } from "./controls.js";
import { button, closeButton, head } from "./elements.js";
import { View } from "./view.js";

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

  /** Shows the card, and records a display. */
  start() {
    this.#card();
    this.client.record("message", "displayed", this.message);
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
    const sent = client.record("message", "clicked", message);
    if (message.microsurvey) return this.#sheet();
    const { url, name } = message.action ?? {};
    const goes = client.emit("action", { ...this.detail, url, name }, true);
    this.close();
    // The page handles an address of the app's own scheme.
    const address = safeUrl(url);
    if (goes && address && url.includes(":")) sent?.then(() => location.assign(address));
  }

  dismiss() {
    this.client.record("message", "dismissed", this.message);
    this.client.emit("dismissed", this.detail);
    this.close();
  }

  /** The question of a microsurvey. */
  #sheet() {
    const { client, message, texts } = this;
    const sheet = message.microsurvey;
    client.record("microsurvey", "shown", message);
    const dismiss = () => {
      client.record("microsurvey", "dismiss_button_tapped", message);
      client.emit("dismissed", this.detail);
      this.close();
    };
    // Escape returns to the card; nothing is recorded.
    this.cancel = () => {
      this.cancel = () => this.dismiss();
      this.#card();
      this.shell.body.querySelector("button.primary")?.focus();
      client.emit("cancelled", this.detail);
    };
    const control = choices(
      { title: sheet.question },
      {
        choices: sheet.options.map((/** @type {any} */ option) => ({ value: option.id, label: option.text })),
        isRequired: true,
      },
      () => control.setError(null),
    );
    const privacy = safeUrl(sheet.privacy_url);
    const link = privacy
      ? h("a", {
        href: privacy,
        target: "_blank",
        rel: "noopener noreferrer",
        part: "privacy",
        onclick: () => client.record("microsurvey", "privacy_notice_tapped", message),
      }, sheet.privacy_label)
      : null;
    this.shell.replace([
      head(sheet.header ?? texts.get("title"), closeButton(texts.get("close"), dismiss)),
      h("p", { class: "sign" }, iconOf(sheet.icon)),
      control.element,
      h(
        "div",
        { class: "actions", part: "actions" },
        button(sheet.submit_label ?? texts.get("submitButton"), "primary", () => this.#answer(control, dismiss)),
        link,
      ),
    ], { announce: sheet.question, focus: true });
  }

  /** @param {import("./controls.js").Control} control @param {() => void} dismiss */
  async #answer(control, dismiss) {
    const { client, message, texts } = this;
    const option = control.read();
    if (option === undefined) {
      control.setError(texts.get("errorRequiredMissing"));
      return control.focus();
    }
    const id = randomId();
    const body = {
      client_id: client.clientId,
      message: message.key,
      option,
      revision: message.revision,
      locale: message.locale,
      id,
    };
    const outcome = await client.queue?.post("responses", body, { id, group: `answer/${message.key}` });
    client.emit(outcome?.state === "queued" ? "queued" : "submitted", { ...this.detail, option });
    const { header, text } = message.microsurvey.confirmation ?? {};
    this.cancel = () => this.close();
    this.note(
      header ?? texts.get("successTitle"),
      text ?? texts.get("successBody"),
      [],
      closeButton(texts.get("close"), dismiss),
    );
  }
}
