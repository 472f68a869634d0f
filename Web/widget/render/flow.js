// An onboarding flow: the daemon chooses the step; this view shows it and sends the answers.
import { parseColor, white } from "../../shared/color.js";
import { h, safeImage, safeUrl } from "../../shared/dom.js";
import { faultsByField } from "../../shared/problems.js";
import { Flow } from "../../client/flow.js";
import { backButton, button, closeButton, meter } from "./elements.js";
import { gain } from "./gains.js";
import { decisionOf, overridden } from "./overrides.js";
import { loadPartsOf, part } from "./parts.js";
import { StepForm, titleOf } from "./step.js";
import { noteOf, View, wordsOf } from "./view.js";

export class FlowView extends View {
  /**
   * @param {import("./view.js").Bellwether} client
   * @param {{slug: string, flow: any, message?: string, prefill?: {[id: string]: string}, userProperties?: any, context?: any}} options
   * @param {() => void} onClosed
   */
  constructor(client, options, onClosed) {
    super(client, onClosed);
    this.options = options;
    this.flow = options.flow;
    this.texts = this.texts.with(options.flow.strings);
    const { userProperties } = options;
    const context = {
      ...client.attribution,
      ...options.context,
      ...userProperties && { userProperties },
      platform: "web",
    };
    this.session = new Flow(client, { ...options, context });
    /** The run that is shown. @type {any} */
    this.run = null;
    this.isMoving = false;
    /** An action that an earlier page sent and that has no response yet. @type {any} */
    this.unsent = undefined;
    /** The inputs of steps that the respondent left with the back button, by step id. @type {Map<string, any>} */
    this.left = new Map();
    /** Ends the waiting for the queue. */
    this.wait = new AbortController();
    this.cancel = () => this.leave();
  }

  /** @override */
  get detail() {
    return {
      slug: this.options.slug,
      kind: "flow",
      message: this.options.message,
      runId: this.run?.run_id,
      step: this.run?.step_id,
    };
  }

  /** @override */
  get isOver() {
    return this.run !== null && this.run.status !== "active" && Boolean(this.run.round);
  }

  /** Starts a run, or continues the open run. */
  async start() {
    const { client, session } = this;
    // The parts load during the request to the daemon.
    loadPartsOf(this.flow.steps).catch(() => {});
    const { body } = await this.working(session.start());
    const code = body?.errors?.[0]?.code;
    // The maximum number of participants is reached, or the respondent has answered: another attempt is useless.
    if (["response_limit", "quota_full", "already_responded"].includes(code)) return this.#closed(code);
    if (!session.run) return this.#failed(() => this.start());
    client.emit("started", { ...this.detail, runId: body.run_id });
    this.unsent = await session.waiting();
    return this.#show(body);
  }

  /** Shows a step independent of its conditions, for previews. @param {string} id */
  async reveal(id) {
    const { run } = this;
    if (!run || run.step_id === id) return;
    const answer = await this.client.transport.post(`runs/${run.run_id}/reveal`, { step_id: id });
    if (answer.status === 200) await this.#show(answer.body);
  }

  /** Ends the view. A page of its own shows an end title, because there is nothing to return to. */
  over() {
    this.wait.abort();
    if (this.isPage) this.finish(this.texts.get("endTitle"), "");
    else this.close();
  }

  /** @override */
  close() {
    this.wait.abort();
    super.close();
  }

