// An onboarding flow: the daemon says which step comes, this shows it and sends what was answered.
import { h, safeUrl } from "../../shared/dom.js";
import { compileDependsOn, compileVisibility } from "../../shared/conditions/flows.js";
import { faultsByField } from "../../shared/problems.js";
import { randomId } from "../transport.js";
import { renderBlocks } from "./blocks.js";
import { Chat } from "./chat.js";
import { choices } from "./controls.js";
import { fieldControl, iconText, keyOf } from "./fields.js";
import { button, closeButton } from "./shell.js";
import { View } from "./view.js";

/** @typedef {import("./controls.js").Control} Control */
/** @typedef {{id: string, field: any, control: Control, conditions: ((facts: any) => boolean)[]}} Row */

export class FlowView extends View {
  /**
   * @param {import("./view.js").Bellwether} client
   * @param {{slug: string, flow: any, message?: string}} options
   * @param {() => void} onClosed
   */
  constructor(client, options, onClosed) {
    super(client, onClosed);
    this.options = options;
    this.flow = options.flow;
    this.texts = this.texts.with(options.flow.strings);
    /** @type {any} */
    this.run = null;
    /** What the step asks, in order. @type {Row[]} */
    this.rows = [];
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

  /** Starts the run, or goes on with the one that is open. */
  async start() {
    const { client, options } = this;
    if (client.options.preview) return this.#show(this.#previewRun(0));
    const body = {
      client_id: client.clientId,
      message: options.message,
      locale: client.locale,
      attributes: client.options.context,
    };
    const answer = await client.transport.post(`flows/${encodeURIComponent(options.slug)}/runs`, body).catch(() =>
      null
    );
    if (!answer || answer.status >= 300) return this.#failed(() => this.start());
    client.emit("started", this.detail);
    return this.#show(answer.body);
  }

  /** A run that nobody keeps: the steps in their order. @param {number} index */
  #previewRun(index) {
    const { steps } = this.flow;
    const step = steps[index];
    const place = { step_index: index, total_steps: steps.length, responses: {}, banner: null };
    if (!step) return { ...place, status: "completed", step: null, step_id: null, outcome: { reason: "finished" } };
    const shown = { ...step, ...step.layout, ...step.config, id: step.id, type: step.type };
    return {
      ...place,
      status: "active",
      step: shown,
      step_id: step.id,
      progress: (index + 1) / steps.length,
      can_go_back: index > 0,
    };
  }

  /** Closes; the run stays open and is gone on with next time. @override */
  leave() {
    if (this.run?.status === "active") this.client.emit("cancelled", this.detail);
    this.close();
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
    this.run = run;
    if (run.status !== "active" || !run.step) return this.#ended(run);
    const override = await this.client.ask("beforeRender", {
      ...this.detail,
      step: run.step,
      responses: run.responses,
    });
    this.#render(overridden(run.step, override), run);
  }

