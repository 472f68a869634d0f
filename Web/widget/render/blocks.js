// Content blocks of a flow (docs/reference/flows.md#blocks). What a browser cannot do shows its poster, its text or
// nothing; an unknown block is nothing.
import { h, safeUrl } from "../../shared/dom.js";
import { markdown } from "./markdown.js";
import { button } from "./shell.js";
import { hasAnswer, iconText } from "./fields.js";

/** @typedef {(block: any, context: BlockContext) => Node | null} BlockRenderer */
/**
 * @typedef {object} BlockContext
 * @property {(field: any) => Node | null} field makes the control of what has an answer
 * @property {(block: any) => any} press what a button does
 * @property {(id: string) => ((view: any) => any) | undefined} findView
 * @property {import("../../shared/i18n.js").Texts} texts
 * @property {{index: number, total: number}} position
 * @property {any} responses of the run, for summaries
 */

/** @param {any} value */
const textOf = (value) => typeof value === "string" ? value : value?.text ?? value?.title ?? value?.label ?? "";

/** @param {string} tag @param {string} [className] @returns {BlockRenderer} */
const paragraph = (tag, className) => (block) =>
  h(tag, { class: `text bidi ${className ?? ""}`.trim() }, textOf(block));

/** @param {any} url @param {any} alt */
function picture(url, alt) {
  const source = safeUrl(url);
  return source ? h("img", { src: source, alt: alt ?? "", part: "image", referrerpolicy: "no-referrer" }) : null;
}

/** An animation that needs a player of its own: its poster, else what it shows in words. @type {BlockRenderer} */
const animation = (block) =>
  picture(block.poster ?? block.poster_url ?? block.thumbnail, block.alt) ??
    (block.alt ? h("p", { class: "muted bidi" }, block.alt) : null);

/** @type {BlockRenderer} */
const items = (block) =>
  h(
    "ul",
    {},
    (block.items ?? []).map((/** @type {any} */ item) =>
      h(
        "li",
        { class: "bidi" },
        iconText(item.icon) ? `${item.icon} ` : null,
        textOf(item),
        item.subtitle ?? item.description
          ? h("span", { class: "muted" }, ` ${item.subtitle ?? item.description}`)
          : null,
      )
    ),
  );

/** @param {any} block @param {BlockContext} context */
const children = (block, context) => renderBlocks(block.children ?? block.items ?? [], context);

/** @type {BlockRenderer} */
function video(block) {
  const source = safeUrl(block.url);
  if (!source) return null;
  const stays = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const element = h("video", {
    src: source,
    poster: safeUrl(block.thumbnail),
    controls: block.controls !== false,
    loop: block.loop,
    playsinline: true,
    part: "video",
    "aria-label": block.alt,
  });
  element.muted = block.muted === true || block.autoplay === true;
  element.autoplay = block.autoplay === true && !stays;
  return element;
}

/** @type {BlockRenderer} */
function meter(block, { texts }) {
  const [value, maximum] = [Number(block.value ?? 0), Number(block.max_value ?? 1)];
  const label = block.label ?? texts.get("progressBar");
  return h(
    "p",
    {},
    h(
      "label",
      {},
      h("span", { class: "bidi" }, `${label} `),
      h("progress", { max: maximum, value: String(Math.min(value, maximum)) }),
    ),
  );
}

/** @type {BlockRenderer} */
function countdown(block, { press }) {
  const end = Date.now() + Number(block.duration_seconds ?? 0) * 1000;
  const output = h("p", { role: "timer", class: "bidi" });
  const tick = () => {
    const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    output.textContent = rest > 0
      ? `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`
      : block.expired_text ?? "0:00";
    // The clock stops with its view.
    if (rest > 0) setTimeout(() => output.isConnected && tick(), 500);
    else if (output.isConnected && block.on_expire_action) press({ ...block, action: block.on_expire_action });
  };
  setTimeout(tick, 0);
  return output;
}

/** @type {BlockRenderer} */
function loading(block, { press }) {
  const list = items(block, /** @type {any} */ ({}));
  const duration = Number(block.total_duration_ms ?? 3000);
  const bar = h("progress", { "aria-label": textOf(block) || "…" });
  const element = h("div", {}, bar, list);
  if (block.auto_advance) setTimeout(() => element.isConnected && press({ ...block, action: "next" }), duration);
  return element;
}

