// Rare blocks: animated or counting figures, plans. A part of the renderer.
import { safeColor } from "../../shared/color.js";
import { h, svg } from "../../shared/dom.js";
import { iconOf } from "../render/controls.js";
import { button, tick } from "../render/elements.js";
import { first, picture, pixels, shareOf, textOf, titled } from "./common.js";

export { css } from "./figures_style.js";

/** @typedef {import("./common.js").BlockRenderer} BlockRenderer */
/** @typedef {import("./common.js").BlockContext} BlockContext */

/** Milestones in a column; completed ones have a check mark. @type {BlockRenderer} */
function timeline(block, { paint }) {
  const items = first(block, "items", "timeline_items") ?? [];
  const states = new Set(items.map((/** @type {API.Part} */ item) => item?.status));
  const element = h(
    "ol",
    { class: `timeline ${block.show_line === false ? "loose" : ""} ${block.compact ? "compact" : ""}`, role: "list" },
    items.map((/** @type {API.Part} */ item, /** @type {number} */ index) => {
      const status = states.size > 1 || item?.status
        ? item?.status ?? "upcoming"
        : index === 0
        ? "current"
        : "upcoming";
      const isDone = status === "completed";
      return h(
        "li",
        {
          class: isDone ? "past" : status === "current" ? "now" : undefined,
          "aria-current": status === "current" ? "step" : undefined,
        },
        h("span", { class: "knot", "aria-hidden": "true" }, iconOf(item?.icon) ?? (isDone ? tick() : null)),
        titled(item),
      );
    }),
  );
  return paint.set(element, {
    "--past": safeColor(block.completed_color),
    "--now": safeColor(block.current_color),
    "--next": safeColor(block.upcoming_color),
    "--line": safeColor(block.line_color),
  });
}

/** A ring of which a share is filled. @param {API.Part} block @param {number} share @param {BlockContext} context */
function ring(block, share, { paint }) {
  const width = Math.min(24, Math.max(2, Number(first(block, "stroke_width", "line_width") ?? 10) || 10));
  const radius = 60 - width / 2;
  const length = 2 * Math.PI * radius;
  const circle = (/** @type {string} */ name) =>
    svg("circle", { class: name, cx: 60, cy: 60, r: radius, "stroke-width": width });
  const arc = circle("arc");
  arc.setAttribute("stroke-dasharray", `${length * share} ${length}`);
  paint.set(arc, {
    stroke: safeColor(first(block, "fill_color", "bar_color", "progress_color", "accent_color", "color")),
    "--whole": String(length * share),
  });
  const track = paint.set(circle("track"), { stroke: safeColor(block.track_color) });
  const drawing = svg("svg", { viewBox: "0 0 120 120", "aria-hidden": "true" }, track, arc);
  return { drawing, arc, length };
}

/** @type {BlockRenderer} */
function gauge(block, context) {
  const share = shareOf(block, context);
  const { paint, texts } = context;
  const { drawing, arc } = ring(block, share, context);
  if (block.animate !== false) arc.classList.add("grows");
  const value = first(block, "value", "gauge_value");
  const label = block.label ?? texts.get("progressBar");
  const maximum = Number(block.max_value ?? 100);
  const shown = `${Number(value ?? Math.round(share * 100))}${block.unit ?? (maximum === 100 ? " %" : "")}`;
  const middle = h("strong", {}, shown);
  paint.set(middle, { "font-size": pixels(block.label_font_size, 10, 40) });
  const beside = [block.label, block.sublabel].filter(Boolean);
  return h(
    "div",
    { class: "gauge" },
    h(
      "div",
      {
        class: "ring",
        role: "meter",
        "aria-label": label,
        "aria-valuemin": "0",
        "aria-valuemax": "100",
        "aria-valuenow": Math.round(share * 100),
        "aria-valuetext": shown,
      },
      drawing,
      middle,
    ),
    beside.map((text, index) => h("p", { class: index ? "muted bidi" : "bidi" }, text)),
  );
}

/**
 * The days, hours, minutes and seconds of a countdown.
 * @param {API.Part} block
 * @param {number} rest the remaining seconds
 */
