// The conversation of a step: what was said, quick replies, a line to write.
import { h, safeUrl, uniqueId } from "../../shared/dom.js";
import { randomId } from "../transport.js";
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
    const chat = view.run.chat ?? step.chat_config ?? {};
    for (const message of chat.messages ?? chat.auto_messages ?? []) this.#say(message.role ?? "ai", message);
    this.#offer(chat);
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

  /** What may be sent now: texts of one press, a rating, a line. @param {any} chat */
  #offer(chat) {
    const { texts } = this.view;
    const stars = [1, 2, 3, 4, 5].map((rating) => button(String(rating), "", () => this.#send({ rating })));
    this.replies.replaceChildren(
      ...(chat.quick_replies ?? []).map((/** @type {any} */ reply) =>
        button(reply.text, "", () => this.#send({ quick_reply_id: reply.id }, reply.text))
      ),
      ...(chat.rating_prompt
        ? [
          h(
            "div",
            { role: "group", class: "actions", "aria-label": texts.get("rateChat") },
            texts.get("rateChat"),
            stars,
          ),
        ]
        : []),
    );
    this.form.hidden = Boolean(chat.completed);
  }

  #write() {
    const text = this.input.value.trim();
    if (text === "") return undefined;
    this.input.value = "";
    return this.#send({ text }, text);
  }

  /** @param {any} said @param {string} [text] */
  async #send(said, text) {
    const { view } = this;
    if (text) this.#say("user", { content: text });
    const body = { step_id: this.step.id, id: randomId(), ...said };
    const answer = await view.client.transport.post(`runs/${view.run.run_id}/chat`, body).catch(() => null);
    if (answer?.status !== 200) return this.#say("ai", { content: view.texts.get("errorGeneric") });
    for (const message of answer.body.messages ?? []) this.#say(message.role ?? "ai", message);
    this.#offer(answer.body);
    if (answer.body.run) view.run = { ...view.run, ...answer.body.run };
    if (!this.form.hidden) this.input.focus();
  }
}
