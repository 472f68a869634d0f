// Rare fields: wheels, ranges, colours, chips, images, signatures, places. A part of the renderer.
import { safeColor } from "../../shared/color.js";
import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { group, keyOf, labelled } from "../render/controls.js";
import { button } from "../render/elements.js";
import { numberOf, onceUsed, placeholderOf, range, slider, track, withUnit } from "./fields_common.js";
import { dateWheels, wheel } from "./wheel.js";

export { css } from "./pickers_style.js";

/** @typedef {import("./fields_common.js").FieldContext} FieldContext */
/** @typedef {import("../render/controls.js").Control} Control */

/** One track with two handles. @param {FieldContext} context */
function rangeSlider(context) {
  const { caption, value, texts, paint, onChange } = context;
  const low = range(context, "low", value?.low);
  const high = range(context, "high", value?.high);
  low.input.setAttribute("aria-label", `${caption.title}: ${texts.get("lowest")}`);
  high.input.setAttribute("aria-label", `${caption.title}: ${texts.get("highest")}`);
  const ends = () => [Number(low.input.value), Number(high.input.value)].sort((a, b) => a - b);
  const { element, draw } = track([low.input, high.input], ends, paint);
  const frame = group(caption, [h("div", { class: "bounds" }, low.output, high.output), element]);
  const read = () => ({ low: ends()[0], high: ends()[1] });
  const changed = () => {
    draw();
    onChange();
  };
  return { ...frame, read: onceUsed([low, high], { ...context, onChange: changed }, read) };
}

/** @param {FieldContext} context */
function wheelPicker(context) {
  const { field, caption, value, texts, paint } = context;
  const low = numberOf(field, "min_value", numberOf(field, "min", 0));
  const high = numberOf(field, "max_value_picker", numberOf(field, "max_value", numberOf(field, "max", 100)));
  const step = numberOf(field, "step_value", numberOf(field, "step", 1));
  const count = Math.floor((high - low) / step) + 1;
  if (!(count > 1 && count <= 400)) return slider(context);
  const valueAt = (/** @type {number} */ index) => Number((low + index * step).toFixed(6));
  const start = value === undefined ? 0 : Math.round((Number(value) - low) / step);
  const labels = Array.from({ length: count }, (_, index) => withUnit(field, valueAt(index), texts.locale));
  const { box, input } = wheel({ labels, index: start, isSmall: keyOf(field, "visible_items") <= 3 }, paint);
  const output = h("output", { class: "reading" });
  const control = labelled(caption, input);
  control.element.insertBefore(h("div", { class: "wheels" }, box), control.element.lastChild);
  box.prepend(input);
  control.element.insertBefore(output, control.element.lastChild);
  const part = { input, output, text: () => labels[Number(input.value)] };
  return { ...control, read: onceUsed([part], context, () => valueAt(Number(input.value))) };
}

/** A date on three wheels: day, month and year. @param {FieldContext} context */
function dateWheel(context) {
  const { caption, texts, paint } = context;
  const wheels = dateWheels(context, paint);
  const output = h("output", { class: "reading" });
  const frame = group(caption, [h("div", { class: "wheels" }, wheels.columns), output]);
  const parts = wheels.inputs.map(({ input, text }) => ({ input, text, output: h("output", { hidden: true }) }));
  const say = () => output.textContent = read() === undefined ? texts.get("noAnswer") : wheels.text();
  const changed = () => {
    wheels.settle();
    say();
    context.onChange();
  };
  const read = onceUsed(parts, { ...context, onChange: changed }, () => wheels.iso());
  say();
  return { ...frame, read };
}

