// The conversation of a step: what was said, quick replies, a rating, a line to write.
import { h, safeUrl, uniqueId } from "../../shared/dom.js";
import { randomId } from "../transport.js";
import { patience } from "./flow.js";
import { button } from "./shell.js";

/** So many pixels above its end a reader still follows the conversation. */
const slack = 40;

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
      onscroll: () => this.isFollowed = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < slack,
    });
    /** The newest message stays in view, unless the reader has gone up. */
    this.isFollowed = true;
    this.typing = h("p", { class: "muted", part: "typing", hidden: true }, texts.get("typing"));
    this.fault = h("p", { class: "error", part: "error", role: "alert" });
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
    this.element = h("div", { class: "chat" }, this.log, this.typing, this.replies, this.fault, this.form);
    /** Messages that are not shown yet, and what is offered after them. @type {any[]} */
    this.coming = [];
    /** Shows the next one now. */
    this.hurry = () => {};
    this.isSending = false;
    /** What has had no answer: the same again is the same message. */
    this.unanswered = { said: "", id: "" };
    this.turn = 0;
  }

  /** What shows that the respondent has begun. */
  get said() {
    return [this.turn, this.input.value];
  }

  /** Shows what was said so far, once the log is on the page. */
  begin() {
    const { view, step } = this;
    const chat = view.run.chat ?? step.chat_config ?? {};
    const messages = chat.messages ?? chat.auto_messages ?? [];
    // What greets is typed; what was read before is there.
    if (chat.turn > 0) { for (const message of messages) this.#say(message); }
    return this.#hear({ ...chat, messages: chat.turn > 0 ? [] : messages });
  }

  /** @param {any} message */
  #say({ role = "ai", content, media }) {
    const { log } = this;
    log.append(h(
      "p",
      { class: role === "user" ? "banner bidi" : "bidi", "data-role": role },
      content ?? "",
      media ? this.#media(media) : null,
    ));
    this.#follow();
  }

  /** An animation needs a player of its own: its poster, else what it shows in words. @param {any} media */
  #media({ type, url, poster, alt_text: alt }) {
    const address = safeUrl(type === "lottie" ? poster : url);
    if (type === "link") {
      return address ? h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, alt ?? url) : null;
    }
    if (!address) return alt ? h("span", { class: "muted" }, ` ${alt}`) : null;
    const onload = () => this.#follow();
    return h("img", { src: address, alt: alt ?? "", referrerpolicy: "no-referrer", onload });
  }

  #follow() {
    if (this.isFollowed) this.log.scrollTop = this.log.scrollHeight;
  }

  /**
   * Shows an answer of the daemon: each message after the time that it is typed, then what may be sent.
   * @param {any} chat
   */
  async #hear(chat) {
    this.turn = chat.turn ?? 0;
    const isFirst = this.coming.length === 0;
    this.coming.push(...chat.messages ?? [], { offer: chat });
    if (!isFirst) return;
    while (this.coming.length > 0) {
      const [message] = this.coming;
      if (message.delay_ms > 0) {
        this.typing.hidden = false;
        await new Promise((resolve) => {
          this.hurry = () => resolve(undefined);
          setTimeout(resolve, message.delay_ms);
        });
        this.typing.hidden = true;
      }
      this.coming.shift();
      if (message.offer) this.#offer(message.offer);
      else this.#say(message);
    }
  }

  /** What may be sent now: texts of one press, a rating, a line. @param {any} chat */
  #offer(chat) {
    const { texts } = this.view;
    const ratings = Array.from(
      { length: chat.max_rating ?? 5 },
      (_, index) => button(String(index + 1), "", () => this.#send({ rating: index + 1 })),
    );
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
            ratings,
          ),
        ]
        : []),
    );
    this.form.hidden = Boolean(chat.completed);
    this.#follow();
  }

  #write() {
    const text = this.input.value.trim();
    return text === "" ? undefined : this.#send({ text }, text);
  }

  /** @param {any} said @param {string} [text] */
  async #send(said, text) {
    if (this.isSending) return;
    this.isSending = true;
    await this.#exchange(said, text).finally(() => this.isSending = false);
  }

  /** @param {any} said @param {string} [text] */
  async #exchange(said, text) {
    const { view, fault, log } = this;
    // Who writes has read what was said: it need not be typed any longer.
    for (const message of this.coming) message.delay_ms = 0;
    this.hurry();
    await undefined;
    fault.textContent = "";
    view.banner(null);
    if (said.text) this.input.value = "";
    this.isFollowed = true;
    if (text) this.#say({ role: "user", content: text });
    const spoken = text ? log.lastChild : null;
    const key = JSON.stringify(said);
    if (this.unanswered.said !== key) this.unanswered = { said: key, id: randomId() };
    const { id } = this.unanswered;
    this.typing.hidden = said.rating !== undefined;
    const path = `runs/${view.run.run_id}/chat`;
    const answer = await view.working(
      view.client.transport.post(path, { step_id: this.step.id, id, ...said }, id, patience).catch(() => null),
    );
    this.typing.hidden = true;
    if (answer?.status !== 200) {
      // It was not said: it stands in the line again.
      spoken?.remove();
      if (said.text && this.input.value === "") this.input.value = said.text;
      if (answer) this.unanswered.said = "";
      const [problem] = answer?.body?.errors ?? [];
      fault.textContent = answer?.status === 422 && problem
        ? view.texts.fault(problem)
        : view.texts.get("errorGeneric");
      return;
    }
    this.unanswered.said = "";
    if (answer.body.run) view.run = { ...view.run, ...answer.body.run };
    // What an earlier message could not be answered with is mended by this one.
    const isFailure = (answer.body.messages ?? []).some((/** @type {any} */ message) => message.role === "system");
    if (text && !isFailure) { for (const old of log.querySelectorAll("[data-role=system]")) old.remove(); }
    this.#hear(answer.body);
    if (!this.form.hidden) this.input.focus();
  }
}
