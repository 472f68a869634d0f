// The conversation of a step: what was said, quick replies, a line to write.
import { h, safeUrl, uniqueId } from "../../shared/dom.js";
import { button } from "./shell.js";

export class Chat {
  /** @param {import("./flow.js").FlowView} view @param {any} step */
  constructor(view, step) {
    this.view = view;
    this.step = step;
    const { texts } = view;
    this.log = h("div", {
      role: "log",
      "aria-live": "polite",
      part: "chat",
      "aria-label": step.title ?? texts.get("yourMessage"),
      tabindex: "0",
    });
    this.replies = h("div", { class: "actions" });
    const id = uniqueId("chat");
    this.input = h("input", {
      type: "text",
      id,
      autocomplete: "off",
      part: "input",
      maxlength: step.chat_config?.input_max_length,
    });
    this.input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      this.#write();
    });
    this.form = h(
      "div",
      { class: "row" },
      h("div", {}, h("label", { for: id }, texts.get("yourMessage")), this.input),
      button(texts.get("send"), "primary", () => this.#write()),
    );
    this.element = h("div", { class: "chat" }, this.log, this.replies, this.form);
    const { messages, quick_replies: replies } = view.run.chat ?? {};
    for (const message of messages ?? step.chat_config?.auto_messages ?? []) this.#say(message.role ?? "ai", message);
    this.#offer(replies ?? step.chat_config?.quick_replies ?? []);
  }

  /** @param {string} role @param {any} message */
  #say(role, message) {
    const { media } = message;
    const image = media && media.type !== "link" ? safeUrl(media.poster ?? media.url) : undefined;
    const link = media?.type === "link" ? safeUrl(media.url) : undefined;
    this.log.append(h(
      "p",
      { class: role === "user" ? "banner bidi" : "bidi", "data-role": role },
      message.content ?? "",
      image ? h("img", { src: image, alt: media.alt_text ?? "", referrerpolicy: "no-referrer" }) : null,
      link ? h("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, media.alt_text ?? media.url) : null,
    ));
  }

  /** @param {any[]} replies */
  #offer(replies) {
    this.replies.replaceChildren(
      ...replies.map((reply) => button(reply.text, "", () => this.#send({ quick_reply_id: reply.id }, reply.text))),
    );
  }

  #write() {
    const text = this.input.value.trim();
    if (text === "") return undefined;
    this.input.value = "";
    return this.#send({ text }, text);
  }

  /** @param {any} said @param {string} text */
  async #send(said, text) {
    const { view } = this;
    this.#say("user", { content: text });
    const answer = await view.client.transport.post(`runs/${view.run.run_id}/chat`, { step_id: this.step.id, ...said })
      .catch(() => null);
    if (answer?.status !== 200) return this.#say("ai", { content: view.texts.get("errorGeneric") });
    for (const message of answer.body.messages ?? []) this.#say("ai", message);
    this.#offer(answer.body.quick_replies ?? []);
    if (answer.body.run) view.run = { ...view.run, ...answer.body.run };
    if (answer.body.completed || answer.body.remaining_turns === 0) this.form.hidden = true;
    else this.input.focus();
  }
}
