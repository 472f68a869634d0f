// The conversation of a step: what was said, quick replies, a rating, a line to write. A part of the renderer.
import { cssColor, inkOn, mix, parseColor, readable } from "../../shared/color.js";
import { h, safeImage, safeUrl, svg, uniqueId } from "../../shared/dom.js";
import { randomId } from "../transport.js";
import { star } from "../render/controls.js";
import { button } from "../render/elements.js";
import { patience } from "../render/patience.js";

export { css } from "./chat_style.js";

/** So many pixels above its end a reader still follows the conversation. */
const slack = 40;

export class Chat {
  /** @param {import("../render/flow.js").FlowView} view @param {any} step */
  constructor(view, step) {
    this.view = view;
    this.step = step;
    const { texts } = view;
    const config = step.chat_config ?? {};
    this.persona = config.persona ?? {};
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
    const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    this.typing = h(
      "div",
      { class: "message", part: "typing", hidden: true },
      this.#avatar(),
      h("div", { class: "bubble" }, dots, h("span", { class: "visually-hidden" }, texts.get("typing"))),
    );
    this.fault = h("p", { class: "error", part: "error", role: "alert" });
    this.replies = h("div", { class: "replies" });
    const id = uniqueId("chat");
    this.input = h("input", {
      type: "text",
      id,
      autocomplete: "off",
      enterkeyhint: "send",
      part: "input",
      placeholder: config.input_placeholder,
      maxlength: config.input_max_length,
    });
    this.input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      this.#write();
    });
    const send = button("", "primary send", () => this.#write());
    send.setAttribute("aria-label", texts.get("send"));
    send.append(
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M12 20V5M5.5 11.5L12 5l6.5 6.5" })),
    );
    this.form = h(
      "div",
      { class: "row line" },
      h("div", {}, h("label", { for: id, class: "visually-hidden" }, texts.get("yourMessage")), this.input),
      send,
    );
    this.element = h(
      "div",
      { class: "chat" },
      this.#head(),
      h("div", { class: "talk" }, this.log, this.typing),
      this.replies,
      this.fault,
      this.form,
    );
    this.#dress(config.style);
    /** Messages that are not shown yet, and what is offered after them. @type {any[]} */
    this.coming = [];
    /** Shows the next one now. */
    this.hurry = () => {};
    this.isSending = false;
    /** The message without a reply: the same text again is the same message. */
    this.unanswered = { said: "", id: "" };
    this.turn = 0;
  }

  /** A picture of the speaker, else the first letter; empty without a name. */
  #avatar() {
    const { name, avatar_url, avatar, image_url } = this.persona;
    const source = safeImage(avatar_url ?? avatar ?? image_url);
    if (source) return h("img", { class: "who", src: source, alt: "", referrerpolicy: "no-referrer" });
    return name ? h("span", { class: "who", "aria-hidden": "true" }, [...name][0]) : null;
  }

  #head() {
    const { name, role } = this.persona;
    if (!name) return null;
    return h(
      "div",
      { class: "persona" },
      this.#avatar(),
      h("span", {}, h("strong", { class: "bidi" }, name), role ? h("span", { class: "muted bidi" }, role) : null),
    );
  }

  /** The author's colours, as far as texts can be read on them. @param {any} style */
  #dress(style) {
    if (typeof style !== "object" || style === null) return;
    const { paint } = this.view.shell;
    const bubble = (/** @type {string} */ name, /** @type {string[]} */ grounds, /** @type {string[]} */ inks) => {
      const [ground, ink] = [grounds, inks].map((keys) => keys.map((key) => parseColor(style[key])).find(Boolean));
      if (!ground) return {};
      return {
        [`--${name}`]: cssColor(ground),
        [`--${name}-text`]: cssColor(ink ? readable(ink, ground) : inkOn(ground)),
        [`--${name}-muted`]: cssColor(readable(mix(ink ?? inkOn(ground), ground, 0.75), ground)),
      };
    };
    const radius = Number(style.bubble_radius ?? style.corner_radius ?? style.bubble_corner_radius);
    const ground = parseColor(style.background_color);
    const text = ground && inkOn(ground);
    paint.set(this.element, {
      ...bubble("theirs", ["ai_bubble_color", "bot_bubble_color", "bubble_color"], ["ai_text_color", "bot_text_color"]),
      ...bubble("mine", ["user_bubble_color", "accent_color"], ["user_text_color"]),
      "--bubble": radius >= 0 && radius <= 40 ? `${radius}px` : undefined,
      ...(ground && text
        ? {
          "--talk": cssColor(ground),
          "--talk-text": cssColor(text),
          "--talk-muted": cssColor(readable(mix(text, ground, 0.75), ground)),
        }
        : {}),
    });
  }

  /** The elements of a conversation that has begun. */
  get said() {
    return [this.turn, this.input.value];
  }

  /** Shows what was said so far, once the log is on the page. */
  begin() {
    const { view, step } = this;
    const chat = view.run.chat ?? step.chat_config ?? {};
    const messages = chat.messages ?? chat.auto_messages ?? [];
    // A greeting is typed; messages that were read before are there at once.
    if (chat.turn > 0) { for (const message of messages) this.#say(message); }
    return this.#hear({ ...chat, messages: chat.turn > 0 ? [] : messages });
  }

  /** @param {any} message */
  #say({ role = "ai", content, media, timestamp }) {
    const { log, view } = this;
    const at = new Date(timestamp ?? NaN);
    const isTimed = !Number.isNaN(at.getTime());
    const time = isTimed
      ? h(
        "time",
        { datetime: at.toISOString() },
        new Intl.DateTimeFormat(view.texts.locale, { hour: "numeric", minute: "2-digit" }).format(at),
      )
      : null;
    // One picture for several messages in a row.
    const isFirst = log.lastElementChild?.getAttribute("data-role") !== role;
    log.append(h(
      "div",
      { class: `message ${isFirst ? "first" : ""}`.trim(), "data-role": role },
      role === "ai" ? this.#avatar() : null,
      h("div", { class: "bubble" }, h("p", { class: "bidi" }, content ?? "", media ? this.#media(media) : null), time),
    ));
    this.#follow();
  }

  /** An animation needs a player of its own: its poster, else what it shows in words. @param {any} media */
  #media({ type, url, poster, alt_text: alt }) {
    const address = type === "link" ? safeUrl(url) : safeImage(type === "lottie" ? poster : url);
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

  /** The controls of now: texts of one press, a rating, a line. @param {any} chat */
  #offer(chat) {
    const { texts } = this.view;
    const count = chat.max_rating ?? 5;
    const ratings = Array.from({ length: count }, (_, index) => {
      const element = button(String(index + 1), "rate", () => this.#send({ rating: index + 1 }));
      if (count <= 5) element.replaceChildren(star(), h("span", { class: "visually-hidden" }, String(index + 1)));
      return element;
    });
    this.replies.replaceChildren(
      ...(chat.quick_replies ?? []).map((/** @type {any} */ reply) =>
        button(reply.text, "reply", () => this.#send({ quick_reply_id: reply.id }, reply.text))
      ),
      ...(chat.rating_prompt
        ? [
          h(
            "div",
            { role: "group", class: "rating", "aria-label": texts.get("rateChat") },
            h("span", {}, texts.get("rateChat")),
            h("span", { class: "marks" }, ratings),
          ),
        ]
        : []),
    );
    this.form.hidden = Boolean(chat.completed);
    const { completion_cta_text: onward } = this.step.chat_config ?? {};
    const next = this.view.shell.body.querySelector(".flow > .actions > .primary");
    if (chat.completed && onward && next) next.textContent = onward;
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
    // A respondent who writes has read the messages: they need not be typed any longer.
    for (const message of this.coming) message.delay_ms = 0;
    this.hurry();
    await undefined;
    fault.textContent = "";
    view.banner(null);
    if (said.text) this.input.value = "";
    this.isFollowed = true;
    if (text) this.#say({ role: "user", content: text, timestamp: Date.now() });
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
    // A message that could not be answered before is repaired by this reply.
    const isFailure = (answer.body.messages ?? []).some((/** @type {any} */ message) => message.role === "system");
    if (text && !isFailure) { for (const old of log.querySelectorAll("[data-role=system]")) old.remove(); }
    this.#hear(answer.body);
    // Who presses a reply does not write: a phone's keyboard would cover what is answered.
    if (!this.form.hidden) (said.text ? this.input : this.log).focus();
  }
}
