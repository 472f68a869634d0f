// All commands and addresses by name. Each is registered once, and appears in the palette.

/**
 * @typedef {{sort: "recipe" | "page" | "command", label: string, words: string, icon: string, hint?: string,
 *   isExact?: boolean, run: () => void}} Command
 * `words` are further search terms: a slug, keys. `isExact`: the command was made for the typed text, and is first.
 */

/** The sources of commands; each gets the typed text. @type {Map<string, (typed: string) => Command[]>} */
const sources = new Map();
/** @type {string[]} The labels of used commands, the last used first. */
let used = [];
const maximumFound = 40;
/** @type {(() => void) | undefined} */
let onRegistered;

/** Sets the observer of changed commands, while the palette is open. @param {(() => void) | undefined} observer */
export function observe(observer) {
  onRegistered = observer;
}

/**
 * Registers or replaces a source. Later sources come first: the page's before the console's.
 * @param {string} name
 * @param {(typed: string) => Command[]} source
 */
export function register(name, source) {
  sources.delete(name);
  sources.set(name, source);
  onRegistered?.();
}

/** @param {string} name */
export function unregister(name) {
  sources.delete(name);
}

/**
 * The matching commands, the best first: the beginning of a word, then letters in order, then the last used commands.
 * @param {string} query
 * @returns {Command[]}
 */
export function matches(query) {
  const wanted = fold(query);
  const scored = [...sources.values()].reverse().flatMap((source) => source(query))
    .map((command, order) => ({ command, order, score: score(wanted, command) }))
    .filter(({ score }) => score > 0);
  scored.sort((left, right) =>
    right.score - left.score || recency(left.command) - recency(right.command) || left.order - right.order
  );
  return scored.slice(0, maximumFound).map(({ command }) => ({
    ...command,
    run: () => {
      used = [command.label, ...used.filter((label) => label !== command.label)].slice(0, 20);
      command.run();
    },
  }));
}

/** @param {string} text */
const fold = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();

/** @param {Command} command */
function recency(command) {
  const place = used.indexOf(command.label);
  return place < 0 ? used.length : place;
}

/** @param {string} wanted @param {Command} command @returns {number} 0 if it does not match */
function score(wanted, command) {
  if (command.isExact) return 6;
  if (wanted === "") return 1;
  const label = fold(command.label);
  const all = `${label} ${fold(command.words)}`;
  if (label.startsWith(wanted)) return 5;
  const parts = wanted.split(/\s+/);
  const words = all.split(/[\s\-_/.:“”]+/);
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return 4;
  if (all.includes(wanted)) return 3;
  return parts.every((part) => isSpread(part, all)) && wanted.length > 2 ? 2 : 0;
}

/** Whether a text contains the letters in order. @param {string} letters @param {string} text */
function isSpread(letters, text) {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
