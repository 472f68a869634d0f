// An author's styles of a block: `block_style`, texts, gradients, entrances (docs/web.md#looks). A part of the
// renderer. Only the properties in this file are set, and only to validated values: numbers within bounds, colours, and
// words of a list. A text without enough contrast gets the nearest colour with enough contrast.
import { cssColor, flatten, inkOn, mix, parseColor, readable } from "../../shared/color.js";

/** @typedef {import("../../shared/color.js").Color} Color */
/** @typedef {import("./blocks.js").BlockContext} BlockContext */
/** @typedef {{[property: string]: string | undefined}} Properties */

/** @param {any} value @param {number} low @param {number} high */
const number = (value, low, high) =>
  typeof value === "number" && Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : undefined;

/** @param {any} value @param {number} low @param {number} high @returns {string | undefined} */
function pixels(value, low, high) {
  const size = number(value, low, high);
  return size === undefined ? undefined : `${size}px`;
}

/** @param {any} value @param {{[word: string]: string}} words @returns {string | undefined} */
const word = (value, words) => Object.hasOwn(words, String(value)) ? words[String(value)] : undefined;

/** The first value of several keys. @param {any} from @param {...string} keys @returns {any} */
const first = (from, ...keys) => keys.map((key) => from?.[key]).find((value) => value !== undefined && value !== null);

const directions = {
  vertical: "to bottom",
  horizontal: "90deg",
  diagonal_tl_br: "135deg",
  diagonal_tr_bl: "225deg",
};

/** The colours of a gradient, at least two. @param {any} list @returns {Color[] | undefined} */
function stops(list) {
  const colors = (Array.isArray(list) ? list : []).slice(0, 8).map((stop) => parseColor(stop?.color ?? stop)).filter(
    (color) => color !== undefined,
  );
  return colors.length > 1 ? colors : undefined;
}

/** @param {Color[]} colors @param {string} direction */
const linear = (colors, direction) => `linear-gradient(${direction}, ${colors.map(cssColor).join(", ")})`;

/**
 * A gradient in the syntax of style sheets; undefined if the values are no gradient.
 * @param {any} list
 * @param {any} direction
 */
export function gradient(list, direction) {
  const colors = stops(list);
  return colors && linear(colors, word(direction, directions) ?? "to bottom");
}

/**
 * The background of a block: its colours, and the CSS that draws them.
 * @param {any} style
 * @returns {{colors: Color[], css: string} | undefined}
 */
function groundOf(style) {
  const given = first(style, "background_gradient", "gradient", "background", "background_color");
  const colors = typeof given === "object"
    ? stops(first(given, "colors", "stops") ?? [given?.start, given?.end])
    : stops(style?.gradient_colors);
  if (colors) {
    const angle = number(first(given, "angle"), -360, 360);
    const words = word(first(given, "direction", "gradient_direction") ?? style?.gradient_direction, directions);
    return { colors, css: linear(colors, angle === undefined ? words ?? "to bottom" : `${angle}deg`) };
  }
  const color = parseColor(typeof given === "string" ? given : first(given, "color") ?? style?.background_color);
  return color && color[3] > 0 ? { colors: [color], css: cssColor(color) } : undefined;
}

/** The average colour of a background, as visible over another colour. @param {Color[]} colors @param {Color} under */
const middle = (colors, under) =>
  colors.map((color) => flatten(color, under)).reduce((sum, color, index) => mix(color, sum, 1 / (index + 1)));

/** @param {any} style @param {string} name @param {number} low @returns {Properties} */
function sides(style, name, low) {
  const given = style[name];
  const all = number(given, low, 200);
  const list = Array.isArray(given) ? given : [];
  const [top = all, end = top, bottom = top, start = end] = list;
  const side = (/** @type {unknown} */ value, /** @type {string[]} */ ...keys) =>
    pixels(first(given, ...keys) ?? first(style, ...keys.map((key) => `${name}_${key}`)) ?? value, low, 200);
  return {
    [`${name}-block-start`]: side(top, "top", "vertical", "y"),
    [`${name}-block-end`]: side(bottom, "bottom", "vertical", "y"),
    [`${name}-inline-start`]: side(start, "left", "leading", "start", "horizontal", "x"),
    [`${name}-inline-end`]: side(end, "right", "trailing", "end", "horizontal", "x"),
  };
}

