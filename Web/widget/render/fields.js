// One control for each type of field of a flow (docs/reference/flows.md#fields).
import { h } from "../../shared/dom.js";
import { choices, group, labelled, selectField, textField } from "./controls.js";
import { button } from "./shell.js";

/** @typedef {import("./controls.js").Control} Control */
/** @typedef {import("./controls.js").Caption} Caption */
/** @typedef {import("../../shared/i18n.js").Texts} Texts */
/**
 * @typedef {object} FieldContext
 * @property {any} field as the step has it
 * @property {Caption} caption
 * @property {any} value
 * @property {Texts} texts
 * @property {() => void} onChange
 * @property {(query: string) => Promise<any[]>} findLocations
 * @property {(id: string) => ((view: any) => any) | undefined} findView
 */

/** A key of a field, which stands in its `config`, or of a block beside the others. @param {any} field @param {string} key */
export const keyOf = (field, key) => field.config?.[key] ?? field[key];

/** @param {any} field @param {string} key @param {number} fallback */
const numberOf = (field, key, fallback) => Number(keyOf(field, key) ?? fallback);

/** @param {any} field */
const optionsOf = (field) =>
  (keyOf(field, "options") ?? []).map((/** @type {any} */ option) =>
    typeof option === "string"
      ? { value: option, label: option }
      : { value: option.id, label: option.label ?? option.id, hint: option.subtitle, icon: iconText(option.icon) }
  );

/** An icon that is a character; names of a phone's icons say nothing here. @param {any} icon */
export const iconText = (icon) =>
  typeof icon === "string" && /\p{Extended_Pictographic}/u.test(icon) ? icon : undefined;

/** @param {string} type @param {string} [inputMode] @param {string} [autocomplete] */
const ofType = (type, inputMode, autocomplete) => (/** @type {FieldContext} */ { field, caption, value, onChange }) =>
  textField(caption, {
    type,
    inputMode,
    autocomplete,
    value,
    placeholder: field.placeholder,
    isRequired: field.required,
  }, onChange);

/** A control that reads something else of another one. @param {Control} control @param {(value: any) => any} read @returns {Control} */
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

/** @param {FieldContext} context */
function number({ field, caption, value, onChange }) {
  const control = textField({ ...caption, hint: caption.hint ?? keyOf(field, "unit") }, {
    inputMode: "decimal",
    value: value === undefined ? "" : String(value),
    placeholder: field.placeholder,
  }, onChange);
  // What is no number is sent as it is: the daemon says what is wrong.
  return mapped(control, (text) => text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
}

/** @typedef {{input: any, output: HTMLElement, text: () => string}} Part an input that always stands somewhere, and what it says */

/**
 * Reads inputs that always have a value: they are an answer once somebody has used them, or where there was one.
 * @param {Part[]} parts
 * @param {FieldContext} context
 * @param {() => any} read
 */
function onceUsed(parts, { value, texts, onChange }, read) {
  let isAnswer = value !== undefined;
  const say = () => {
    for (const { input, output, text } of parts) {
      output.textContent = isAnswer ? text() : texts.get("noAnswer");
      if (input.type === "range") input.setAttribute("aria-valuetext", output.textContent);
    }
  };
  const use = () => {
    isAnswer = true;
    say();
    onChange();
  };
  for (const { input } of parts) {
    // What stands at its end already is chosen by a press that moves nothing.
    for (const name of ["input", "click"]) input.addEventListener(name, use);
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (/^(Arrow|Page|Home|End)/.test(event.key)) use();
    });
  }
  say();
  return () => isAnswer ? read() : undefined;
}

/** @param {FieldContext} context @param {"low" | "high"} end where it stands without a value @param {any} value @returns {Part} */
function range({ field }, end, value) {
  const low = numberOf(field, "min_value", numberOf(field, "min", 0));
  const high = numberOf(field, "max_value", numberOf(field, "max", 100));
  const input = h("input", { type: "range", min: low, max: high, step: numberOf(field, "step", 1), part: "input" });
  input.value = String(value ?? (end === "low" ? low : high));
  const unit = keyOf(field, "unit");
  const text = () => unit ? `${input.value} ${unit}` : input.value;
  return { input, text, output: h("output", { class: "muted" }) };
}

/** @param {FieldContext} context */
function slider(context) {
  const part = range(context, "low", context.value);
  const control = labelled(context.caption, part.input);
  part.input.after(part.output);
  return { ...control, read: onceUsed([part], context, () => Number(part.input.value)) };
}

/** @param {FieldContext} context */
function rangeSlider(context) {
  const { caption, value } = context;
  const low = range(context, "low", value?.low);
  const high = range(context, "high", value?.high);
  low.input.setAttribute("aria-label", `${caption.title} ≥`);
  high.input.setAttribute("aria-label", `${caption.title} ≤`);
  const frame = group(caption, [low.input, low.output, high.input, high.output]);
  const read = () => {
    const ends = [Number(low.input.value), Number(high.input.value)];
    return { low: Math.min(...ends), high: Math.max(...ends) };
  };
  return { ...frame, read: onceUsed([low, high], context, read) };
}

