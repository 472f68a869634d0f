// A step of a flow: its controls, their visibility, and their values.
import { compileDependsOn, compileVisibility } from "../../shared/conditions/flows.js";
import { choices, choicesOf, keyOf, lookOf, selectField } from "./controls.js";
import { part } from "./parts.js";
import { told } from "./view.js";

/** @typedef {import("./controls.js").Control} Control */
/** @typedef {{id: string, field: API.Part, control: Control, conditions: ((facts: any) => boolean)[]}} Row */

export class StepForm {
  /** @param {import("./flow.js").FlowView} view @param {API.Part} step @param {any} saved answers that were given before */
  constructor(view, step, saved) {
    this.view = view;
    this.step = step;
    this.saved = saved;
    this.texts = view.texts.over(part("judge")?.english ?? {});
    /** The rows of the step, in order. @type {Row[]} */
    this.rows = [];
    /** @type {((answers: any, password: string) => void)[]} */
    this.listeners = [];
    /** The fields that show a fault. @type {Set<string>} */
    this.marked = new Set();
  }

  /** Handles the use of a control, which may repair its fault. @param {string} id */
  #use(id) {
    this.read();
    if (!this.marked.delete(id)) return;
    this.rows.find((row) => row.id === id)?.control.setError(null);
    if (this.marked.size === 0) this.view.summarize([]);
  }

  /** Judges a field that the focus leaves. @param {Row} row @param {FocusEvent} event */
  async #leave({ id, field, control }, { relatedTarget }) {
    const { view } = this;
    if (control.element.contains(/** @type {Node | null} */ (relatedTarget))) return;
    // A fault text that appears now would move a button away from the pointer.
    await view.press;
    if (view.form !== this || view.isMoving) return;
    const fault = control.fault?.() ?? part("judge").faultOf(field, this.read()[id]);
    if (!fault) return;
    const text = this.texts.fault(fault);
    control.setError(text);
    if (!this.marked.has(id)) view.shell.say(text);
    this.marked.add(id);
  }

  /** Reports the answers on the screen, and the first password. @param {(answers: any, password: string) => void} listener */
  watch(listener) {
    this.listeners.push(listener);
    listener({}, "");
  }

  /** The options of a question. */
  selection() {
    const { step, saved, view } = this;
    const isMultiple = step.selection_mode === "multi";
    const options = choicesOf(step.options);
    const selected = saved.selected ?? [];
    const empty = view.texts.get("chooseOption");
    const caption = {
      title: step.question ?? step.title ?? empty,
      isHidden: !step.question && Boolean(step.title),
    };
    const value = isMultiple ? selected : selected[0];
    const use = () => this.#use("selected");
    const control = step.display === "dropdown" && !isMultiple
      ? selectField(caption, { choices: options, value, empty }, use)
      : choices(
        caption,
        { choices: options, value, isMultiple, look: lookOf(step) },
        use,
      );
    const read = () => {
      const value = control.read();
      return value === undefined || isMultiple ? value : [value];
    };
    this.rows.push({ id: "selected", field: { label: step.title }, control: { ...control, read }, conditions: [] });
    return control.element;
  }

  /** @param {API.Part} field a field of a form, or a block with an answer */
  field(field) {
    const { view } = this;
    const id = field.field_id ?? field.id;
    const { fieldControl } = part("fields");
    const label = labelOf(field);
    const caption = {
      // Without a label, the step's title names the control for screen readers.
      title: label ?? titleOf(this.step) ?? view.texts.get("chooseOption"),
      isHidden: label === undefined,
      hint: field.hint ?? keyOf(field, "help_text"),
      note: field.required || field.field_required ? view.texts.get("required") : undefined,
      part: `field-${id}`,
    };
    const control = fieldControl({
      field,
      caption,
      value: this.saved[id] ?? this.#given(field, id) ?? keyOf(field, "default_value") ?? keyOf(field, "default"),
      texts: view.texts,
      paint: view.shell.paint,
      part,
      onChange: () => this.#use(id),
      findLocations: (/** @type {string} */ query) => this.#locations(field, query),
      findView: (/** @type {string} */ name) => view.client.customViews.get(name),
    });
    if (!control) return null;
    const conditions = [];
    if (field.depends_on) conditions.push(compileDependsOn(field.depends_on));
    if (readsAnswers(field.visibility_condition)) conditions.push(compileVisibility(field.visibility_condition));
    else if (field.visible === false && !field.depends_on) conditions.push(() => false);
    const row = { id, field, control, conditions };
    this.rows.push(row);
    control.element.addEventListener("focusout", (/** @type {FocusEvent} */ event) => this.#leave(row, event));
    return control.element;
  }

  /** The value for a field in the page's address. @param {API.Part} field @param {string} id */
  #given(field, id) {
    const text = this.view.options.prefill?.[id];
    if (text === undefined) return undefined;
    const type = String(field.type).replace(/^input_/, "");
    if (/^(number|slider|stepper|rating|wheel_picker)$/.test(type)) {
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    }
    if (/^(toggle)$/.test(type)) return text === "true";
    if (/^(chips|multiline_chips)$/.test(type) || keyOf(field, "multi_select") === true) return text.split(",");
    return /^(text|textarea|email|phone|url|date|time|datetime|select|segmented|option_list|color)$/.test(type)
      ? text
      : undefined;
  }

  /** @param {API.Part} field @param {string} query */
  async #locations(field, query) {
    const own = await this.view.ask("locationData", { field, query });
    if (own !== undefined) return Array.isArray(own) ? own : [own];
    const [type, country, language] = ["location_type", "bias_country", "language"].map((key) => keyOf(field, key));
    const asked = { query, type, bias_country: country, language };
    const answer = await this.view.client.transport.get("locations", asked);
    return answer.body?.data?.suggestions ?? [];
  }

  /**
   * Shows and hides fields and blocks by the answers on the screen, in their order. Hidden values are ignored.
   * @returns {{[id: string]: any}} the answers of the visible fields
   */
  read() {
    const { client, run, frame } = this.view;
    /** @type {any} */
    const answers = {};
    for (const { id, control } of this.rows) {
      const value = control.read();
      if (value !== undefined) answers[id] = value;
    }
    const facts = {
      answers,
      steps: { ...run.responses, [run.step_id]: answers },
      user: client.options.context ?? {},
      locale: client.locale,
      platform: "web",
      options: this.step.options ?? [],
    };
    for (const row of this.rows) {
      const isShown = row.conditions.every((condition) => condition(facts));
      row.control.element.hidden = !isShown;
      if (!isShown) delete answers[row.id];
    }
    for (const element of frame?.body.querySelectorAll(".block") ?? []) {
      const { block } = element;
      if (!readsAnswers(block?.visibility_condition)) continue;
      /** @type {HTMLElement} */ (element).hidden = !compileVisibility(block.visibility_condition)(facts);
    }
    const password = this.rows.find(({ field }) => isPassword(field));
    for (const listener of this.listeners) listener(answers, password ? answers[password.id] : "");
    return answers;
  }

  /** Whether the step has a field whose answer is never stored. @returns {boolean} */
  get hasSecret() {
    return this.rows.some(({ field }) => isSecret(field));
  }

  /** The answers that the browser may store. */
  open() {
    const answers = this.read();
    for (const { id, field } of this.rows) if (isSecret(field) || field.sensitive) delete answers[id];
    return answers;
  }

  /**
   * Shows the fault of each field.
   * @param {Map<string, import("../../shared/problems.js").Fault>} faults
   * @returns {{text: string, control?: Control}[]} all faults as texts, in order
   */
  mark(faults) {
    const { texts } = this;
    const items = this.rows.flatMap(({ id, control, field }) => {
      const fault = faults.get(id);
      const text = fault ? said(fault, texts, control) : null;
      control.setError(text);
      if (text) this.marked.add(id);
      else this.marked.delete(id);
      return text ? [{ text: told(labelOf(field) ?? titleOf(this.step) ?? "", text), control }] : [];
    });
    const others = [...faults].filter(([id]) => !this.rows.some((row) => row.id === id));
    return [...items, ...others.map(([, fault]) => ({ text: said(fault, texts) }))];
  }
}