  /**
   * Stores whether there is a run to continue, so that its offer does not ask for consent again.
   * @param {boolean} isOpen
   */
  #mark(isOpen) {
    const { client, options, run } = this;
    client.settings.set(`run.${options.slug}`, isOpen ? run.run_id : "");
  }

  /** @param {() => any} retry */
  #failed(retry) {
    const { texts } = this;
    this.note(
      texts.get("errorTitle"),
      texts.get("loadError"),
      [button(texts.get("retry"), "primary", retry)],
      closeButton(texts.get("close"), () => this.leave()),
    );
  }

  /** @param {any} run */
  async #show(run) {
    const { client } = this;
    if (this.shell.isClosed) return;
    const before = this.form ? this.run : null;
    this.run = run;
    client.notePlaces(run.responses);
    this.#mark(run.status === "active");
    if (run.status !== "active" || !run.step) return this.#ended(run);
    // If the respondent stays at the same step, the screen stays the same.
    const stays = before?.step_id === run.step_id && JSON.stringify(before.responses) === JSON.stringify(run.responses);
    if (stays) return this.banner(run.banner);
    const override = await this.ask("beforeRender", {
      ...this.detail,
      step: run.step,
      responses: run.responses,
    });
    const step = overridden(run.step, override);
    try {
      await loadPartsOf(step);
    } catch {
      return this.#failed(() => this.#show(run));
    }
    if (!this.shell.isClosed) this.#render(step, run);
  }

  /** @param {string} reason */
  #closed(reason) {
    const { texts, client } = this;
    const { title, text } = wordsOf(reason);
    client.emit("refused", { ...this.detail, reason });
    this.finish(texts.get(title), texts.get(text));
  }

  /** @param {any} run */
  #ended(run) {
    const { texts, client } = this;
    const { reason, target } = run.outcome ?? {};
    if (reason === "screened_out") return this.#closed(reason);
    const ended = { ...this.detail, outcome: run.outcome, responses: run.responses };
    if (reason !== "dismissed") this.renew(run.round);
    client.emit(reason === "dismissed" ? reason : "submitted", ended);
    // The page must show a paywall, a permission request or another screen.
    if (["paywall", "permission_request", "screen_present", "sub_flow"].includes(reason)) {
      client.emit(reason.replace("_", "-"), { ...this.detail, target });
      return this.over();
    }
    if (reason === "dismissed") return this.over();
    this.finish(texts.get("successTitle"), "", true);
  }

  /** @param {API.Part} step @param {any} run */
  #render(step, run) {
    const { texts, client, shell } = this;
    this.step = step;
    shell.paint.clear();
    shell.host.setAttribute("data-kind", "flow");
    for (const name of ["chat", "fields", "pickers", "blocks", "figures", "look"]) {
      if (part(name)) shell.adopt(part(name).css);
    }
    shell.adopt(part("steps").css);
    const kept = this.#kept();
    const form = this.form = new StepForm(this, step, {
      ...run.responses?.[step.id],
      ...kept,
    });
    this.chat = step.type === "interactive_chat" ? new (part("chat").Chat)(this, step) : undefined;
    this.readCustom = undefined;
    const custom = client.customViews.get(step.id) ??
      (step.type === "custom" ? client.customViews.get(step.view_key) : undefined);
    const content = custom ? this.#custom(custom, step) : this.#content(step, form);
    const place = texts.get("step", { n: run.step_index + 1, total: run.total_steps });
    const heading = titleOf(step);
    // A step without a title has the heading of its title block, or for screen readers its place.
    const title = step.title || heading === undefined
      ? h(
        "h2",
        { class: step.title ? "bidi" : "visually-hidden", part: "title", "data-heading": true },
        step.title || place,
      )
      : null;
    const image = safeImage(step.image_url);
    const nodes = [
      this.#top(run, place),
      image
        ? h("img", {
          class: "hero",
          src: image,
          alt: step.image_alt ?? "",
          part: "image",
          referrerpolicy: "no-referrer",
        })
        : null,
      title,
      step.subtitle ? h("p", { class: "muted lead bidi", part: "text" }, step.subtitle) : null,
      h("div", { class: "step", part: `step step-${step.id}` }, content, this.chat?.element ?? null),
      h("div", { class: "actions", part: "actions" }, this.#actions(step, run)),
    ];
    form.read();
    const look = `flow ${step.type === "welcome" ? "centered" : ""}`.trim();
    shell.replace(nodes.filter((node) => node !== null), { announce: `${place}. ${heading ?? ""}`, look });
    form.watch(() => part("steps").spare(shell.body));
    this.chat?.begin();
    this.banner(run.banner);
    /** The values of the step before the respondent uses its controls. */
    this.untouched = kept ? "" : this.#typed();
    client.emit("step", { ...this.detail, index: run.step_index, total: run.total_steps });
  }

  /** @param {API.Part} step @param {StepForm} form */
  #content(step, form) {
    const gains = (step.items ?? []).map(gain);
    return [
      ...(step.type === "question" && step.options ? [form.selection()] : []),
      ...(gains.length > 0 ? [h("ul", { class: "gains", role: "list" }, gains)] : []),
      ...(step.fields ?? []).map((field) => form.field(field)),
      ...(part("blocks")?.renderBlocks(step.content_blocks ?? [], this.#blockContext(form)) ?? []),
    ];
  }

  /** The back button, the progress and the close button. @param {any} run @param {string} place */
  #top(run, place) {
    const style = this.flow.settings?.progress_style;
    const { step_index: index, total_steps: total, progress: share } = run;
    const isShown = typeof share === "number" && style !== "none";
    const progress = !isShown
      ? h("span", { class: "spacer" })
      : style === "fraction"
      ? h("p", { class: "progress", part: "progress" }, place)
      : meter({ index, total, share, style, label: place }, this.shell.paint);
    const back = run.can_go_back ? backButton(this.texts.get("backButton"), () => this.advance("back")) : null;
    const close = this.#closeButton();
    return isShown || back || close ? h("div", { class: "top" }, back, progress, close) : null;
  }

  /** @param {API.Part} step @param {any} run */
  #actions(step, run) {
    const { texts } = this;
    const isLast = run.step_index + 1 === run.total_steps;
    const next = step.cta_text ?? texts.get(isLast ? "doneButton" : "nextButton");
    return [
      button(next, "primary", () => this.advance("next")),
      step.skip_enabled ? button(texts.get("skipButton"), "plain", () => this.advance("skip")) : null,
    ];
  }

  /** @param {(view: any) => any} render @param {API.Part} step */
  #custom(render, step) {
    const element = h("div", { part: "custom" });
    /** @type {any} */
    let response = this.run.responses?.[step.id];
    render({
      element,
      step,
      value: response,
      texts: this.texts,
      onChange: (/** @type {unknown} */ value) => response = value,
      advance: (/** @type {unknown} */ value) => {
        response = value ?? response;
        return this.advance("next");
      },
    });
    this.readCustom = () => response ?? {};
    return [element];
  }

  /** @param {StepForm} form */
  #blockContext(form) {
    const { run } = this;
    return {
      field: (/** @type {API.Part} */ field) => form.field(field),
      watch: (/** @type {Parameters<StepForm["watch"]>[0]} */ listener) => form.watch(listener),
      press: (/** @type {API.Part} */ block) => this.#press(block),
      findView: (/** @type {string} */ id) => this.client.customViews.get(id),
      paint: this.shell.paint,
      part,
      accent: () => parseColor(getComputedStyle(this.shell.panel).getPropertyValue("--_accent").trim()),
      ground: () => parseColor(getComputedStyle(this.shell.panel).backgroundColor) ?? white,
      texts: this.texts,
      position: { index: run.step_index, total: run.total_steps },
      isTitled: Boolean(this.step?.title),
    };
  }

  /** Runs the action of a block's button; the page handles an action that is unknown to the flow. @param {API.Part} block */
  #press(block) {
    switch (block.action) {
      case undefined:
      case "next":
      case "continue":
        return this.advance("next", block);
      case "skip":
      case "back":
        return this.advance(block.action, block);
      case "dismiss":
      case "close":
        return this.#mayDismiss ? this.leave() : this.#keep();
      default: {
        const goes = this.client.emit("action", { ...this.detail, name: block.action, url: block.action_value }, true);
        const address = block.action === "open_url" ? safeUrl(block.action_value) : undefined;
        if (goes && address) open(address, "_blank", "noopener");
      }
    }
  }

  /**
   * @param {"next" | "skip" | "back"} action
   * @param {any} [block] the pressed block; a refusal is shown below it
   */
  async advance(action, block) {
    // A second press, even of another button, is ignored until the first has its response.
    if (this.isMoving) return;
    this.isMoving = true;
    await this.working(this.#advance(action, block)).finally(() => this.isMoving = false);
  }

  /** @param {"next" | "skip" | "back"} action @param {API.Part} block */
  async #advance(action, block) {
    const { client, run, form, texts } = this;
    const response = action === "next" ? this.readCustom?.() ?? form?.read() : {};
    if (action === "back" && form && this.#typed() !== this.untouched) this.left.set(run.step_id, form.open());
    else this.left.delete(run.step_id);
    this.#mend();
    let host;
    if (action === "next") {
      const detail = { ...this.detail, step: this.step, response, responses: run.responses };
      host = decisionOf(await this.ask("beforeAdvance", detail));
      if (host?.action === "block") {
        return this.banner({ kind: "error", text: host.message ?? texts.get("errorGeneric") });
      }
      if (host?.action === "stay") return this.banner({ kind: "success", text: host.message });
    }
    // A message of a chat may have changed the run.
    this.session.run = run;
    const answer = await this.session.advance(action, response, { host, isSecret: form?.hasSecret });
    this.unsent = undefined;
    if (answer.state !== "answered") return this.#waiting();
    if (answer.status === 200) {
      if (client.settings.get("kept")) client.settings.set("kept", "");
      return this.#show(answer.body);
    }
    if (answer.status === 422) return this.summarize(form?.mark(faultsByField(answer.body)) ?? []);
    if (answer.body?.errors?.[0]?.code === "not_allowed") {
      const text = texts.get(this.chat && action === "next" ? "chatFirst" : "notPossible");
      return this.banner({ kind: "error", text }, block);
    }
    if (answer.body?.run) return this.#show(answer.body.run);
    this.banner({ kind: "error", text: texts.get("errorGeneric") });
  }

  /** Waits without a response: the action is in the queue. The view continues after its delivery. */
  #waiting() {
    const { texts, client, run } = this;
    client.emit("queued", this.detail);
    this.stash();
    this.form = undefined;
    const reload = async () => {
      await client.queue?.flush(true);
      const answer = await this.session.reload();
      if (answer.status !== 200 || this.wait.signal.aborted) return;
      this.wait.abort();
      this.cancel = () => this.leave();
      return this.#show(answer.body);
    };
    this.wait = new AbortController();
    const arrived = (/** @type {any} */ event) => {
      if (event.detail.path.startsWith(`runs/${run.run_id}/`)) reload();
    };
    document.addEventListener("bellwether:delivered", arrived, { signal: this.wait.signal });
    this.cancel = () => this.#mayDismiss && this.#keep();
    this.note(
      texts.get("queuedTitle"),
      texts.get("queuedBody"),
      [button(texts.get("retry"), "primary", reload)],
      this.#closeButton(),
    );
  }

  /**
   * Shows a text above the step, or below a pressed block; null removes it.
   * @param {{kind: string, text?: string} | null} banner
   * @param {any} [block]
   */
  banner(banner, block) {
    const { body } = this.shell;
    body.querySelector("[data-banner]")?.remove();
    if (!banner?.text) return;
    const isError = banner.kind === "error";
    const element = h(
      "p",
      { class: `banner bidi ${isError ? "failed" : ""}`, role: isError ? "alert" : "status", "data-banner": true },
      banner.text,
    );
    const pressed = block &&
      [...body.querySelectorAll(".block")].find((element) => element.block === block);
    if (pressed) pressed.closest(".step > *")?.after(element);
    else body.querySelector(".step")?.before(element);
    element.scrollIntoView({ block: "nearest" });
  }

  /** Removes the faults that are shown. */
  #mend() {
    this.banner(null);
    this.form?.mark(new Map());
    this.summarize([]);
  }

  get #mayDismiss() {
    return this.flow.settings?.dismiss_allowed !== false;
  }

  #closeButton() {
    if (this.isPage || !this.#mayDismiss) return null;
    return closeButton(this.texts.get("close"), () => this.cancel());
  }

  /** All inputs of the step. */
  #typed() {
    return JSON.stringify([this.readCustom?.(), this.form?.read(), this.chat?.said]);
  }

  /** Closes the view; if there are answers, it asks whether to keep the run. @override */
  leave() {
    const { run, texts } = this;
    if (run?.status !== "active") return this.#keep();
    if (!this.#mayDismiss) return undefined;
    const isBegun = run.step_index > 0 || Object.keys(run.responses).length > 0 || this.#typed() !== this.untouched;
    if (!isBegun) return this.#dismiss();
    const uncover = this.shell.cover(noteOf(texts.get("stopTitle"), texts.get("stopBody"), [
      button(texts.get("keep"), "primary", () => this.#keep()),
      button(texts.get("stop"), "", () => this.#dismiss()),
      button(texts.get("backButton"), "plain", () => back()),
    ]));
    const back = () => {
      uncover();
      this.cancel = () => this.leave();
    };
    this.cancel = back;
  }

  /** Closes the view; the run stays open and continues the next time. */
  #keep() {
    this.stash();
    this.client.emit("cancelled", this.detail);
    this.over();
  }

  #dismiss() {
    this.session.dismiss();
    this.#mark(false);
    this.client.emit("dismissed", this.detail);
    this.over();
  }

  /** Stores the inputs, but no secrets. @override */
  stash() {
    const { client, run, form } = this;
    if (!form || run.status !== "active") return;
    const isWritten = this.#typed() !== this.untouched;
    if (!isWritten && !this.#kept()) return;
    const kept = isWritten ? JSON.stringify({ run: run.run_id, step: run.step_id, answers: form.open() }) : "";
    client.settings.set("kept", kept);
  }

  /** The inputs of the step that the daemon has not received. */
  #kept() {
    const { run_id, step_id } = this.run;
    if (this.unsent?.step_id === step_id) return this.unsent.response;
    const { run, step, answers } = JSON.parse(this.client.settings.get("kept") || "{}");
    return run && run === run_id && step === step_id ? answers : this.left.get(step_id);
  }
}
