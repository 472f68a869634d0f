// The conversation of a step: messages, quick replies, a rating, a text input. A part of the renderer.
import { cssColor, inkOn, mix, parseColor, readable } from "../../shared/color.js";
import { h, safeImage, safeUrl, svg, uniqueId } from "../../shared/dom.js";
import { patience, randomId } from "../../client/transport.js";
import { star } from "../render/controls.js";
import { button } from "../render/elements.js";

export { css } from "./chat_style.js";

/** The distance from the end, in pixels, within which the log still scrolls to new messages. */
const slack = 40;

export class Chat {
  /** @param {import("../render/flow.js").FlowView} view @param {API.Part} step */
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
    /** Whether the log scrolls to new messages; false after the reader has scrolled up. */
    this.isFollowed = true;
    this.typing = this.#waiting();
    this.fault = h("p", { class: "error", part: "error", role: "alert" });
    this.replies = h("div", { class: "replies" });
    const { input, row } = this.#line(config);
    this.input = input;
    this.form = row;
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
    /** The messages that are not shown yet. @type {any[]} */
    this.coming = [];
    /** Shows the next message now. */
    this.hurry = () => {};
    this.isSending = false;
    /** The message without a reply. The same text again is a repetition with the same id. */
    this.unanswered = { said: "", id: "" };
    this.turn = 0;
  }

  /** The bubble with dots while a message comes. */
  #waiting() {
    const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    const words = h("span", { class: "visually-hidden" }, this.view.texts.get("typing"));
    return h(
      "div",
      { class: "message", part: "typing", hidden: true },
      this.#avatar(),
      h("div", { class: "bubble" }, dots, words),
    );
  }

  /** The line for a message, and the row with it and its button. @param {any} config */
  #line(config) {
    const id = uniqueId("chat");
    const input = h("input", {
      type: "text",
      id,
      autocomplete: "off",
      enterkeyhint: "send",
      part: "input",
      placeholder: config.input_placeholder,
      maxlength: config.input_max_length,
    });
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      this.#write();
    });
    const send = button("", "primary send", () => this.#write());
    send.setAttribute("aria-label", this.view.texts.get("send"));
    send.append(
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M12 20V5M5.5 11.5L12 5l6.5 6.5" })),
    );
    const row = h(
      "div",
      { class: "row line" },
      h("div", {}, h("label", { for: id, class: "visually-hidden" }, this.view.texts.get("yourMessage")), input),
      send,
    );
    return { input, row };
  }

  /** The picture or the first letter of the speaker; empty without a name. */
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

  /** Applies the author's colours, with enough contrast for texts, and fonts. @param {any} style */
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
    const size = Number(style.font_size);
    const family = String(style.font_family ?? "");
    paint.set(this.element, {
      ...bubble("theirs", ["ai_bubble_color", "bot_bubble_color", "bubble_color"], ["ai_text_color", "bot_text_color"]),
      ...bubble("mine", ["user_bubble_color", "accent_color"], ["user_text_color"]),
      "font-family": /^[\w ,'"-]{1,200}$/.test(family) ? family : undefined,
      "font-size": size >= 10 && size <= 32 ? `${size / 16}rem` : undefined,
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

  /** The elements of a started conversation. */
  get said() {
    return [this.turn, this.input.value];
  }

  /** Shows the messages so far, after the log is on the page. */
  begin() {
    const { view, step } = this;
    const chat = view.run.chat ?? step.chat_config ?? {};
    const messages = chat.messages ?? chat.auto_messages ?? [];
    // A greeting appears as if typed; earlier messages appear at once.
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
    // Consecutive messages of one speaker share a picture.
    const isFirst = log.lastElementChild?.getAttribute("data-role") !== role;
    log.append(h(
      "div",
      { class: `message ${isFirst ? "first" : ""}`.trim(), "data-role": role },
      role === "ai" ? this.#avatar() : null,
      h("div", { class: "bubble" }, h("p", { class: "bidi" }, content ?? "", media ? this.#media(media) : null), time),
    ));
    this.#follow();
  }

  /**
   * The media of a message. An animation needs a separate player, so its poster or text is shown.
   * @param {any} media
   */
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
   * Shows a response of the daemon: each message after its delay, then the possible replies.
   * @param {API.Part} chat
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

  /** Shows the current controls: quick replies, a rating, a text input. @param {API.Part} chat */
  #offer(chat) {
    const { texts } = this.view;
    const count = chat.max_rating ?? 5;
    const ratings = Array.from({ length: count }, (_, index) => {
      const element = button(String(index + 1), "rate", () => this.#send({ rating: index + 1 }));
      if (count <= 5) element.replaceChildren(star(), h("span", { class: "visually-hidden" }, String(index + 1)));
      return element;
    });
    this.replies.replaceChildren(
      ...(chat.quick_replies ?? []).map((reply) => {
        const { id, text } = typeof reply === "string" ? { id: reply, text: reply } : reply;
        return button(text, "reply", () => this.#send({ quick_reply_id: id }, text));
      }),
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
    // A respondent who replies has read the messages, so the others appear without delay.
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
      view.client.transport.post(path, { step_id: this.step.id, id, ...said }, id, patience),
    );
    this.typing.hidden = true;
    if (answer.status !== 200) {
      // The message was not sent, so its text returns to the input.
      spoken?.remove();
      if (said.text && this.input.value === "") this.input.value = said.text;
      if (answer.status > 0) this.unanswered.said = "";
      const [problem] = answer.body?.errors ?? [];
      fault.textContent = answer.status === 422 && problem ? view.texts.fault(problem) : view.texts.get("errorGeneric");
      return;
    }
    this.unanswered.said = "";
    if (answer.body.run) view.run = { ...view.run, ...answer.body.run };
    // This response resolves earlier failures, so their notes are removed.
    const isFailure = (answer.body.messages ?? []).some((/** @type {{role: string}} */ message) =>
      message.role === "system"
    );
    if (text && !isFailure) { for (const old of log.querySelectorAll("[data-role=system]")) old.remove(); }
    this.#hear(answer.body);
    // A quick reply does not focus the input: a phone's keyboard would cover the response.
    if (!this.form.hidden) (said.text ? this.input : this.log).focus();
  }
}