/** The visible label of a field. @param {API.Part} field @returns {string | undefined} */
const labelOf = (field) =>
  field.label ?? field.field_label ?? field.text ?? field.toggle_label ?? field.rating_label ?? undefined;

/** The title of a step, in its config or in its first title block. @param {API.Part} step @returns {string | undefined} */
export const titleOf = (step) => step.title ?? titleBlock(step.content_blocks)?.text ?? undefined;

/** The first visible title block. @param {any[]} [blocks] @returns {any} */
function titleBlock(blocks) {
  for (const block of blocks ?? []) {
    if (!block || block.visible === false) continue;
    const found = block.type === "title" ? block : titleBlock(block.children);
    if (found) return found;
  }
}

/**
 * A fault in words. A message without a reason is the author's.
 * @param {import("../../shared/problems.js").Fault} fault
 * @param {import("../../shared/i18n.js").Texts} texts
 * @param {Control} [control] what it holds may be more than an answer that is missing
 */
function said(fault, texts, control) {
  const typed = fault.code === "required" ? control?.fault?.() : undefined;
  return typed || fault.reason || !fault.message ? texts.fault(typed ?? fault) : fault.message;
}

/** @param {API.Part} field */
const isPassword = (field) => /^(input_)?password$/.test(field.type ?? "");
/** @param {API.Part} field */
const isSecret = (field) => isPassword(field) || field.type === "otp_input";

/**
 * Whether a condition reads the answers on the screen. The daemon evaluates all other conditions and reports `visible`,
 * because it has the platform, the user and the results of hooks.
 * @param {any} condition
 */
const readsAnswers = (condition) =>
  condition?.type === "answer_equals" ||
  (String(condition?.type).startsWith("when_") && String(condition.variable).startsWith("responses."));
