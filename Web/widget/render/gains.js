// The items of a value proposition.
import { h } from "../../shared/dom.js";
import { iconOf } from "./controls.js";
import { tick } from "./elements.js";

/** @param {any} item an item of a value proposition: an object, or only its title */
export function gain(item) {
  const entry = typeof item === "object" && item !== null ? item : { title: String(item) };
  const icon = iconOf(entry.icon ?? entry.image_url);
  return h(
    "li",
    { part: "item" },
    h("span", { class: "tile", "aria-hidden": "true" }, icon ?? tick()),
    h(
      "span",
      {},
      h("strong", { class: "bidi" }, entry.title ?? entry.text ?? entry.label ?? ""),
      entry.subtitle ?? entry.description
        ? h("span", { class: "muted bidi" }, entry.subtitle ?? entry.description)
        : null,
    ),
  );
}
