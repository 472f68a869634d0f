// Elements that views and parts of the renderer share.
import { h, svg } from "../../shared/dom.js";

/**
 * A button. It stays focusable while it is busy or disabled by `aria-disabled`, and does nothing then.
 * @param {string} text
 * @param {string} kind `primary`, `plain` or empty
 * @param {(event: Event) => any} action
 * @returns {HTMLButtonElement}
 */
export function button(text, kind, action) {
  const element = h("button", { type: "button", class: kind || undefined, part: `button ${kind}`.trim() }, text);
  element.addEventListener("click", async (/** @type {Event} */ event) => {
    if (element.hasAttribute("aria-disabled")) return;
    element.setAttribute("aria-disabled", "true");
    try {
      await action(event);
    } finally {
      element.removeAttribute("aria-disabled");
    }
  });
  return element;
}

/** @param {string} label @param {() => any} action */
export function closeButton(label, action) {
  const element = button("×", "close", action);
  element.setAttribute("aria-label", label);
  return element;
}

/** A button with a back arrow; `label` names its target. @param {string} label @param {() => any} action */
export function backButton(label, action) {
  const element = button("", "back", action);
  element.setAttribute("aria-label", label);
  element.append(
    svg(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", {
        d: "M15 5l-7 7 7 7",
        fill: "none",
        stroke: "currentColor",
        "stroke-width": 2.2,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      }),
    ),
  );
  return element;
}

/**
 * The progress of a respondent.
 * @param {{index: number, total: number, share?: number, style?: string, label: string}} place `share`: of the whole,
 * if the progress is not counted in steps
 * @param {import("./paint.js").Paint} paint
 */
export function meter({ index, total, share, style = "continuous_bar", label }, paint) {
  const isCounted = (style === "segmented_bar" || style === "dots") && total <= 24;
  const now = share ?? (index + 1) / total;
  const done = Math.round(now * total);
  const marks = isCounted
    ? Array.from({ length: total }, (_, place) => {
      const isDone = style === "dots" ? place + 1 === done : place < done;
      return h("span", { class: isDone ? style === "dots" ? "done now" : "done" : undefined });
    })
    : [paint.set(h("span"), { "inline-size": `${Math.round(now * 100)}%` })];
  return h("div", {
    class: `meter ${isCounted ? style === "dots" ? "dots" : "segments" : ""}`.trim(),
    role: "progressbar",
    part: "progress",
    "aria-label": label,
    "aria-valuemin": "0",
    "aria-valuemax": "100",
    "aria-valuenow": Math.round(now * 100),
    "aria-valuetext": label,
  }, marks);
}

export const tick = () =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", {
      d: "M5 12.5l4.5 4.5L19 7.5",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2.6,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );

/** The check mark of a success. */
export const doneMark = () =>
  svg(
    "svg",
    { viewBox: "0 0 48 48", class: "done-mark", "aria-hidden": "true" },
    svg("circle", { cx: 24, cy: 24, r: 22 }),
    svg("path", { d: "M15 24.5l6.5 6.5L33.5 18" }),
  );

/** A heading with a close button next to it. @param {string} text @param {Node | null} [close] */
export function head(text, close) {
  return h("div", { class: "head" }, h("h2", { class: "bidi", part: "title" }, text), close);
}
