// Content blocks of a flow (docs/reference/flows.md#blocks, docs/web.md#what-is-drawn). A part of the renderer. A block
// that a browser cannot show shows its poster, its text or nothing. An unknown block shows nothing.
import { safeColor } from "../../shared/color.js";
import { h, safeImage, safeUrl } from "../../shared/dom.js";
import { iconOf } from "../render/controls.js";
import { button, meter, tick } from "../render/elements.js";
import { first, picture, pixels, shareOf, textOf, titled } from "./common.js";
import { markdown } from "./markdown.js";
import { providers } from "./providers.js";

export { css } from "./blocks_style.js";

/** @typedef {import("./common.js").BlockRenderer} BlockRenderer */
/** @typedef {import("./common.js").BlockContext} BlockContext */

/** @param {string} tag @param {string} [className] @returns {BlockRenderer} */
const paragraph = (tag, className) => (block) =>
  h(tag, { class: `text bidi ${className ?? ""}`.trim() }, textOf(block));

/** @type {BlockRenderer} */
const heading = (block) => {
  const level = Math.min(6, Math.max(1, Math.round(Number(block.level ?? 2)) || 2));
  return h(level > 3 ? "h4" : "h3", { class: `bidi level-${level}` }, textOf(block));
};

/** @type {BlockRenderer} */
function image(block, { paint }) {
  const element = picture(first(block, "url", "image_url"), block.alt);
  return element && paint.set(element, {
    "border-radius": pixels(first(block, "radius", "corner_radius"), 0, 200),
    "block-size": pixels(block.height, 16, 800),
    "object-fit": typeof block.height === "number" ? "cover" : undefined,
    "inline-size": typeof block.height === "number" ? "100%" : undefined,
    "margin-inline": "auto",
  });
}

/** An animation needs a separate player, so its poster or its alternative text is shown. @type {BlockRenderer} */
const animation = (block) =>
  picture(first(block, "poster", "poster_url", "thumbnail"), block.alt) ??
    (block.alt ? h("p", { class: "muted bidi" }, block.alt) : null);

/** @type {BlockRenderer} */
function list(block) {
  const style = block.list_style ?? block.style;
  const isNumbered = style === "numbered";
  return h(
    isNumbered ? "ol" : "ul",
    { class: `list ${style === "check" ? "checks" : ""}`.trim(), role: "list" },
    (block.items ?? []).map((item, /** @type {number} */ index) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "bullet", "aria-hidden": "true" },
          iconOf(item?.icon) ?? (style === "check" ? tick() : isNumbered ? `${index + 1}.` : "•"),
        ),
        titled(item),
      )
    ),
  );
}

/** @param {API.Part} block @param {BlockContext} context */
const children = (block, context) => renderBlocks(block.children ?? block.items ?? [], context);

/** @type {BlockRenderer} */
function video(block, { paint }) {
  const source = safeUrl(first(block, "url", "video_url"));
  if (!source) return null;
  const stays = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const element = h("video", {
    src: source,
    poster: safeImage(first(block, "thumbnail", "video_thumbnail_url")),
    controls: block.controls !== false,
    loop: block.loop,
    playsinline: true,
    part: "video",
    "aria-label": block.alt,
  });
  element.muted = block.muted === true || block.autoplay === true;
  element.autoplay = block.autoplay === true && !stays;
  return paint.set(element, {
    "block-size": pixels(first(block, "height", "video_height"), 64, 800),
    "object-fit": "cover",
    "border-radius": pixels(first(block, "corner_radius", "video_corner_radius"), 0, 200),
  });
}

/** @type {BlockRenderer} */
function pressable(block, { press }) {
  const kind = { primary: "primary", text: "plain", link: "plain" }[String(block.variant)] ?? "";
  const element = button(textOf(block), kind, () => press(block));
  element.classList.add("wide");
  if (block.variant === "secondary") element.classList.add("soft");
  return element;
}

/** The position of a step in the flow. @type {BlockRenderer} */
function indicator(block, { position, texts, paint }) {
  const total = Math.min(24, Math.max(1, Number(first(block, "dot_count", "total") ?? position.total) || 1));
  const index = Number(first(block, "active_index", "current") ?? position.index) || 0;
  const isBar = [block.style, block.variant].includes("bar");
  const label = texts.get("step", { n: index + 1, total });
  const element = meter({ index, total, style: isBar ? "segmented_bar" : "dots", label }, paint);
  return paint.set(element, {
    "--_accent": safeColor(block.active_color),
    "--_border": safeColor(block.inactive_color),
    "--_line": isBar ? safeColor(block.inactive_color) : undefined,
    gap: pixels(block.dot_spacing, 2, 40),
    "justify-content": { left: "start", right: "end" }[String(block.alignment)],
  });
}

