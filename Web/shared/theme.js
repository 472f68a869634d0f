// An app's theme as rules (docs/web.md#theming). The page's own properties have precedence over it.
import { contrast, cssColor, flatten, inkOn, mix, parseColor, readable, white } from "./color.js";

/** @typedef {{[name: string]: string}} Properties */

/** The colours without a theme. @type {{[scheme: string]: any}} */
const defaults = {
  light: { accent: "#1a5fb4", ground: "#ffffff", text: "#1d2430" },
  dark: { accent: "#8ab4f8", ground: "#1b1f27", text: "#eceff4" },
};

/** Whether a text is a list of font names with commas between them. @param {unknown} text */
const isFontStack = (text) => typeof text === "string" && /^[\w \-,'"\u0080-\uFFFF]{1,200}$/.test(text);

/**
 * The colours of a scheme if the theme has any.
 * @param {any} theme
 * @param {"light" | "dark"} scheme
 * @returns {Properties}
 */
function colors(theme, scheme) {
  const own = theme?.[scheme];
  if (!own) return {};
  const find = (/** @type {string} */ name) =>
    parseColor(own[name]) ?? /** @type {import("./color.js").Color} */ (parseColor(defaults[scheme][name]));
  const ground = flatten(find("ground"), white);
  const text = readable(find("text"), ground);
  const accent = readable(find("accent"), ground, 3);
  const error = /** @type {import("./color.js").Color} */ (parseColor(scheme === "light" ? "#b3261e" : "#ffb4ab"));
  return {
    accent: cssColor(accent),
    "accent-text": cssColor(inkOn(accent)),
    // The accent needs more contrast as a text than as a background.
    link: cssColor(readable(accent, ground)),
    background: cssColor(ground),
    text: cssColor(text),
    muted: cssColor(readable(mix(text, ground, 0.72), ground, Math.min(4.6, contrast(text, ground)))),
    border: cssColor(readable(mix(text, ground, 0.5), ground, 3)),
    error: cssColor(readable(error, ground)),
  };
}

/** @param {any} theme @param {string} selector @param {(name: string) => string} nameOf of a property */
function rules(theme, selector, nameOf) {
  const sheet = new CSSStyleSheet();
  const add = (/** @type {string} */ rule) => {
    const added = /** @type {any} */ (sheet.cssRules[sheet.insertRule(rule, sheet.cssRules.length)]);
    return (added.cssRules?.[0] ?? added).style;
  };
  const fill = (/** @type {CSSStyleDeclaration} */ style, /** @type {Properties} */ properties) => {
    for (const [name, value] of Object.entries(properties)) {
      style.setProperty(nameOf(name), `var(--bw-${name}, ${value})`);
    }
  };
  const { radius, font } = theme;
  fill(add(`${selector} {}`), {
    ...colors(theme, "light"),
    ...(radius >= 0 && radius <= 40 ? { radius: `${radius}px` } : {}),
    ...(isFontStack(font) ? { font: `400 1rem/1.45 ${font}` } : {}),
  });
  fill(add(`@media (prefers-color-scheme: dark) { ${selector} {} }`), colors(theme, "dark"));
  return sheet;
}

/** The rules of a view; empty without a theme. @param {any} theme @returns {CSSStyleSheet[]} */
export const viewTheme = (theme) => theme ? [rules(theme, ":host", (name) => `--_${name}`)] : [];

/** The rules of a page that the daemon serves. @param {any} theme @returns {CSSStyleSheet[]} */
export const pageTheme = (theme) => theme ? [rules(theme, ":root", (name) => `--page-${name}`)] : [];