/** @param {FieldContext} context */
function stepper({ field, caption, value, onChange }) {
  const input = h("input", {
    type: "number",
    min: numberOf(field, "min_value", 0),
    max: numberOf(field, "max_value", 100),
    step: numberOf(field, "step", 1),
    oninput: onChange,
  });
  input.value = String(value ?? "");
  return mapped(labelled(caption, input), Number);
}

/** @param {FieldContext} context */
function select(context) {
  const { field, caption, value, texts, onChange } = context;
  if (keyOf(field, "multi_select") === true || keyOf(field, "selection_mode") === "multi") {
    return choices(caption, { choices: optionsOf(field), value, isMultiple: true }, onChange);
  }
  if (field.type === "segmented" || field.type === "input_segmented" || field.type === "option_list") {
    return choices(caption, {
      choices: optionsOf(field),
      value,
      isScale: field.type !== "option_list",
      isRequired: field.required,
    }, onChange);
  }
  return selectField(caption, {
    choices: optionsOf(field),
    value,
    empty: field.placeholder ?? texts.get("chooseOption"),
    isRequired: field.required,
  }, onChange);
}

/** @param {FieldContext} context */
function optionList(context) {
  const control = select({ ...context, field: { ...context.field, type: "option_list" } });
  const isMultiple = keyOf(context.field, "multi_select") === true ||
    keyOf(context.field, "selection_mode") === "multi";
  return isMultiple ? { ...control, read: () => nonEmpty(control.read()) } : control;
}

/** @param {any[]} list */
const nonEmpty = (list) => list.length > 0 ? list : undefined;

/** @param {FieldContext} context */
function toggle({ field, caption, value, onChange }) {
  const input = h("input", {
    type: "checkbox",
    role: "switch",
    checked: value === true,
    onchange: onChange,
    "aria-label": caption.title,
  });
  const text = keyOf(field, "text") ?? caption.title;
  const frame = group(caption, [
    h("label", { class: "option", part: "option" }, input, h("span", { class: "bidi" }, text)),
  ]);
  return { ...frame, read: () => input.checked };
}

/** @param {FieldContext} context */
function rating({ field, caption, value, onChange }) {
  const count = Math.min(10, Math.max(3, numberOf(field, "max_stars", numberOf(field, "max", 5))));
  const step = keyOf(field, "allow_half") === true ? 0.5 : 1;
  const stars = Array.from({ length: count / step }, (_, index) => (index + 1) * step);
  return choices(caption, {
    choices: stars.map((star) => ({ value: star, label: String(star) })),
    value,
    isScale: true,
  }, onChange);
}

/** Colours are texts of hexadecimal digits. @param {FieldContext} context */
function color(context) {
  const input = h("input", { type: "color" });
  input.value = String(context.value ?? "#000000").slice(0, 7);
  const control = labelled(context.caption, input);
  const text = () => input.value.toUpperCase();
  const output = h("output", { class: "muted" });
  input.after(output);
  return { ...control, read: onceUsed([{ input, output, text }], context, text) };
}