/** @param {any} style @returns {Properties} */
function border(style) {
  const given = style.border;
  const parts = typeof given === "string" ? /^(\d+)(?:px)? (solid|dashed|dotted) (#[\da-f]{3,8})$/i.exec(given) : null;
  const color = parseColor(parts?.[3] ?? first(given, "color") ?? style.border_color ?? given);
  const width = number(Number(parts?.[1] ?? first(given, "width") ?? style.border_width ?? (color ? 1 : NaN)), 0, 16);
  if (!color || !width) return {};
  const line = word(parts?.[2] ?? first(given, "style") ?? style.border_style, { dashed: "dashed", dotted: "dotted" });
  return { border: `${width}px ${line ?? "solid"} ${cssColor(color)}` };
}

const shadows = { small: "0 1px 3px", medium: "0 4px 14px", large: "0 12px 36px" };

/** @param {any} shadow @returns {string | undefined} */
function shadowOf(shadow) {
  if (typeof shadow === "object" && shadow !== null) {
    const color = parseColor(shadow.color) ?? [0, 0, 0, number(shadow.opacity, 0, 1) ?? 0.2];
    const size = (/** @type {unknown} */ value, /** @type {number} */ low) => pixels(value, low, 100) ?? "0px";
    const [x, y] = [first(shadow, "x", "offset_x"), first(shadow, "y", "offset_y")].map((value) => size(value, -100));
    return `${x} ${y} ${size(first(shadow, "blur", "radius"), 0)} ${size(shadow.spread, -100)} ${
      cssColor(/** @type {Color} */ (color))
    }`;
  }
  const size = shadow === true ? "medium" : { sm: "small", md: "medium", lg: "large" }[String(shadow)] ?? shadow;
  const known = word(size, shadows) ??
    (typeof shadow === "number" && shadow > 0 ? `0 2px ${number(shadow, 0, 60)}px` : undefined);
  return known && `${known} rgb(0 0 0 / .18)`;
}

/** @param {API.Part} block @param {BlockContext} context the context of the content in the block */
export function within(block, context) {
  const ground = groundOf(block.block_style);
  return ground ? { ...context, ground: () => middle(ground.colors, context.ground()) } : context;
}

/** @param {HTMLElement} element @param {any} style @param {BlockContext} context */
function box(element, style, { paint, accent, ground: under }) {
  const ground = groundOf(style);
  const radius = pixels(first(style, "radius", "corner_radius", "border_radius"), 0, 200);
  paint.live(element, () => ({
    ...sides(style, "padding", 0),
    ...sides(style, "margin", -40),
    ...border(style),
    "border-radius": radius,
    "box-shadow": shadowOf(style.shadow),
    opacity: number(style.opacity, 0, 1)?.toString(),
    ...(ground ? onGround(ground, under(), accent()) : {}),
  }));
  if (ground) element.classList.add("grounded");
  if (radius) element.classList.add("rounded");
}

/** @param {{colors: Color[], css: string}} ground @param {Color} under @param {Color | undefined} accent @returns {Properties} */
function onGround({ colors, css }, under, accent) {
  const seen = colors.map((color) => flatten(color, under));
  const ink = inkOn(...seen);
  const base = middle(colors, under);
  return {
    background: css,
    color: "var(--_text)",
    "--_background": cssColor(base),
    "--_text": cssColor(ink),
    "--_muted": cssColor(seen.length > 1 ? ink : readable(mix(ink, base, 0.75), base, 4.6)),
    "--_border": cssColor(readable(mix(ink, base, 0.5), base, 3)),
    "--_link": cssColor(ink),
    ...(accent ? accented(readable(accent, base, 3)) : {}),
  };
}

/** @param {Color} accent @returns {Properties} */
const accented = (accent) => ({ "--_accent": cssColor(accent), "--_accent-text": cssColor(inkOn(accent)) });

const weights = {
  thin: "200",
  light: "300",
  normal: "400",
  regular: "400",
  medium: "500",
  semibold: "600",
  bold: "700",
  heavy: "800",
  black: "900",
};
const alignments = {
  left: "start",
  leading: "start",
  start: "start",
  center: "center",
  right: "end",
  trailing: "end",
  end: "end",
  justify: "justify",
};

/** @param {HTMLElement} element @param {any} style @param {Pick<BlockContext, "paint" | "ground">} context */
function text(element, style, { paint, ground }) {
  const color = parseColor(first(style, "color", "text_color"));
  const size = number(first(style, "font_size", "size"), 9, 72);
  const weight = first(style, "font_weight", "weight");
  const align = word(first(style, "alignment", "text_align", "align"), alignments);
  const isLarge = (size ?? 16) >= 24;
  const targets = element.matches(".bidi, .text") ? [element] : [element, ...element.querySelectorAll(".bidi, .text")];
  for (const target of targets) {
    paint.live(target, () => ({
      color: color ? cssColor(readable(color, ground(), isLarge ? 3 : 4.5)) : undefined,
      "text-align": align,
    }));
  }
  paint.set(element, {
    "font-size": size === undefined ? undefined : `${size / 16}rem`,
    "font-weight": typeof weight === "number" ? String(number(weight, 100, 900)) : word(weight, weights),
    "line-height": number(first(style, "line_height"), 0.8, 3)?.toString(),
    "letter-spacing": pixels(first(style, "letter_spacing"), -4, 20),
    "font-style": style.italic === true || style.font_style === "italic" ? "italic" : undefined,
    "text-transform": word(style.text_transform, {
      uppercase: "uppercase",
      lowercase: "lowercase",
      capitalize: "capitalize",
    }),
    "text-decoration": style.underline === true ? "underline" : undefined,
  });
}

/** @param {HTMLElement} element a button element @param {API.Part} block @param {BlockContext} context */
function pressable(element, block, { paint, ground: under }) {
  const colors = stops(block.gradient_colors);
  const ground = colors
    ? { colors, css: linear(colors, word(block.gradient_direction, directions) ?? "90deg") }
    : groundOf({ background: first(block, "bg_color", "background_color") });
  const color = parseColor(block.text_color);
  paint.live(element, () => {
    const base = ground ? middle(ground.colors, under()) : under();
    const ink = ground ? inkOn(...ground.colors.map((color) => flatten(color, under()))) : undefined;
    return {
      background: ground && `${ground.css} border-box`,
      "border-color": ground ? "transparent" : undefined,
      color: color ? cssColor(readable(color, base)) : ink && cssColor(ink),
      "font-weight": ground ? "600" : undefined,
      "border-radius": pixels(first(block, "button_corner_radius", "corner_radius", "radius"), 0, 60),
      "min-block-size": pixels(first(block, "button_height", "height"), 36, 96),
    };
  });
  const pressed = block.pressed_style;
  if (!pressed) return;
  paint.live(element, () => ({
    scale: number(pressed.scale, 0.85, 1)?.toString(),
    opacity: number(pressed.opacity, 0.5, 1)?.toString(),
    background: groundOf({ background: pressed.bg_color })?.css,
  }), ":active");
}

/** @param {HTMLElement} element a field element @param {any} style @param {BlockContext} context */
function field(element, style, { paint, ground: under }) {
  const ground = groundOf(style);
  paint.live(element, () => {
    const base = ground ? middle(ground.colors, under()) : under();
    const color = (/** @type {unknown} */ text, least = 4.5) => {
      const found = parseColor(text);
      return found && cssColor(readable(found, base, least));
    };
    return {
      "--_background": ground && cssColor(base),
      "--_text": color(style.text_color) ?? (ground && cssColor(inkOn(base))),
      "--_border": color(style.border_color, 3),
      "--_muted": color(style.placeholder_color),
      "--_accent": color(first(style, "fill_color", "toggle_on_color", "focused_border_color"), 3),
      "--_inner": pixels(style.corner_radius, 0, 40),
      "--_line": color(style.track_color, 1),
    };
  });
  for (const label of element.querySelectorAll(".label, .legend")) {
    text(/** @type {HTMLElement} */ (label), { color: style.label_color ?? "none", size: style.label_font_size }, {
      paint,
      ground: under,
    });
    if (ground && !style.label_color) paint.live(label, () => ({ color: cssColor(inkOn(under())) }));
  }
}

/** @param {HTMLElement} element @param {API.Part} block @param {BlockContext} context */
function place(element, block, { paint }) {
  const size = (/** @type {unknown} */ given) => {
    const [, amount, unit] = /^(\d{1,4})(px|%)?$/.exec(String(given ?? "")) ?? [];
    return given === "fill"
      ? "100%"
      : amount
      ? `${Math.min(Number(amount), unit === "%" ? 100 : 1200)}${unit ?? "px"}`
      : undefined;
  };
  const align = word(block.horizontal_align, alignments);
  const [x, y] = [block.horizontal_offset, block.vertical_offset].map((value) => pixels(value, -200, 200));
  const height = size(block.element_height);
  paint.set(element, {
    "inline-size": size(block.element_width),
    "max-inline-size": "100%",
    "min-block-size": height?.endsWith("px") ? height : undefined,
    "margin-inline": word(align, { start: "0 auto", center: "auto", end: "auto 0" }),
    "inset-inline-start": x,
    "inset-block-start": y,
    position: x ?? y ? "relative" : undefined,
  });
}

const entrances = ["fade", "slide_up", "slide_down", "slide_left", "slide_right", "scale", "flip", "bounce"];
const other = { fade_in: "fade", scale_up: "scale", scale_down: "scale" };
const easings = {
  linear: "linear",
  ease: "ease",
  ease_in: "ease-in",
  ease_out: "ease-out",
  ease_in_out: "ease-in-out",
  spring: "cubic-bezier(.34, 1.56, .64, 1)",
};

/** @param {HTMLElement} element @param {any} animation @param {BlockContext} context */
function enter(element, animation, { paint }) {
  const name = word(animation.type, other) ?? (entrances.includes(animation.type) ? animation.type : undefined);
  if (!name) return;
  const time = (
    /** @type {unknown} */ value,
    /** @type {number} */ low,
    /** @type {number} */ high,
    /** @type {number} */ usual,
  ) => number(value, low, high) ?? usual;
  const easing = word(String(animation.easing ?? "").replaceAll("-", "_"), easings) ?? "ease-out";
  const [duration, delay] = [time(animation.duration_ms, 100, 2000, 500), time(animation.delay_ms, 0, 5000, 0)];
  paint.set(element, { animation: `enter-${name} ${duration}ms ${easing} ${delay}ms backwards` });
}

/**
 * Applies the styles of a block.
 * @param {HTMLElement} element the element of the block
 * @param {any} node the content of the element
 * @param {API.Part} block
 * @param {BlockContext} context
 */
export function draw(element, node, block, context) {
  const inner = within(block, context);
  if (block.block_style) box(element, block.block_style, context);
  const isButton = node.matches?.("button");
  if (isButton) pressable(node, block, inner);
  else if (
    ["title", "subtitle", "heading", "text", "rich_text", "settings_footer", "speech_bubble"].includes(block.type)
  ) {
    const style = typeof block.style === "object" ? block.style : block.base_style;
    text(node, { ...block, color: undefined, ...style }, inner);
  } else if (typeof block.title_style === "object") {
    for (const title of node.querySelectorAll(".titled > :first-child")) text(title, block.title_style, inner);
  }
  if (block.field_style && node.matches?.(".question")) field(node, block.field_style, inner);
  place(element, block, context);
  if (block.entrance_animation) enter(element, block.entrance_animation, context);
}

export const css = `
.grounded { --_line: color-mix(in srgb, var(--_text) 24%, var(--_background)); --_soft: color-mix(in srgb, var(--_text) 8%, var(--_background)); --_tint: color-mix(in srgb, var(--_text) 12%, var(--_background)); }
.rounded { overflow: clip; }
.block { backface-visibility: visible; }
@keyframes enter-fade { from { opacity: 0; } }
@keyframes enter-slide_up { from { opacity: 0; transform: translateY(28px); } }
@keyframes enter-slide_down { from { opacity: 0; transform: translateY(-28px); } }
@keyframes enter-slide_left { from { opacity: 0; transform: translateX(40px); } }
@keyframes enter-slide_right { from { opacity: 0; transform: translateX(-40px); } }
@keyframes enter-scale { from { opacity: 0; transform: scale(.8); } }
@keyframes enter-flip { from { opacity: 0; transform: perspective(600px) rotateX(-80deg); } }
@keyframes enter-bounce { from { opacity: 0; transform: translateY(-40px); } 50% { opacity: 1; transform: translateY(8px); } 70% { transform: translateY(-5px); } 85% { transform: translateY(2px); } }
`;
