// What a language tag means, by the browser's tables of CLDR. The daemon's tables mean the same
// (docs/reference/messaging.md#languages).

/** @param {string} tag @returns {Intl.Locale | undefined} undefined for a text that is no language tag */
function localeOf(tag) {
  try {
    return new Intl.Locale(tag.split("@")[0].replaceAll("_", "-"));
  } catch {
    return undefined;
  }
}

/** The tag with present codes, in lower case, without extensions: `he-il` for `iw_IL`. @param {string} tag */
export const canonicalTag = (tag) => (localeOf(tag)?.baseName ?? tag.replaceAll("_", "-")).toLowerCase();

/** The language's code: `he` for `iw-IL`. @param {string} tag */
export const languageOf = (tag) => localeOf(tag)?.language ?? "";

/** The script that the tag names, or the usual one of its language: `Hant` for `zh-TW`. @param {string} tag */
export const scriptOf = (tag) => localeOf(tag)?.maximize().script ?? "";

/** Whether readers of one language read the other one, in whatever region. @param {string} one @param {string} other */
export const isRead = (one, other) => languageOf(one) === languageOf(other) && scriptOf(one) === scriptOf(other);

const rightToLeft = new Set([
  "Adlm",
  "Arab",
  "Aran",
  "Hebr",
  "Mand",
  "Mend",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
  "Yezi",
]);

/** The direction in which a language is written. @param {string} tag */
export const directionOf = (tag) => rightToLeft.has(scriptOf(tag)) ? "rtl" : "ltr";