/** @param {FieldContext} context */
function chips({ field, caption, value, texts, onChange }) {
  const suggestions = keyOf(field, "suggestions") ?? [];
  if (keyOf(field, "allow_custom") === false) {
    return choices(caption, {
      choices: suggestions.map((/** @type {string} */ text) => ({ value: text, label: text })),
      value,
      isMultiple: true,
    }, onChange);
  }
  /** @type {string[]} */
  const chosen = [...(value ?? [])];
  const list = h("div", { class: "actions" });
  const input = h("input", { type: "text", "aria-label": caption.title, part: "input" });
  const add = (/** @type {string} */ text) => {
    if (text.trim() === "" || chosen.includes(text.trim())) return;
    chosen.push(text.trim());
    input.value = "";
    draw();
    onChange();
  };
  const draw = () => {
    list.replaceChildren(
      ...chosen.map((text) => {
        const element = button(`${text} ×`, "", () => {
          chosen.splice(chosen.indexOf(text), 1);
          draw();
          input.focus();
          onChange();
        });
        element.setAttribute("aria-label", `${texts.get("removeText")}: ${text}`);
        return element;
      }),
      ...suggestions.filter((/** @type {string} */ text) => !chosen.includes(text)).map((/** @type {string} */ text) =>
        button(`+ ${text}`, "", () => add(text))
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

/** Scaled down to what the daemon takes. @param {Blob} file @returns {Promise<string>} a data URL */
async function jpeg(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, 1280 / Math.max(bitmap.width, bitmap.height));
  const canvas = h("canvas", { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", 0.8);
}

/** @param {FieldContext} context */
function imagePicker({ caption, value, texts, onChange }) {
  /** A data URL, or the reference to an earlier image. @type {string | object | undefined} */
  let image = value;
  const input = h("input", { type: "file", accept: "image/*" });
  const control = labelled(caption, input);
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    try {
      image = file ? await jpeg(file) : undefined;
      control.setError(null);
    } catch {
      image = undefined;
      control.setError(texts.get("pattern"));
    }
    onChange();
  });
  return { ...control, read: () => image };
}

/** Strokes of a pointer; a button signs for those who use none. @param {FieldContext} context */
function signature({ caption, value, texts, onChange }) {
  let strokes = Number(/^signature:(\d+)$/.exec(value ?? "")?.[1] ?? 0);
  // An image that another app has sent: the daemon keeps it, and takes the reference for the same answer.
  let image = typeof value === "object" ? value ?? undefined : undefined;
  const canvas = h("canvas", {
    class: "signature",
    width: 320,
    height: 120,
    part: "signature",
    role: "img",
    "aria-label": caption.title,
  });
  const pen = canvas.getContext("2d");
  canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    canvas.setPointerCapture(event.pointerId);
    pen.beginPath();
    pen.moveTo(event.offsetX, event.offsetY);
    strokes += 1;
    onChange();
  });
  canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (event.buttons === 0) return;
    pen.strokeStyle = getComputedStyle(canvas).color;
    pen.lineTo(event.offsetX, event.offsetY);
    pen.stroke();
  });
  const sign = button(texts.get("sign"), "", () => {
    strokes += 1;
    pen.font = "italic 32px cursive";
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.fillText("✓", 16, 64);
    onChange();
  });
  const clear = button(texts.get("removeText"), "", () => {
    [strokes, image] = [0, undefined];
    pen.clearRect(0, 0, canvas.width, canvas.height);
    onChange();
  });
  const frame = group(caption, [canvas, h("div", { class: "actions" }, sign, clear)]);
  return { ...frame, read: () => strokes > 0 ? `signature:${strokes}` : image };
}

/** @param {FieldContext} context */
function location({ field, caption, value, onChange, findLocations }) {
  /** @type {Map<string, any>} */
  const found = new Map();
  if (value?.formatted_address) found.set(value.formatted_address, value);
  const list = h("datalist", { id: `bw-places-${Math.random().toString(36).slice(2)}` });
  const input = h("input", {
    type: "text",
    list: list.id,
    autocomplete: "off",
    value: value?.formatted_address ?? "",
    placeholder: field.placeholder,
  });
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    onChange();
    if (found.has(input.value) || input.value.length < numberOf(field, "min_characters", 2)) return;
    timer = setTimeout(async () => {
      const places = await findLocations(input.value);
      for (const place of places) found.set(place.formatted_address, place);
      list.replaceChildren(...places.map((place) => h("option", { value: place.formatted_address })));
    }, 300);
  });
  const control = labelled(caption, input);
  input.after(list);
  return {
    ...control,
    read: () => input.value === "" ? undefined : found.get(input.value) ?? { formatted_address: input.value },
  };
}

/** What the page has registered for it; else a text field. @param {FieldContext} context */
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
    onChange: (/** @type {any} */ changed) => {
      value = changed;
      onChange();
    },
  });
  const frame = group(caption, [element]);
  return { ...frame, read: () => value };
}

/** @type {{[type: string]: (context: FieldContext) => Control | null}} */
const types = {
  text: ofType("text"),
  textarea: ({ field, caption, value, onChange }) =>
    textField(
      caption,
      { isMultiline: true, value, placeholder: field.placeholder, isRequired: field.required },
      onChange,
    ),
  email: ofType("email", "email", "email"),
  phone: ofType("tel", "tel", "tel"),
  url: ofType("url", "url"),
  password: ofType("password", undefined, "new-password"),
  number,
  date: (context) => dateField(context, "date"),
  time: (context) => dateField(context, "time"),
  datetime: (context) => dateField(context, "datetime-local", ":00"),
  date_wheel_picker: (context) => dateField(context, "date"),
  select,
  segmented: select,
  option_list: optionList,
  slider,
  stepper,
  wheel_picker: slider,
  range_slider: rangeSlider,
  toggle,
  rating,
  color,
  chips,
  multiline_chips: chips,
  image_picker: imagePicker,
  signature,
  location,
  custom_view: customView,
};

/** Whether a block of this type has an answer. @param {string} type */
export const hasAnswer = (type) =>
  type.startsWith("input_") ||
  ["option_list", "wheel_picker", "date_wheel_picker", "rating", "custom_view", "toggle"].includes(type);

/**
 * @param {FieldContext} context
 * @returns {Control | null} null: a custom view that the page has not registered
 */
export function fieldControl(context) {
  const type = context.field.type.replace(/^input_/, "");
  return (types[type] ?? types.text)(context);
}
