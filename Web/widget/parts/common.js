// The functions that renderers of blocks share.
import { h, safeImage } from "../../shared/dom.js";

/** @typedef {(block: API.Part, context: BlockContext) => Node | null} BlockRenderer */
/**
 * @typedef {object} BlockContext
 * @property {(field: any) => Node | null} field makes the control of a block with an answer
 * @property {(listener: (answers: any, password: string) => void) => void} watch told of the answers on the screen, and of the first password
 * @property {(block: any) => any} press runs the action of a button
 * @property {(id: string) => ((view: any) => any) | undefined} findView
 * @property {import("../render/paint.js").Paint} paint
 * @property {((name: string) => any)} part a loaded part of the renderer
 * @property {() => import("../../shared/color.js").Color} ground the background of the blocks
 * @property {() => import("../../shared/color.js").Color | undefined} accent of the app; undefined: it cannot be read
 * @property {import("../../shared/i18n.js").Texts} texts
 * @property {{index: number, total: number}} position
 * @property {boolean} isTitled whether the step has a heading above its blocks
 */

/** @param {any} value */
export const textOf = (value) => typeof value === "string" ? value : value?.text ?? value?.title ?? value?.label ?? "";

/** @param {any} value @param {number} low @param {number} high @returns {string | undefined} */
export const pixels = (value, low, high) =>
  typeof value === "number" ? `${Math.min(high, Math.max(low, value))}px` : undefined;

/** The first value of several keys of a block. @param {API.Part} block @param {...string} keys @returns {any} */
export const first = (block, ...keys) =>
  keys.map((key) => block[key]).find((value) => value !== undefined && value !== null);

/**
 * The share of a whole: the block's own value, or else the progress of the flow.
 * @param {API.Part} block
 * @param {BlockContext} context
 */
export function shareOf(block, { position }) {
  const value = Number(first(block, "value", "progress_value", "gauge_value") ?? NaN);
  if (!Number.isFinite(value)) return (position.index + 1) / position.total;
  const maximum = Number(block.max_value ?? (block.type === "circular_gauge" ? 100 : 1)) || 1;
  return Math.min(1, Math.max(0, value / (maximum === 1 && value > 1 ? 100 : maximum)));
}

/** @param {any} url @param {any} alt @param {string} [className] */
export function picture(url, alt, className) {
  const src = safeImage(url);
  return src ? h("img", { src, alt: alt ?? "", class: className, part: "image", referrerpolicy: "no-referrer" }) : null;
}

/** An item's title, and the text below it. @param {any} item */
export const titled = (item) => {
  const below = item?.subtitle ?? item?.description;
  return h(
    "span",
    { class: "titled" },
    h("span", { class: "bidi" }, textOf(item)),
    below ? h("span", { class: "muted bidi" }, below) : null,
  );
};
