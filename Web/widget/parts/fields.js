// One control for each type of field of a flow (docs/reference/flows.md#fields). A part of the renderer.
import { safeColor } from "../../shared/color.js";
import { h, svg } from "../../shared/dom.js";
import {
  choices,
  choicesOf,
  group,
  keyOf,
  labelled,
  lookOf,
  selectField,
  textField,
  written,
} from "../render/controls.js";
import { button } from "../render/elements.js";
import { nonEmpty, numberOf, placeholderOf, slider } from "./fields_common.js";

export { css } from "./fields_style.js";

/** @typedef {import("../render/controls.js").Control} Control */
/** @typedef {import("./fields_common.js").FieldContext} FieldContext */

/** @param {API.Part} field */
const optionsOf = (field) => choicesOf(keyOf(field, "options") ?? keyOf(field, "field_options"));

/** @param {API.Part} field */
const isMultiple = (field) =>
  keyOf(field, "multi_select") === true || /^multi/.test(keyOf(field, "selection_mode") ?? "");

/** @param {string} type @param {string} [inputMode] @param {string} [autocomplete] */
const ofType = (type, inputMode, autocomplete) => (/** @type {FieldContext} */ { field, caption, value, onChange }) =>
  textField(caption, {
    type,
    inputMode,
    autocomplete,
    value,
    placeholder: placeholderOf(field),
    isRequired: field.required,
  }, onChange);

/**
 * A control whose answer is a function of another control's answer.
 * @param {Control} control
 * @param {(value: any) => any} read
 * @returns {Control}
 */
const mapped = (control, read) => ({
  ...control,
  read: () => {
    const value = control.read();
    return value === undefined ? undefined : read(value);
  },
});

/** @param {FieldContext} context @param {string} type @param {string} [suffix] */
function dateField(context, type, suffix = "") {
  const value = typeof context.value === "string"
    ? context.value.slice(0, type === "datetime-local" ? 16 : undefined)
    : undefined;
  const control = ofType(type)({ ...context, value });
  const input = /** @type {HTMLInputElement} */ (control.element.querySelector("input"));
  const [low, high] = [keyOf(context.field, "min_date"), keyOf(context.field, "max_date")];
  if (type === "date" && typeof low === "string") input.min = low;
  if (type === "date" && typeof high === "string") input.max = high;
  return mapped(control, (text) => text + suffix);
}

/** A small button of a field. @param {string} sign @param {string} label @param {() => void} action */
function small(sign, label, action) {
  const element = button(sign, "small", action);
  element.setAttribute("aria-label", label);
  return element;
}

/** Adds buttons that decrease and increase an input's number. @param {any} input @param {FieldContext} context */
function stepped(input, { field, caption, texts, onChange }) {
  const low = numberOf(field, "min_value", numberOf(field, "min", field.type.endsWith("stepper") ? 0 : -Infinity));
  const high = numberOf(field, "max_value", numberOf(field, "max", field.type.endsWith("stepper") ? 100 : Infinity));
  const step = numberOf(field, "step", 1);
  const move = (/** @type {number} */ by) => {
    const start = Number.isFinite(low) ? low : 0;
    const now = input.value.trim() === "" ? start - (by > 0 ? step : 0) : Number(written(input));
    if (!Number.isFinite(now)) return;
    input.value = String(Number(Math.min(high, Math.max(low, now + by * step)).toFixed(6)));
    onChange();
  };
  const box = h("div", { class: "stepped" });
  input.before(box);
  const label = (/** @type {string} */ key) => `${texts.get(key)}: ${caption.title}`;
  box.append(small("−", label("less"), () => move(-1)), input, small("+", label("more"), () => move(1)));
}

/** @param {FieldContext} context */
function number(context) {
  const { field, caption, value, onChange } = context;
  const control = textField({ ...caption, unit: keyOf(field, "unit") }, {
    inputMode: "decimal",
    value: value === undefined ? "" : String(value),
    placeholder: placeholderOf(field),
  }, onChange);
  stepped(control.element.querySelector("input"), context);
  // A text that is no number is sent unchanged, and the daemon reports the fault.
  return mapped(control, (text) => text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
}

/** @param {boolean} isOpen the password is visible, and the icon is crossed out */
const eye = (isOpen) =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", {
      d: `M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z${isOpen ? "M4 4l16 16" : ""}`,
    }),
    svg("circle", { cx: 12, cy: 12, r: 3 }),
  );

