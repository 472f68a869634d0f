// Parts of the renderer that are loaded on demand. Each part has its own file next to the renderer's.
import { isRead, languageOf } from "../../shared/languages.js";

/** @type {Map<string, any>} */
const loaded = new Map();
/** The number of failed loads. A browser caches a failed import, and a new fragment avoids the cached failure. */
let failures = 0;

/** A step that has fields. */
const fields =
  /"fields":\[|"type":"(input_|option_list|wheel_picker|date_wheel_picker|rating|custom_view|toggle|otp_input)/;
/** The members of a step that need a part. @type {{[name: string]: RegExp}} */
const needs = {
  // The look of every step.
  steps: /^/,
  chat: /"type":"interactive_chat"/,
  fields,
  judge: fields,
  pickers: /"type":"(input_)?(wheel_picker|date_wheel_picker|range_slider|color|image_picker|signature|location)"/,
  blocks: /"content_blocks":\[\{/,
  figures:
    /"type":"(pulsing_avatar|timeline|animated_loading|countdown_timer|circular_gauge|star_background|pricing_card|press_hold_confirm|calendar_month)"/,
  look:
    /"(block_style|entrance_animation|style|bg_color|background_color|text_color|font_size|alignment|align|\w+_gradient|gradient_colors|\w+_align|element_\w+|field_style)":/,
};

/**
 * Loads parts, each once. The function throws if a part cannot be loaded, and the next call tries again.
 * @param {string[]} names
 */
export async function loadParts(names) {
  await Promise.all(
    names.filter((name) => !loaded.has(name)).map(async (name) => {
      const address = new URL(failures > 0 ? `${PARTS[name]}#${failures}` : PARTS[name], import.meta.url).href;
      try {
        loaded.set(name, await import(address));
      } catch (error) {
        failures += 1;
        throw error;
      }
    }),
  );
}

/** Loads the parts that steps need. @param {any} steps one step or all steps of a flow */
export function loadPartsOf(steps) {
  const text = JSON.stringify(steps ?? null);
  return loadParts(Object.keys(needs).filter((name) => needs[name].test(text)));
}

/** A loaded part; undefined if it was not needed. @param {string} name @returns {any} */
export const part = (name) => loaded.get(name);

/** The built-in texts of a language: empty for English, and if they cannot be loaded. @param {string} locale */
export async function loadTexts(locale) {
  const language = languageOf(locale);
  const name = `texts_${language}`;
  if (!(name in PARTS) || !isRead(locale, language)) return {};
  await loadParts([name]).catch(() => {});
  return loaded.get(name)?.default ?? {};
}