/** @type {BlockRenderer} */
function progressBar(block, context) {
  const { paint, texts } = context;
  const share = shareOf(block, context);
  const label = block.label ?? texts.get("progressBar");
  const percent = `${Math.round(share * 100)} %`;
  const isSegmented = first(block, "progress_variant", "variant") === "segmented";
  const total = isSegmented ? Math.min(24, Math.max(2, Number(block.total_segments ?? 5) || 5)) : 1;
  const filled = isSegmented && typeof block.filled_segments === "number" ? block.filled_segments / total : share;
  const bar = meter({ index: 0, total, share: filled, style: isSegmented ? "segmented_bar" : undefined, label }, paint);
  bar.setAttribute("aria-valuetext", percent);
  const gradient = context.part("look")?.gradient(block.fill_gradient, "horizontal");
  const fill = gradient ?? safeColor(first(block, "fill_color", "bar_color"));
  paint.set(bar, {
    "block-size": pixels(first(block, "height", "bar_height"), 2, 60),
    "border-radius": pixels(block.corner_radius, 0, 30),
    background: isSegmented ? undefined : safeColor(block.track_color),
    "--_line": isSegmented ? safeColor(block.track_color) : undefined,
    gap: pixels(block.segment_gap, 0, 20),
  });
  for (const element of isSegmented ? bar.querySelectorAll(".done") : bar.children) {
    paint.set(element, { background: fill });
  }
  const says = block.label || block.show_label === true || block.show_percentage === true;
  return h(
    "div",
    { class: "bar" },
    says
      ? h(
        "p",
        { class: "caption", "aria-hidden": "true" },
        h("span", { class: "bidi" }, block.label ?? ""),
        h("span", { class: "muted" }, percent),
      )
      : null,
    bar,
  );
}

/** @type {BlockRenderer} */
function customView(block, { findView, texts }) {
  const render = findView(block.view_key ?? block.id);
  const element = h("div", { part: "custom" });
  if (render) render({ element, block, config: block.custom_config ?? {}, texts });
  else {
    const shown = picture(block.placeholder_image_url, "");
    const text = block.placeholder_text ?? textOf(block);
    if (shown) element.append(shown);
    if (text) element.append(h("p", { class: "bidi" }, text));
  }
  return element;
}

/** The daemon adds the answers in words. @type {BlockRenderer} */
const summary = ({ answers = [] }) =>
  h(
    "dl",
    { class: "summary-list" },
    answers.map((/** @type {{question: string, answer: string}} */ { question, answer }) =>
      h("div", {}, h("dt", { class: "muted bidi" }, question), h("dd", { class: "bidi" }, answer))
    ),
  );

/**
 * A container of blocks in a row or a column.
 * @param {API.Part} block
 * @param {BlockContext} context
 * @param {boolean} isRow
 */
function container(block, context, isRow) {
  const { paint } = context;
  const isHorizontal = isRow && block.direction !== "vertical";
  const words = {
    equal: "stretch",
    fill: "stretch",
    space_between: "space-between",
    space_around: "space-around",
    space_evenly: "space-evenly",
    start: "start",
    center: "center",
    end: "end",
  };
  const distribution = String(first(block, "distribution", "justify") ?? "").replaceAll("-", "_");
  const known = Reflect.get(words, distribution);
  const sides = {
    start: "start",
    center: "center",
    end: "end",
    top: "start",
    bottom: "end",
    leading: "start",
    trailing: "end",
    stretch: "stretch",
  };
  const element = h("div", {
    class: isHorizontal
      ? `line-up ${distribution === "equal" ? "equal" : distribution === "fill" ? "fill" : ""}`
      : "pile",
  }, children(block, context));
  return paint.set(element, {
    "justify-content": known,
    "align-items": Reflect.get(sides, String(first(block, "align_items", "alignment") ?? "")),
    gap: pixels(first(block, "gap", "spacing"), 0, 80),
    "flex-wrap": block.wrap === false ? "nowrap" : undefined,
  });
}

/** The strength of a password from 0 to 4, by its length and kinds of characters. @param {string} text */
function strength(text) {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(text)).length;
  const varied = new Set(text).size > 4 ? 1 : 0;
  if (text === "") return 0;
  return Math.max(
    1,
    Math.min(4, (text.length >= 8 ? 1 : 0) + (text.length >= 12 ? 1 : 0) + (kinds > 2 ? 1 : 0) + varied),
  );
}

/** Shows the strength of the step's password. @type {BlockRenderer} */
function passwordStrength(block, { texts, paint, watch }) {
  const names = ["", "weak", "fair", "good", "strong"];
  const label = block.label ?? texts.get("passwordStrength");
  const says = h("span", { class: "muted", role: "status" });
  const place = h("div", {});
  watch((answers, /** @type {string} */ password) => {
    const points = strength(String((block.field_id ? answers[block.field_id] : password) ?? ""));
    const total = 4;
    const bar = meter({ index: points - 1, total, share: points / total, style: "segmented_bar", label }, paint);
    const word = points > 0 ? texts.get(names[points]) : "";
    bar.setAttribute("role", "meter");
    bar.setAttribute("aria-valuetext", word || texts.get("noAnswer"));
    place.replaceChildren(bar);
    says.textContent = word;
  });
  return h("div", { class: "bar" }, h("p", { class: "caption" }, h("span", { class: "bidi" }, label), says), place);
}