/** @param {FieldContext} context */
function password({ field, caption, texts, onChange }) {
  const options = { type: "password", autocomplete: "new-password", placeholder: placeholderOf(field) };
  const control = textField(caption, { ...options, isRequired: field.required }, onChange);
  const input = /** @type {HTMLInputElement} */ (control.element.querySelector("input"));
  const toggle = button("", "small reveal", () => {
    input.type = input.type === "password" ? "text" : "password";
    name();
  });
  const name = () => {
    const isOpen = input.type === "text";
    toggle.replaceChildren(eye(isOpen));
    toggle.setAttribute("aria-pressed", String(isOpen));
    toggle.setAttribute("aria-label", texts.get(isOpen ? "hidePassword" : "showPassword"));
  };
  name();
  const box = h("div", { class: "stepped" });
  input.before(box);
  box.append(input, toggle);
  return control;
}

/** A one-time code, in one line with a box for each character. @param {FieldContext} context */
function code({ field, caption, paint, onChange }) {
  const length = Math.min(12, Math.max(4, Math.round(numberOf(field, "max_length", 6)) || 6));
  const options = { type: "text", inputMode: "numeric", autocomplete: "one-time-code", isRequired: field.required };
  const control = textField(caption, options, onChange);
  const input = /** @type {HTMLInputElement} */ (control.element.querySelector("input"));
  input.maxLength = length;
  input.classList.add("code");
  paint.set(input, { "--_places": String(length) });
  return mapped(control, (text) => text.trim());
}

/** @param {FieldContext} context */
function stepper(context) {
  const { field, caption, value, onChange } = context;
  const input = h("input", {
    type: "number",
    min: numberOf(field, "min_value", 0),
    max: numberOf(field, "max_value", 100),
    step: numberOf(field, "step", 1),
    inputmode: "decimal",
    enterkeyhint: "next",
    oninput: onChange,
  });
  input.value = String(value ?? "");
  const control = labelled(caption, input);
  control.element.classList.add("counter");
  stepped(input, context);
  return mapped(control, Number);
}

/** @param {FieldContext} context */
function select(context) {
  const { field, caption, value, texts, onChange } = context;
  const look = lookOf(field);
  if (isMultiple(field)) {
    return choices(caption, { choices: optionsOf(field), value, isMultiple: true, look }, onChange);
  }
  const isSegmented = /segmented$/.test(field.type);
  if (isSegmented || (field.type === "option_list" && keyOf(field, "display") !== "dropdown")) {
    return choices(caption, {
      choices: optionsOf(field),
      value,
      look: isSegmented ? "joined" : look,
      isRequired: field.required,
    }, onChange);
  }
  return selectField(caption, {
    choices: optionsOf(field),
    value,
    empty: placeholderOf(field) ?? texts.get("chooseOption"),
    isRequired: field.required,
  }, onChange);
}

/** @param {FieldContext} context */
function optionList(context) {
  const control = select({ ...context, field: { ...context.field, type: "option_list" } });
  return isMultiple(context.field) ? { ...control, read: () => nonEmpty(control.read()) } : control;
}

/** @param {FieldContext} context */
function toggle({ field, caption, value, onChange }) {
  const title = field.toggle_label ?? caption.title;
  const text = keyOf(field, "text");
  const input = h("input", {
    type: "checkbox",
    role: "switch",
    checked: (value ?? field.toggle_default) === true,
    onchange: onChange,
    "aria-label": title,
  });
  // The label is next to the switch, and is not repeated.
  const isAlone = text === undefined || text === title;
  const hint = field.toggle_description ?? caption.hint;
  const frame = group({ ...caption, title, hint: undefined, isHidden: isAlone }, [
    h(
      "label",
      { class: "option switch", part: "option" },
      h("span", { class: "bidi" }, text ?? title, hint ? h("span", { class: "muted hint" }, hint) : null),
      input,
    ),
  ]);
  return { ...frame, read: () => input.checked };
}