/** @type {BlockRenderer} */
const plans = (block, { press }) =>
  h(
    "ul",
    {},
    (block.plans ?? []).map((/** @type {any} */ plan) =>
      h(
        "li",
        {},
        h("strong", { class: "bidi" }, plan.title ?? plan.name ?? plan.id),
        " ",
        h("span", { class: "bidi" }, plan.price ?? ""),
        " ",
        button(
          plan.cta_text ?? plan.title ?? plan.name ?? plan.id,
          "",
          () => press({ ...block, action: "select_plan", action_value: plan.id }),
        ),
      )
    ),
  );

/** @type {BlockRenderer} */
const providers = (block, { press }) =>
  h(
    "div",
    { class: "actions" },
    (block.providers ?? []).map((/** @type {any} */ provider) => {
      const name = textOf(provider) || provider.type || provider.id;
      return button(
        name,
        "",
        () => press({ ...block, action: "social_login", action_value: provider.type ?? provider.id ?? name }),
      );
    }),
  );

/** @type {BlockRenderer} */
function customView(block, { findView, texts }) {
  const render = findView(block.view_key ?? block.id);
  const element = h("div", { part: "custom" });
  if (render) render({ element, block, config: block.custom_config ?? {}, texts });
  else element.append(h("p", { class: "bidi" }, textOf(block)));
  return element;
}

/** @type {BlockRenderer} */
const summary = (block, { responses }) => {
  const answers = Object.values(responses ?? {}).flatMap((step) => Object.entries(/** @type {any} */ (step)));
  return h(
    "dl",
    {},
    answers.map((
      [key, value],
    ) => [
      h("dt", { class: "bidi" }, key),
      h("dd", { class: "bidi" }, typeof value === "object" ? JSON.stringify(value) : String(value)),
    ]),
  );
};

/** @type {{[type: string]: BlockRenderer}} */
const types = {
  title: paragraph("h3"),
  heading: paragraph("h3"),
  subtitle: paragraph("p", "muted"),
  text: paragraph("p"),
  rich_text: (block) => markdown(block.markdown ?? block.text ?? ""),
  image: (block) => picture(block.url ?? block.image_url, block.alt),
  lottie: animation,
  rive: animation,
  video,
  button: (block, { press }) => h("p", {}, button(textOf(block), "", () => press(block))),
  form: (block, { field }) => h("div", {}, (block.fields ?? []).map(field)),
  page_indicator: (_, { position }) => h("p", { class: "progress" }, `${position.index + 1} / ${position.total}`),
  pulsing_avatar: (block) => picture(block.image_url ?? block.url, block.alt),
  social_login: providers,
  timeline: items,
  list: items,
  animated_loading: loading,
  countdown_timer: countdown,
  progress_bar: meter,
  circular_gauge: meter,
  stack: (block, context) => h("div", {}, children(block, context)),
  row: (block, context) =>
    h("div", { class: block.direction === "vertical" ? undefined : "actions" }, children(block, context)),
  carousel: (block, context) => h("div", {}, children(block, context)),
  section_background: (block, context) => h("div", {}, children(block, context)),
  custom_view: customView,
  pricing_card: plans,
  spacer: () => h("p"),
  divider: () => h("hr"),
  badge: paragraph("p", "muted"),
  icon: (block) =>
    iconText(block.icon ?? block.name) ? h("p", { "aria-hidden": "true" }, block.icon ?? block.name) : null,
  media_gallery: (block) =>
    h(
      "div",
      {},
      (block.items ?? block.images ?? []).map((/** @type {any} */ item) => picture(item.url ?? item, item.alt)),
    ),
  warning_banner: (block) => h("p", { class: "banner bidi", role: "note" }, textOf(block)),
  speech_bubble: (block) => h("p", { class: "banner bidi" }, textOf(block)),
  feedback_panel: (block) => h("p", { class: "banner bidi" }, textOf(block)),
  summary_screen: summary,
  press_hold_confirm: (block, { press }) =>
    h("p", {}, button(textOf(block), "", () => press({ ...block, action: block.action ?? "next" }))),
  settings_footer: paragraph("p", "muted"),
};

/**
 * @param {any[]} blocks
 * @param {BlockContext} context
 * @returns {Node[]}
 */
export function renderBlocks(blocks, context) {
  return blocks.flatMap((block) => {
    if (typeof block !== "object" || block === null) return [];
    const type = String(block.type);
    const asked = hasAnswer(type) && (block.field_id ?? block.id) !== undefined ? context.field(block) : null;
    const node = asked ?? (Object.hasOwn(types, type) ? types[type](block, context) : null);
    if (!node) return [];
    const element = h("div", { class: "block", part: `block block-${type}` }, node);
    element.hidden = block.visible === false;
    element.block = block;
    return [element];
  });
}