  /** @param {any} run */
  #ended(run) {
    const { texts, client } = this;
    const { reason, target } = run.outcome ?? {};
    client.emit("submitted", { ...this.detail, outcome: run.outcome });
    // A paywall, a permission or another screen is the page's to show.
    if (["paywall", "permission_request", "screen_present", "sub_flow"].includes(reason)) {
      client.emit(reason.replace("_", "-"), { ...this.detail, target });
      return this.close();
    }
    if (reason === "dismissed") return this.close();
    this.finish(texts.get("successTitle"), "");
  }

  /** @param {any} step @param {any} run */
  #render(step, run) {
    const { texts, client } = this;
    this.step = step;
    this.rows = [];
    const isChat = step.type === "interactive_chat";
    const custom = client.customViews.get(step.id) ??
      (step.type === "custom" ? client.customViews.get(step.view_key) : undefined);
    const content = custom ? this.#custom(custom, step) : [
      ...(step.type === "question" && step.options ? [this.#selection(step)] : []),
      ...(step.items ?? []).map(item),
      ...(step.fields ?? []).map((/** @type {any} */ field) => this.#field(field)),
      ...renderBlocks(step.content_blocks ?? [], this.#blockContext(run)),
    ];
    if (isChat) content.push(new Chat(this, step).element);
    const image = safeUrl(step.image_url);
    const subtitle = step.subtitle ? h("p", { class: "muted bidi", part: "text" }, step.subtitle) : null;
    const isPage = this.shell.options.mode === "page";
    const close = isPage ? null : closeButton(texts.get("close"), () => this.leave());
    const title = h(
      "h2",
      { class: "bidi", part: "title", "data-heading": true },
      step.title ?? this.flow.name ?? texts.get("step", { n: run.step_index + 1, total: run.total_steps }),
    );
    const nodes = [
      this.#progress(run),
      run.banner
        ? h("p", {
          class: `banner bidi ${run.banner.kind === "error" ? "failed" : ""}`,
          role: run.banner.kind === "error" ? "alert" : "status",
        }, run.banner.text)
        : null,
      h("div", { class: "head" }, title, close),
      image ? h("img", { src: image, alt: step.image_alt ?? "", part: "image", referrerpolicy: "no-referrer" }) : null,
      subtitle,
      h("div", { class: "step", part: `step step-${step.id}` }, content),
      h("div", { class: "actions", part: "actions" }, this.#actions(step, run)),
    ];
    this.#updateVisible();
    this.shell.replace(nodes.filter((node) => node !== null), {
      announce: `${texts.get("step", { n: run.step_index + 1, total: run.total_steps })}. ${title.textContent}`,
    });
    client.emit("step", this.detail);
  }

  /** @param {any} run */
  #progress(run) {
    const style = this.flow.settings?.progress_style;
    if (run.progress === null || run.progress === undefined || style === "none") return null;
    const text = this.texts.get("step", { n: run.step_index + 1, total: run.total_steps });
    if (style === "fraction") return h("p", { class: "progress", part: "progress" }, text);
    return h("progress", { max: 1, value: String(run.progress), "aria-label": text, part: "progress" });
  }

  /** @param {any} step @param {any} run */
  #actions(step, run) {
    const { texts } = this;
    return [
      run.can_go_back ? button(texts.get("backButton"), "", () => this.advance("back")) : null,
      step.skip_enabled ? button(texts.get("skipButton"), "plain", () => this.advance("skip")) : null,
      h("span", { class: "spacer" }),
      button(step.cta_text ?? texts.get("nextButton"), "primary", () => this.advance("next")),
    ].filter((node) => node !== null);
  }

  /** @param {(view: any) => any} render @param {any} step */
  #custom(render, step) {
    const element = h("div", { part: "custom" });
    /** @type {any} */
    let response = this.run.responses?.[step.id];
    render({
      element,
      step,
      value: response,
      texts: this.texts,
      onChange: (/** @type {any} */ value) => response = value,
      advance: (/** @type {any} */ value) => {
        response = value ?? response;
        return this.advance("next");
      },
    });
    this.readCustom = () => response ?? {};
    return [element];
  }

  /** @param {any} run */
  #blockContext(run) {
    return {
      field: (/** @type {any} */ field) => this.#field(field),
      press: (/** @type {any} */ block) => this.#press(block),
      findView: (/** @type {string} */ id) => this.client.customViews.get(id),
      texts: this.texts,
      position: { index: run.step_index, total: run.total_steps },
      responses: run.responses,
    };
  }

  /** What a button of a block does; what is not of the flow is the page's. @param {any} block */
  #press(block) {
    switch (block.action) {
      case undefined:
      case "next":
      case "continue":
        return this.advance("next");
      case "skip":
        return this.advance("skip");
      case "back":
        return this.advance("back");
      case "dismiss":
      case "close":
        return this.leave();
      default: {
        const goes = this.client.emit("action", { ...this.detail, name: block.action, url: block.action_value }, true);
        const address = block.action === "open_url" ? safeUrl(block.action_value) : undefined;
        if (goes && address) open(address, "_blank", "noopener");
      }
    }
  }

  /** @param {any} step */
  #selection(step) {
    const isMultiple = step.selection_mode === "multi";
    const options = step.options.map((/** @type {any} */ option) => ({
      value: option.id,
      label: option.label ?? option.id,
      hint: option.subtitle,
      icon: iconText(option.icon),
    }));
    const saved = this.run.responses?.[step.id]?.selected ?? [];
    const control = choices({
      title: step.question ?? step.title ?? this.texts.get("chooseOption"),
      isHidden: !step.question && Boolean(step.title),
    }, {
      choices: options,
      value: isMultiple ? saved : saved[0],
      isMultiple,
    }, () => this.#updateVisible());
    const read = () => {
      const value = control.read();
      return value === undefined || isMultiple ? value : [value];
    };
    this.rows.push({ id: "selected", field: { label: step.title }, control: { ...control, read }, conditions: [] });
    return control.element;
  }

  /** @param {any} field of a form, or a block that has an answer */
  #field(field) {
    const id = field.field_id ?? field.id;
    const saved = this.run.responses?.[this.run.step_id]?.[id];
    const caption = {
      title: field.label ?? field.text ?? id,
      hint: field.hint ?? keyOf(field, "help_text"),
      note: field.required || field.field_required ? this.texts.get("required") : undefined,
      part: `field-${id}`,
    };
    const control = fieldControl({
      field,
      caption,
      value: saved ?? keyOf(field, "default_value"),
      texts: this.texts,
      onChange: () => this.#updateVisible(),
      findLocations: (query) => this.#locations(field, query),
      findView: (view) => this.client.customViews.get(view),
    });
    if (!control) return null;
    const conditions = [];
    if (field.depends_on) conditions.push(compileDependsOn(field.depends_on));
    if (readsAnswers(field.visibility_condition)) conditions.push(compileVisibility(field.visibility_condition));
    else if (field.visible === false && !field.depends_on) conditions.push(() => false);
    this.rows.push({ id, field, control, conditions });
    return control.element;
  }

  /** @param {any} field @param {string} query */
  async #locations(field, query) {
    const own = await this.client.ask("locationData", { field, query });
    if (own !== undefined) return Array.isArray(own) ? own : [own];
    const [type, country, language] = ["location_type", "bias_country", "language"].map((key) => keyOf(field, key));
    const answer = await this.client.transport.get("locations", { query, type, bias_country: country, language }).catch(
      () => null,
    );
    return answer?.body?.data?.suggestions ?? [];
  }

  /** Shows and hides fields and blocks by the answers on the screen, in their order: what is hidden does not count. */
  #updateVisible() {
    /** @type {any} */
    const answers = {};
    for (const { id, control } of this.rows) {
      const value = control.read();
      if (value !== undefined) answers[id] = value;
    }
    const steps = { ...this.run.responses, [this.run.step_id]: answers };
    const facts = {
      answers,
      steps,
      user: this.client.options.context ?? {},
      locale: this.client.locale,
      options: this.step?.options ?? [],
    };
    for (const row of this.rows) {
      const isShown = row.conditions.every((condition) => condition(facts));
      row.control.element.hidden = !isShown;
      if (!isShown) delete answers[row.id];
    }
    for (const element of this.frame?.body.querySelectorAll(".block") ?? []) {
      const { block } = /** @type {any} */ (element);
      if (!readsAnswers(block?.visibility_condition)) continue;
      /** @type {HTMLElement} */ (element).hidden = !compileVisibility(block.visibility_condition)(facts);
    }
    return answers;
  }

  /** @param {"next" | "skip" | "back"} action */
  async advance(action) {
    const { client, run } = this;
    if (client.options.preview) return this.#show(this.#previewRun(run.step_index + (action === "back" ? -1 : 1)));
    let response = action === "next" ? this.readCustom?.() ?? this.#updateVisible() : {};
    this.readCustom = undefined;
    let data = {};
    if (action === "next") {
      const decided = await client.ask("beforeAdvance", {
        ...this.detail,
        step: this.step,
        response,
        responses: run.responses,
      });
      if (decided === false || ["block", "stay"].includes(decided?.action)) return this.#banner(decided);
      data = decided?.data ?? {};
    }
    response = { ...response, ...data };
    const id = randomId();
    const body = { step_id: run.step_id, response, action, id };
    const answer = await this.#send(`runs/${run.run_id}/advance`, body, id);
    if (answer.state === "queued") return this.#waiting();
    if (answer.status === 200) return this.#show(answer.body);
    if (answer.status === 422) return this.#faults(answer.body);
    const isEarly = answer.body?.errors?.[0]?.code === "not_allowed" && this.step?.type === "interactive_chat";
    const banner = isEarly ? { kind: "error", text: this.texts.get("chatFirst") } : null;
    if (answer.body?.run) return this.#show({ ...answer.body.run, banner });
    this.#banner({ message: this.texts.get("errorGeneric") });
  }

  /**
   * What was answered is kept until it arrives; a password is kept nowhere.
   * @param {string} path
   * @param {any} body
   * @param {string} id
   * @returns {Promise<any>}
   */
  #send(path, body, id) {
    const isSecret = this.rows.some(({ field }) => /^(input_)?password$/.test(field.type ?? ""));
    if (!isSecret) return /** @type {any} */ (this.client.queue).post(path, body, { id });
    return this.client.transport.post(path, body, id).then(
      (answer) => ({ state: "answered", ...answer }),
      () => ({ state: "answered", status: 0, body: null }),
    );
  }

  /** Offline: the answer is in the queue. */
  #waiting() {
    const { texts } = this;
    this.client.emit("queued", this.detail);
    const reload = async () => {
      await this.client.queue?.flush(true);
      const answer = await this.client.transport.get(`runs/${this.run.run_id}`).catch(() => null);
      return answer?.status === 200 ? this.#show(answer.body) : this.#waiting();
    };
    this.note(
      texts.get("queuedTitle"),
      texts.get("queuedBody"),
      [button(texts.get("retry"), "primary", reload)],
      closeButton(texts.get("close"), () => this.leave()),
    );
  }

  /** @param {any} decided */
  #banner(decided) {
    const text = decided?.message ?? (decided?.action === "stay" ? "" : this.texts.get("errorGeneric"));
    const { body } = this.shell;
    body.querySelector(".banner[data-host]")?.remove();
    if (text) {
      body.querySelector(".step")?.before(
        h(
          "p",
          { class: decided?.action === "stay" ? "banner" : "banner failed", role: "alert", "data-host": true },
          text,
        ),
      );
    }
  }

  /** @param {any} problem */
  #faults(problem) {
    const faults = faultsByField(problem);
    const summary = [];
    for (const { id, control, field } of this.rows) {
      const fault = faults.get(id);
      control.setError(
        fault ? fault.message && fault.code === "pattern" ? fault.message : this.texts.fault(fault) : null,
      );
      if (fault) {
        summary.push(
          h("li", {}, button(`${field.label ?? id}: ${this.texts.fault(fault)}`, "", () => control.focus())),
        );
      }
    }
    this.shell.body.querySelector(".summary")?.remove();
    const element = h(
      "div",
      {
        class: "summary",
        part: "summary",
        role: "group",
        tabindex: "-1",
        "aria-label": this.texts.get("errorSummary"),
      },
      h("h3", {}, this.texts.get("errorSummary")),
      h("ul", {}, summary),
    );
    this.shell.body.querySelector(".content").prepend(element);
    element.focus();
    this.shell.say(this.texts.get("errorSummary"));
  }
}