/** @param {FieldContext} context */
function rating({ field, caption, value, paint, onChange }) {
  const count = Math.min(10, Math.max(3, numberOf(field, "max_stars", numberOf(field, "max", 5))));
  const step = keyOf(field, "allow_half") === true ? 0.5 : 1;
  const stars = Array.from({ length: count / step }, (_, index) => (index + 1) * step);
  const isFaces = [keyOf(field, "style"), keyOf(field, "rating_style"), keyOf(field, "display")].includes("emoji");
  const control = choices({ ...caption, title: field.rating_label ?? caption.title }, {
    choices: stars.map((star) => ({ value: star, label: String(star) })),
    value: value ?? keyOf(field, "default_rating"),
    look: isFaces && step === 1 ? "faces" : "stars",
  }, onChange);
  paint.set(control.element, {
    "--_star": safeColor(keyOf(field, "filled_color")),
    "--_star-empty": safeColor(keyOf(field, "empty_color")),
  });
  return control;
}

/** A chip that a press removes. @param {string} text @param {string} label @param {() => void} remove */
function chip(text, label, remove) {
  const element = button(`${text} ×`, "chip chosen", remove);
  element.setAttribute("aria-label", `${label}: ${text}`);
  return element;
}

/** @param {FieldContext} context */
function chips({ field, caption, value, texts, onChange }) {
  const suggestions = keyOf(field, "suggestions") ?? [];
  if (keyOf(field, "allow_custom") === false) {
    return choices(caption, {
      choices: suggestions.map((/** @type {string} */ text) => ({ value: text, label: text })),
      value,
      isMultiple: true,
      look: "pills",
    }, onChange);
  }
  /** @type {string[]} */
  const chosen = [...(value ?? [])];
  const list = h("div", { class: "chips" });
  const input = h("input", {
    type: "text",
    "aria-label": caption.title,
    part: "input",
    placeholder: placeholderOf(field),
  });
  const add = (/** @type {string} */ text) => {
    if (text.trim() === "" || chosen.includes(text.trim())) return;
    chosen.push(text.trim());
    input.value = "";
    draw();
    onChange();
  };
  const draw = () => {
    list.replaceChildren(
      ...chosen.map((text) =>
        chip(text, texts.get("removeText"), () => {
          chosen.splice(chosen.indexOf(text), 1);
          draw();
          input.focus();
          onChange();
        })
      ),
      ...suggestions.filter((/** @type {string} */ text) => !chosen.includes(text)).map((/** @type {string} */ text) =>
        button(`+ ${text}`, "chip", () => add(text))
      ),
    );
  };
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add(input.value);
  });
  draw();
  const frame = group(caption, [
    h("div", { class: "row" }, input, button(texts.get("addText"), "", () => add(input.value))),
    list,
  ]);
  return {
    ...frame,
    read: () =>
      nonEmpty([
        ...chosen,
        ...(input.value.trim() && !chosen.includes(input.value.trim()) ? [input.value.trim()] : []),
      ]),
  };
}

/** The view that the page registered for a field, or else a text field. @param {FieldContext} context */
function customView(context) {
  const { field, caption, onChange, findView, texts } = context;
  const render = findView(field.view_key ?? field.id);
  if (!render) return null;
  let value = context.value;
  const element = h("div", { part: "custom" });
  render({
    element,
    block: field,
    config: field.custom_config ?? {},
    value,
    texts,
    onChange: (/** @type {unknown} */ changed) => {
      value = changed;
      onChange();
    },
  });
  const frame = group(caption, [element]);
  return { ...frame, read: () => value };
}

/** @type {{[type: string]: (context: FieldContext) => Control | null}} */
export const types = {
  text: ofType("text"),
  textarea: ({ field, caption, value, onChange }) =>
    textField(
      caption,
      { isMultiline: true, value, placeholder: placeholderOf(field), isRequired: field.required },
      onChange,
    ),
  email: ofType("email", "email", "email"),
  phone: ofType("tel", "tel", "tel"),
  url: ofType("url", "url"),
  password,
  otp_input: code,
  number,
  date: (context) => dateField(context, "date"),
  time: (context) => dateField(context, "time"),
  datetime: (context) => dateField(context, "datetime-local", ":00"),
  select,
  segmented: select,
  option_list: optionList,
  slider,
  stepper,
  toggle,
  rating,
  chips,
  multiline_chips: chips,
  custom_view: customView,
};

/**
 * @param {FieldContext} context
 * @returns {Control | null} null for a custom view that the page has not registered
 */
export function fieldControl(context) {
  const type = String(context.field.type).replace(/^input_/, "");
  const pickers = context.part("pickers")?.types ?? {};
  const make = [types, pickers].find((known) => Object.hasOwn(known, type))?.[type] ?? types.text;
  return make(context);
}
