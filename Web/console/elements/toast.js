// One short message at a time, at the lower start corner. It is announced politely and disappears after ten seconds.

import { h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";

const lifetime = 10_000;
const region = h("div", { class: "toasts", role: "status" });
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

export const toasts = region;

/**
 * @param {string} text
 * @param {{label: string, run: () => void}} [action]
 */
export function toast(text, action) {
  const close = () => region.replaceChildren();
  const button = action && h("button", {
    type: "button",
    class: "button",
    onclick: () => {
      close();
      action.run();
    },
  }, action.label);
  const dismiss = h("button", {
    type: "button",
    class: "button icon-only",
    "aria-label": t("action.close"),
    onclick: close,
  });
  dismiss.append(icon("close"));
  region.replaceChildren(h("div", { class: "toast" }, text, button, dismiss));
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => region.matches(":hover, :focus-within") ? wait() : close(), lifetime);
  };
  wait();
}