/**
 * Whether a condition reads what is answered on the screen. Any other is the daemon's, which has said `visible`: it knows
 * the platform, the user and what hooks have returned.
 * @param {any} condition
 */
const readsAnswers = (condition) =>
  condition?.type === "answer_equals" ||
  (String(condition?.type).startsWith("when_") && String(condition.variable).startsWith("responses."));

/** @param {any} entry of a value proposition */
const item = (entry) =>
  h(
    "p",
    { class: "bidi", part: "item" },
    iconText(entry.icon) ? `${entry.icon} ` : null,
    h("strong", {}, entry.title ?? entry.text ?? entry.label ?? ""),
    entry.subtitle ?? entry.description
      ? h("span", { class: "muted" }, ` ${entry.subtitle ?? entry.description}`)
      : null,
  );

/** What the page's `beforeRender` replaces. @param {any} step @param {any} override */
function overridden(step, override) {
  if (!override) return step;
  const { title, subtitle, ctaText, fieldDefaults, layoutOverrides } = override;
  const fields = (step.fields ?? []).map((/** @type {any} */ field) =>
    fieldDefaults && field.id in fieldDefaults
      ? { ...field, config: { ...field.config, default_value: fieldDefaults[field.id] } }
      : field
  );
  return {
    ...step,
    ...(step.fields ? { fields } : {}),
    ...layoutOverrides,
    id: step.id,
    type: step.type,
    title: title ?? step.title,
    subtitle: subtitle ?? step.subtitle,
    cta_text: ctaText ?? step.cta_text,
  };
}
