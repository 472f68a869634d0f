// Colours that authors write, and the contrast of a text with its background (WCAG 2.2, 1.4.3).

/** Red, green, blue from 0 to 255, and opacity from 0 to 1. @typedef {[number, number, number, number]} Color */

/** @type {Color} */
export const white = [255, 255, 255, 1];
/** @type {Color} */
export const black = [16, 19, 26, 1];

/**
 * Reads `#RGB` and `#RRGGBB`, both also with opacity, and results of `getComputedStyle`. Other texts are no colours.
 * @param {unknown} text
 * @returns {Color | undefined}
 */
export function parseColor(text) {
  if (typeof text !== "string") return undefined;
  if (text === "transparent") return [0, 0, 0, 0];
  const computed = /^rgba?\((\d+),? (\d+),? (\d+)(?:(?:,| \/) ([\d.]+))?\)$/.exec(text);
  if (computed) {
    const [red, green, blue, alpha = 1] = computed.slice(1).map((part) =>
      part === undefined ? undefined : Number(part)
    );
    return /** @type {Color} */ ([red, green, blue, alpha]);
  }
  if (!/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)) return undefined;
  const digits = text.length < 6 ? [...text.slice(1)].map((digit) => digit + digit) : text.slice(1).match(/../g) ?? [];
  const [red, green, blue, alpha = 255] = digits.map((pair) => parseInt(pair, 16));
  return [red, green, blue, alpha / 255];
}

/** @param {Color} color */
export const cssColor = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha})`;

/** A colour in the syntax of style sheets; undefined for any other text. @param {unknown} text */
export function safeColor(text) {
  const color = parseColor(text);
  return color && cssColor(color);
}

/** @param {Color} over @param {Color} under @param {number} share of the upper colour @returns {Color} */
export const mix = (
  over,
  under,
  share,
) => /** @type {Color} */ ([0, 1, 2].map((index) => Math.round(over[index] * share + under[index] * (1 - share)))
  .concat(1));

/** The visible colour of a colour over a background. @param {Color} over @param {Color} under */
export const flatten = (over, under) => mix(over, under, over[3]);

/** The relative luminance of a colour. @param {Color} color */
function luminance([...parts]) {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21. @param {Color} one @param {Color} other */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Black or white, whichever has the better contrast with all of the backgrounds.
 * @param {Color[]} grounds
 * @returns {Color}
 */
export function inkOn(...grounds) {
  const worst = (/** @type {Color} */ ink) => Math.min(...grounds.map((ground) => contrast(ink, ground)));
  return worst(white) >= worst(black) ? white : black;
}

/**
 * The colour itself if it has enough contrast with the ground, or else a mixture with black or white that has enough.
 * @param {Color} color
 * @param {Color} ground
 * @param {number} [least] the required contrast
 */
export function readable(color, ground, least = 4.5) {
  const ink = inkOn(ground);
  for (let share = 1; share > 0; share -= 0.1) {
    const found = mix(flatten(color, ground), ink, share);
    if (contrast(found, ground) >= least) return found;
  }
  return ink;
}