/** A field for a colour; answers have hexadecimal digits. @param {FieldContext} context */
function color(context) {
  const { field, paint, texts, value } = context;
  const presets =
    ["preset_colors", "presets", "swatches", "colors"].map((key) => keyOf(field, key)).find(Array.isArray) ??
      [];
  const input = h("input", { type: "color" });
  input.value = String(value ?? presets[0] ?? "#000000").slice(0, 7);
  const control = labelled(context.caption, input);
  const text = () => input.value.toUpperCase();
  const output = h("output", { class: "reading" });
  const swatches = presets.slice(0, 24).filter((preset) => /^#[\da-f]{6}$/i.test(preset)).map(
    (/** @type {string} */ preset, /** @type {number} */ index, /** @type {string[]} */ all) => {
      const swatch = button("", "swatch", () => {
        input.value = preset.toLowerCase();
        input.dispatchEvent(new Event("input"));
      });
      swatch.setAttribute("aria-label", texts.get("colorChoice", { n: index + 1, total: all.length }));
      swatch.value = preset.toUpperCase();
      paint.set(swatch, { "background-color": safeColor(preset) });
      return swatch;
    },
  );
  const mark = () => {
    for (const swatch of swatches) {
      const isChosen = read() !== undefined && swatch.value === text();
      swatch.setAttribute("aria-pressed", String(isChosen));
    }
  };
  const changed = () => {
    mark();
    context.onChange();
  };
  const box = h("div", { class: "swatches" });
  input.before(box);
  input.title = texts.get("colorOther");
  box.append(...swatches, input, output);
  const read = onceUsed([{ input, output, text }], { ...context, onChange: changed }, text);
  mark();
  return { ...control, read };
}

/** The image as a JPEG within the daemon's size limits. @param {Blob} file @returns {Promise<string>} a data URL */
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
  const preview = h("img", { alt: "" });
  const draw = () => {
    preview.hidden = typeof image !== "string" || !image.startsWith("data:image/");
    if (!preview.hidden) preview.src = image;
  };
  const box = h("div", { class: "drop" });
  input.before(box);
  box.append(preview, input);
  draw();
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    try {
      image = file ? await jpeg(file) : undefined;
      control.setError(null);
    } catch {
      image = undefined;
      control.setError(texts.get("pattern"));
    }
    draw();
    onChange();
  });
  return { ...control, read: () => image };
}

/** The drawing on a canvas in black on white, as a PNG data URL. @param {HTMLCanvasElement} canvas */
function png(canvas) {
  const { width, height } = canvas;
  const copy = h("canvas", { width, height });
  const pen = copy.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  // The drawing has the colour of the page's texts, which may be white.
  for (const [operation, color] of [["source-in", "#000"], ["destination-over", "#fff"]]) {
    [pen.globalCompositeOperation, pen.fillStyle] = [operation, color];
    pen.fillRect(0, 0, width, height);
  }
  return copy.toDataURL("image/png");
}

/** A canvas for a pen. @param {string} label @param {() => void} onDrawn */
function drawing(label, onDrawn) {
  const canvas = h("canvas", {
    class: "signature",
    width: 640,
    height: 240,
    part: "signature",
    role: "img",
    "aria-label": label,
  });
  const pen = canvas.getContext("2d");
  /** @param {PointerEvent} event @returns {[number, number]} */
  const at = ({ offsetX, offsetY }) => {
    const scale = canvas.width / canvas.clientWidth;
    return [offsetX * scale, offsetY * scale];
  };
  [pen.lineWidth, pen.lineCap, pen.lineJoin] = [4, "round", "round"];
  const draw = (/** @type {PointerEvent} */ event) => {
    pen.strokeStyle = getComputedStyle(canvas).color;
    pen.lineTo(...at(event));
    pen.stroke();
  };
  canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    canvas.setPointerCapture(event.pointerId);
    pen.beginPath();
    pen.moveTo(...at(event));
    draw(event);
  });
  canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => event.buttons !== 0 && draw(event));
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, onDrawn);
  const write = (/** @type {string} */ text) => {
    pen.font = "italic 72px cursive";
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.fillText(text, 40, 160);
    onDrawn();
  };
  return { canvas, write, clear: () => pen.clearRect(0, 0, canvas.width, canvas.height) };
}

