// The form of a theme (docs/web.md#theming): colours by scheme, corners and fonts.

import { field } from "./field.js";

/** @typedef {import("./message.js").Field} Field */

/** @type {Record<string, Record<string, string>>} The colours of the widget without a theme. */
const colors = {
  light: { accent: "#1a5fb4", ground: "#ffffff", text: "#1d2430" },
  dark: { accent: "#8ab4f8", ground: "#1b1f27", text: "#eceff4" },
};

/** @type {Field[]} */
const fields = Object.entries(colors).flatMap(([scheme, defaults]) =>
  Object.entries(defaults).map(([name, value]) =>
    field("color", `/theme/${scheme}/${name}`, `theme.${scheme}.${name}`, {
      isOptional: true,
      isHalf: true,
      default: value,
    })
  )
);

/** @type {import("./message.js").Section} */
export const theme = {
  label: "theme",
  icon: "sun",
  fields: [
    ...fields,
    field("number", "/theme/radius", "theme.radius", { hint: "theme.radius", isOptional: true, default: 12 }),
    field("text", "/theme/font", "theme.font", { hint: "theme.font", isOptional: true }),
  ],
};