/** A text with a sign before it. @param {string} className @param {string} sign @returns {BlockRenderer} */
const notice = (className, sign) => (block) =>
  h(
    "div",
    { class: `notice ${className}`, role: "note" },
    h("span", { class: "sign", "aria-hidden": "true" }, iconOf(block.icon) ?? sign),
    titled(block),
  );

/** @param {API.Part} block @param {BlockContext} context */
const slides = (block, context) =>
  h(
    "div",
    { class: "slides", role: "group", tabindex: "0", "aria-label": textOf(block) || context.texts.get("more") },
    children(block, context),
  );

/** @type {{[type: string]: BlockRenderer}} */
export const types = {
  carousel: slides,
  title: (block, { isTitled }) => paragraph(isTitled ? "h3" : "h2", "level-1")(block, /** @type {any} */ ({})),
  heading,
  subtitle: paragraph("p", "muted lead"),
  text: paragraph("p"),
  rich_text: (block) => markdown(first(block, "markdown", "markdown_content", "text") ?? ""),
  image,
  lottie: animation,
  rive: animation,
  video,
  button: pressable,
  form: (block, { field }) => h("div", {}, (block.fields ?? []).map(field)),
  page_indicator: indicator,
  list,
  progress_bar: progressBar,
  stack: (block, context) => container(block, context, false),
  row: (block, context) => container(block, context, true),
  section_background: (block, context) => h("div", { class: "section" }, children(block, context)),
  custom_view: customView,
  spacer: (block, { paint }) =>
    paint.set(h("div", { class: "gap" }), {
      "block-size": pixels(first(block, "height", "spacer_height", "size"), 0, 400),
    }),
  divider: (block, { paint }) =>
    paint.set(h("hr"), {
      "border-color": safeColor(first(block, "divider_color", "color")),
      "border-block-start-width": pixels(first(block, "divider_thickness", "thickness"), 1, 12),
      "margin-block": pixels(first(block, "divider_margin_y", "margin_y"), 0, 80),
    }),
  badge: (block, { paint }) =>
    paint.set(h("span", { class: "badge bidi" }, block.badge_text ?? textOf(block)), {
      background: safeColor(block.badge_bg_color),
      color: safeColor(block.badge_text_color),
      "border-radius": pixels(block.badge_corner_radius, 0, 40),
    }),
  icon: (block, { paint }) => {
    const icon = iconOf(first(block, "icon", "icon_emoji", "name"));
    return icon
      ? paint.set(h("p", { class: "sign", "aria-hidden": "true" }, icon), {
        "font-size": pixels(first(block, "icon_size", "size"), 12, 160),
        "text-align":
          { left: "start", right: "end", center: "center" }[String(first(block, "icon_alignment", "alignment"))],
      })
      : null;
  },
  media_gallery: (block) =>
    h(
      "div",
      { class: "gallery" },
      (block.items ?? block.images ?? []).map((item) => picture(item?.url ?? item?.image_url ?? item, item?.alt)),
    ),
  warning_banner: notice("warning", "!"),
  password_strength: passwordStrength,
  speech_bubble: (block) => h("p", { class: "speech bidi" }, textOf(block)),
  feedback_panel: notice("good", "✓"),
  summary_screen: summary,
  social_login: providers,
  settings_footer: paragraph("p", "muted footer"),
};

/** The types of blocks that have an answer. */
export const answers = new Set([
  "option_list",
  "wheel_picker",
  "date_wheel_picker",
  "rating",
  "custom_view",
  "toggle",
  "otp_input",
]);

/**
 * @param {any[]} blocks
 * @param {BlockContext} context
 * @returns {Node[]}
 */
export function renderBlocks(blocks, context) {
  return blocks.flatMap((block) => {
    if (typeof block !== "object" || block === null) return [];
    const type = String(block.type);
    const isAsked = (type.startsWith("input_") || answers.has(type)) && (block.field_id ?? block.id) !== undefined;
    const asked = isAsked ? context.field(block) : null;
    const look = context.part("look");
    const inner = look ? look.within(block, context) : context;
    const figures = context.part("figures")?.types ?? {};
    const render = [types, figures].find((known) => Object.hasOwn(known, type))?.[type];
    const node = asked ?? render?.(block, inner) ?? null;
    if (!node) return [];
    const element = h("div", { class: `block of-${type.replace(/\W/g, "")}`, part: `block block-${type}` }, node);
    element.hidden = block.visible === false;
    element.block = block;
    look?.draw(element, node, block, context);
    return [element];
  });
}