/** A field for a signature, which is sent as an image. A button signs without a pointer. @param {FieldContext} context */
function signature({ caption, value, texts, onChange }) {
  /** A data URL, or the reference to an earlier signature. @type {string | object | undefined} */
  let image = value ?? undefined;
  const { canvas, write, clear } = drawing(caption.title, () => {
    image = png(canvas);
    changed();
  });
  const isImage = typeof image === "string" && image.startsWith("data:image/");
  const shown = h("img", { class: "signature", alt: caption.title, src: isImage ? image : undefined });
  const sign = button(texts.get("sign"), "", () => write("✓"));
  const remove = button(texts.get("removeText"), "", () => {
    image = undefined;
    shown.hidden = true;
    clear();
    changed();
    sign.focus();
  });
  /** Handles a change. */
  const changed = () => {
    remove.hidden = image === undefined;
    canvas.hidden = !shown.hidden;
    sign.hidden = !shown.hidden;
    onChange();
  };
  shown.hidden = !isImage;
  [canvas.hidden, sign.hidden, remove.hidden] = [isImage, isImage, image === undefined];
  const frame = group(caption, [shown, canvas, h("div", { class: "actions" }, sign, remove)]);
  return { ...frame, read: () => image };
}

/** A text field, and the list of its suggestions. @param {FieldContext} context */
function combo({ field, caption, value, texts }) {
  const list = h("ul", {
    id: uniqueId("places"),
    role: "listbox",
    "aria-label": texts.get("chooseOption"),
    class: "places",
    hidden: true,
  });
  const input = h("input", {
    type: "text",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    value: value?.formatted_address ?? "",
    placeholder: placeholderOf(field),
  });
  // A press of a suggestion does not move the focus.
  list.addEventListener("mousedown", (/** @type {Event} */ event) => event.preventDefault());
  const control = labelled(caption, input);
  const box = h("div", { class: "combo" });
  input.before(box);
  box.append(input, list);
  return { list, input, control };
}

/** Marks the suggestion at a place; -1 for none. @param {any} list @param {any} input @param {number} index */
function markItem(list, input, index) {
  for (const [place, item] of [...list.children].entries()) {
    item.setAttribute("aria-selected", String(place === index));
    if (place === index) item.scrollIntoView({ block: "nearest" });
  }
  setAttribute(input, "aria-activedescendant", list.children[index]?.id ?? null);
}

/** A text field with suggestions below it. @param {FieldContext} context */
function location(context) {
  const { field, value, onChange, findLocations } = context;
  /** @type {Map<string, any>} */
  const found = new Map();
  if (value?.formatted_address) found.set(value.formatted_address, value);
  const { list, input, control } = combo(context);
  /** The index of the suggestion that Enter selects; -1 for none. */
  let at = -1;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const mark = (/** @type {number} */ index) => {
    at = index;
    markItem(list, input, index);
  };
  const take = (/** @type {string} */ text) => {
    input.value = text;
    close();
    onChange();
  };
  const offer = (/** @type {any[]} */ places) => {
    const items = places.slice(0, 8).map(({ formatted_address: text }) =>
      h("li", { role: "option", id: uniqueId("place"), class: "bidi", onclick: () => take(text) }, text)
    );
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(-1);
  };
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    onChange();
    if (found.has(input.value) || input.value.length < numberOf(field, "min_characters", 2)) return close();
    timer = setTimeout(async () => {
      const asked = input.value;
      const places = await findLocations(asked);
      for (const place of places) found.set(place.formatted_address, place);
      if (input.value === asked && input.matches(":focus")) offer(places);
    }, 300);
  });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const count = list.hidden ? 0 : list.children.length;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (count > 0 && by) mark((at + by + (at < 0 && by < 0 ? 1 : 0) + count) % count);
    else if (count > 0 && event.key === "Enter" && at >= 0) take(list.children[at].textContent ?? "");
    else if (count > 0 && event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", close);
  return {
    ...control,
    // A place that was not chosen from the list is no answer.
    read: () => found.get(input.value),
    fault: () =>
      input.value.trim() === "" || found.has(input.value) ? undefined : { code: "required", reason: "place" },
  };
}

/** @type {{[type: string]: (context: FieldContext) => Control | null}} */
export const types = {
  wheel_picker: wheelPicker,
  date_wheel_picker: dateWheel,
  range_slider: rangeSlider,
  color,
  image_picker: imagePicker,
  signature,
  location,
};