function timeParts(block, rest) {
  const units = [["days", 86400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];
  let left = rest;
  return units.flatMap(([name, size]) => {
    const key = String(name);
    const count = Math.floor(left / Number(size));
    const isShown = block[`show_${key}`] ??
      (key === "minutes" || key === "seconds" || block.duration_seconds >= Number(size));
    if (isShown) left -= count * Number(size);
    return isShown ? [{ key, count }] : [];
  });
}

/** @type {BlockRenderer} */
function countdown(block, context) {
  const { press, paint, texts } = context;
  const duration = Number(block.duration_seconds ?? 0);
  const end = Date.now() + duration * 1000;
  const variant = first(block, "timer_variant", "variant");
  const format = new Intl.NumberFormat(texts.locale, { minimumIntegerDigits: 2 });
  const digits = h("span", { class: "digits" });
  const element = h("div", { class: `countdown ${variant === "flip" ? "flip" : ""}`, role: "timer" }, digits);
  paint.set(element, { "--_accent": safeColor(block.accent_color), "--size": pixels(block.font_size, 12, 72) });
  const round = variant === "circular"
    ? ring({ ...block, fill_color: block.accent_color, stroke_width: 8 }, 1, context)
    : null;
  if (round) element.prepend(round.drawing);
  const line = variant === "bar" ? h("span", { class: "line" }) : null;
  let share = 1;
  if (line) element.append(h("span", { class: "rail", "aria-hidden": "true" }, line));
  const draw = line ? paint.live(line, () => ({ "inline-size": `${share * 100}%` })) : () => {};
  const names = block.labels ?? {};
  const over = () => {
    element.classList.add("over");
    element.replaceChildren(h("span", { class: "bidi" }, block.expired_text ?? "0:00"));
    const action = block.on_expire_action;
    if (action === "hide") element.hidden = true;
    else if (action && action !== "show_expired_text") {
      press({ ...block, action: action === "auto_advance" ? "next" : action });
    }
  };
  const tell = () => {
    const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    if (rest <= 0) return over();
    share = duration > 0 ? rest / duration : 0;
    draw();
    round?.arc.setAttribute("stroke-dasharray", `${round.length * share} ${round.length}`);
    digits.replaceChildren(
      ...timeParts(block, rest).map(({ key, count }) =>
        h(
          "span",
          { class: "unit" },
          h("b", {}, format.format(count)),
          names[key] ? h("small", { class: "bidi" }, names[key]) : null,
        )
      ),
    );
    // The countdown stops when its view is removed.
    setTimeout(() => element.isConnected && tell(), 500);
  };
  setTimeout(tell, 0);
  return element;
}

/** @type {BlockRenderer} */
function loading(block, { press, paint }) {
  const items = first(block, "items", "loading_items") ?? [];
  const duration = Math.min(60_000, Math.max(300, Number(block.total_duration_ms ?? 3000)));
  const variant = first(block, "loading_variant", "variant") ?? (items.length > 0 ? "checklist" : "circular");
  const color = safeColor(block.progress_color);
  const signs = variant === "skeleton"
    ? [h("span", { class: "bone" }), h("span", { class: "bone" }), h("span", { class: "bone" })]
    : variant === "linear"
    ? [paint.set(h("span", { class: "run" }, paint.set(h("span"), { background: color })), {})]
    : variant === "circular"
    ? [paint.set(h("span", { class: "spin" }), { "--_accent": color })]
    : [];
  const rows = items.map((/** @type {API.Part} */ item) =>
    h("li", {}, h("span", { class: "check", "aria-hidden": "true" }, iconOf(item?.icon), tick()), titled(item))
  );
  const element = h(
    "div",
    { class: "loading", role: "status" },
    h("div", { class: "signs", "aria-hidden": "true" }, signs),
    block.text || block.title ? h("p", { class: "bidi" }, textOf(block)) : null,
    rows.length > 0 ? h("ul", { role: "list" }, rows) : null,
  );
  paint.set(element, { "--check": safeColor(first(block, "check_color", "progress_color")) });
  rows.forEach((/** @type {Element} */ row, /** @type {number} */ index) => {
    setTimeout(() => row.classList.add("done"), duration * (index + 1) / rows.length);
  });
  if (block.auto_advance) setTimeout(() => element.isConnected && press({ ...block, action: "next" }), duration);
  return element;
}

/** @type {BlockRenderer} */
const plans = (block, { press, texts }) =>
  h(
    "ul",
    { class: `plans ${block.pricing_layout === "side_by_side" ? "beside" : ""}`.trim(), role: "list" },
    (first(block, "plans", "pricing_plans") ?? []).map((/** @type {API.Part} */ plan) => {
      const name = plan.title ?? plan.name ?? plan.label ?? plan.id;
      const isBest = plan.is_highlighted ?? plan.highlighted ?? false;
      const badge = plan.badge ?? (isBest ? texts.get("popular") : null);
      return h(
        "li",
        { class: isBest ? "best" : undefined },
        badge ? h("span", { class: "flag bidi" }, badge) : null,
        h("strong", { class: "bidi" }, name),
        plan.description ? h("span", { class: "muted bidi" }, plan.description) : null,
        h(
          "span",
          { class: "price bidi" },
          plan.price ?? "",
          plan.period ? h("small", { class: "muted" }, ` / ${plan.period}`) : null,
        ),
        Array.isArray(plan.features)
          ? h(
            "ul",
            { class: "list checks", role: "list" },
            plan.features.map((/** @type {string} */ text) =>
              h(
                "li",
                {},
                h("span", { class: "bullet", "aria-hidden": "true" }, tick()),
                h("span", { class: "bidi" }, textOf(text)),
              )
            ),
          )
          : null,
        button(
          plan.cta_text ?? block.cta_text ?? name,
          isBest ? "primary" : "",
          () => press({ ...block, action: "select_plan", action_value: plan.id }),
        ),
      );
    }),
  );

/** @type {BlockRenderer} */
function avatar(block, { paint }) {
  const rings = Math.min(4, Math.max(1, Number(block.pulse_ring_count ?? 2) || 2));
  const speed = Math.min(5, Math.max(0.2, Number(block.pulse_speed ?? 1) || 1));
  const face = picture(first(block, "image_url", "url"), block.alt) ??
    h("span", { class: "face", "aria-hidden": "true" }, iconOf(block.icon) ?? textOf(block).charAt(0) ?? "");
  const element = h(
    "div",
    { class: "avatar" },
    Array.from({ length: rings }, (_, index) =>
      paint.set(h("span", { class: "pulse" }), {
        "animation-delay": `${(index * 2.4 / rings / speed).toFixed(2)}s`,
        "animation-duration": `${(2.4 / speed).toFixed(2)}s`,
      })),
    face,
  );
  return paint.set(element, {
    "--_accent": safeColor(block.pulse_color),
    "--edge": safeColor(block.border_color),
    "--edge-width": pixels(block.border_width, 0, 12),
    "--size": pixels(first(block, "size", "height"), 40, 240),
  });
}

/** Lights or flakes behind the step, at the same positions each time. @type {BlockRenderer} */
function stars(block, { paint }) {
  const count = { sparse: 18, dense: 70 }[String(block.density)] ?? 36;
  const speed = { slow: 9, fast: 3 }[String(block.speed)] ?? 5;
  const [small, large] = Array.isArray(block.size_range) ? block.size_range.map(Number) : [2, 5];
  const kind = ["sparkles", "dots", "snow", "bokeh"].includes(block.particle_type) ? block.particle_type : "stars";
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const colors = [first(block, "color", "primary_color"), block.secondary_color].map(safeColor);
  const lights = Array.from({ length: count }, (_, index) => {
    const grows = kind === "bokeh" ? 12 : 1;
    const size = Math.min(60, Math.max(1, (small + chance() * (large - small)) * grows || 2));
    return paint.set(h("span"), {
      "inset-inline-start": `${(chance() * 100).toFixed(1)}%`,
      "inset-block-start": `${(chance() * 100).toFixed(1)}%`,
      "inline-size": `${size.toFixed(1)}px`,
      "block-size": `${size.toFixed(1)}px`,
      "animation-delay": `${(-chance() * speed).toFixed(2)}s`,
      "animation-duration": `${(speed * (0.6 + chance() * 0.8)).toFixed(2)}s`,
      background: index % 3 === 0 ? colors[1] ?? colors[0] : colors[0],
    });
  });
  return h("div", { class: `sky ${kind} ${block.fullscreen === false ? "band" : ""}`, "aria-hidden": "true" }, lights);
}

/** A button that is held for a second, or pressed with the keyboard. @type {BlockRenderer} */
function hold(block, { press, texts }) {
  const act = () => press({ ...block, action: block.action ?? "next" });
  let timer = 0;
  const element = h(
    "button",
    { type: "button", class: "hold wide", part: "button" },
    h("span", { class: "bidi" }, textOf(block) || texts.get("hold")),
  );
  const stop = () => {
    clearTimeout(timer);
    element.classList.remove("held");
  };
  element.addEventListener("pointerdown", () => {
    element.classList.add("held");
    timer = setTimeout(act, Math.min(5000, Math.max(300, Number(block.duration_ms ?? 1000))));
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) element.addEventListener(name, stop);
  // A click without a pointer is from the keyboard or a screen reader.
  element.addEventListener("click", (/** @type {MouseEvent} */ event) => event.detail === 0 && act());
  return element;
}

/** @type {BlockRenderer} */
function calendar(block, { texts }) {
  const day = /^\d{4}-\d\d-\d\d/.test(block.date ?? "") ? new Date(`${block.date.slice(0, 10)}T00:00:00Z`) : new Date();
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  const format = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
    new Intl.DateTimeFormat(texts.locale, { timeZone: "UTC", ...options });
  const names = Array.from(
    { length: 7 },
    (_, index) => format({ weekday: "narrow" }).format(Date.UTC(2024, 0, 1 + index)),
  );
  const lead = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const cells = [
    ...names.map((name) => h("span", { class: "muted" }, name)),
    ...Array.from({ length: lead }, () => h("span")),
  ];
  for (let number = 1; number <= days; number++) {
    cells.push(h("span", { class: number === day.getUTCDate() ? "today" : undefined }, number));
  }
  const title = format({ month: "long", year: "numeric" }).format(day);
  return h(
    "div",
    { class: "calendar", role: "img", "aria-label": format({ dateStyle: "long" }).format(day) },
    h("strong", {}, title),
    h("div", { class: "days", "aria-hidden": "true" }, cells),
  );
}

/** @type {{[type: string]: BlockRenderer}} */
export const types = {
  pulsing_avatar: avatar,
  timeline,
  animated_loading: loading,
  countdown_timer: countdown,
  circular_gauge: gauge,
  star_background: stars,
  pricing_card: plans,
  press_hold_confirm: hold,
  calendar_month: calendar,
};
