// A preview with another theme or without motion, independent of the system. The module replaces the conditions of
// media queries by conditions that always or never hold.

const always = "(min-width: 0px)";
const never = "(max-width: 0px)";
/** The original conditions of media rules. @type {WeakMap<MediaList, string>} */
const written = new WeakMap();
/** @type {Set<CSSStyleSheet>} */
const sheets = new Set();
/** The wanted value of a feature; without an entry, the system's value applies. @type {Map<string, string>} */
const wanted = new Map();

/** @param {string} condition */
function imitated(condition) {
  return condition.replaceAll(
    /\((prefers-color-scheme|prefers-reduced-motion):\s*([\w-]+)\)/g,
    (whole, name, value) => {
      const chosen = wanted.get(name);
      return chosen === undefined ? whole : chosen === value ? always : never;
    },
  );
}

/** @param {CSSStyleSheet | CSSGroupingRule} group */
function apply(group) {
  for (const rule of group.cssRules) {
    if (rule instanceof CSSMediaRule) {
      const condition = written.get(rule.media) ?? rule.media.mediaText;
      written.set(rule.media, condition);
      const text = imitated(condition);
      if (rule.media.mediaText !== text) rule.media.mediaText = text;
    }
    if ("cssRules" in rule) apply(/** @type {CSSGroupingRule} */ (rule));
  }
}

/** Observes each style sheet that is made from now on, and replaces `matchMedia`. */
export function watchSheets() {
  const { replaceSync, insertRule } = CSSStyleSheet.prototype;
  CSSStyleSheet.prototype.replaceSync = function (/** @type {string} */ text) {
    replaceSync.call(this, text);
    sheets.add(this);
    apply(this);
  };
  CSSStyleSheet.prototype.insertRule = function (/** @type {string} */ rule, /** @type {number | undefined} */ place) {
    const index = insertRule.call(this, rule, place);
    sheets.add(this);
    apply(this);
    return index;
  };
  const ask = globalThis.matchMedia.bind(globalThis);
  globalThis.matchMedia = (condition) => ask(imitated(condition));
}

/** @param {{scheme?: string, motion?: string}} look empty: the system's value */
export function imitate({ scheme, motion }) {
  const set = (/** @type {string} */ name, /** @type {string | undefined} */ value) =>
    value ? wanted.set(name, value) : wanted.delete(name);
  set("prefers-color-scheme", scheme);
  set("prefers-reduced-motion", motion);
  document.documentElement.style.setProperty("color-scheme", scheme || "light dark");
  sheets.forEach(apply);
}
