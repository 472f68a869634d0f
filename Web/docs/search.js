// The search of the documents, over the index that Scripts/docs-pages writes. A result is a section of a page. Each
// word of the query is the beginning of a word of the section, of its heading, or of its page's title.

/**
 * The index: pages as [address, title], sections as [page, heading, id], and for each word the numbers of its sections,
 * as differences: "quota 12 3 40". A word without numbers is common: it counts as a word of every section.
 * @typedef {{pages: [string, string][], sections: [number, string, string][], words: string[]}} Index
 */
/** @typedef {{address: string, page: string, heading: string}} Found */

const IN_TEXT = 1;
const IN_TITLE = 4;
const IN_HEADING = 12;

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Whether a text has a word that begins with `start`: 2 if it is the word, 1 if it begins so, otherwise 0. */
const match = (/** @type {string} */ text, /** @type {string} */ start) =>
  Math.max(0, ...wordsOf(text).map((word) => word === start ? 2 : Number(word.startsWith(start))));

/** The points of the sections whose text has the word, or a word that begins so. */
function inText(/** @type {Index} */ index, /** @type {string} */ start) {
  /** @type {Map<number, number>} */
  const points = new Map();
  for (const line of index.words) {
    if (!line.startsWith(start)) continue;
    const [word, ...steps] = line.split(" ");
    if (steps.length === 0) index.sections.forEach((_, at) => points.set(at, points.get(at) ?? 0));
    let section = 0;
    for (const step of steps) {
      section += Number(step);
      points.set(section, Math.max(points.get(section) ?? 0, IN_TEXT * (word === start ? 2 : 1)));
    }
  }
  return points;
}

/** The points of each section for one word; a section without the word is absent. */
function pointsOf(/** @type {Index} */ index, /** @type {string} */ start) {
  const points = inText(index, start);
  const titles = index.pages.map(([, title]) => IN_TITLE * match(title, start));
  index.sections.forEach(([page, heading], section) => {
    const more = IN_HEADING * match(heading, start) + titles[page];
    if (more > 0) points.set(section, (points.get(section) ?? 0) + more);
  });
  return points;
}

/**
 * The sections that have all words of a query, the best first.
 * @param {Index} index @param {string} query @param {number} limit @returns {Found[]}
 */
export function find(index, query, limit) {
  const [first, ...others] = [...new Set(wordsOf(query))].map((word) => pointsOf(index, word));
  if (first === undefined) return [];
  const ranked = [...first]
    .filter(([section]) => others.every((points) => points.has(section)))
    .map(([section, points]) => ({
      section,
      points: others.reduce((sum, other) => sum + (other.get(section) ?? 0), points),
    }))
    .sort((a, b) => b.points - a.points || a.section - b.section);
  return ranked.slice(0, limit).map(({ section }) => {
    const [page, heading, id] = index.sections[section];
    const [address, title] = index.pages[page];
    return { address: heading === title ? address : `${address}#${id}`, page: title, heading };
  });
}
