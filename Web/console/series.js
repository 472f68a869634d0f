// Scores and means over time, or by round: the lines of a chart from groups of results. Without a page.

/**
 * @typedef {{value: string | number, questions?: API.QuestionResults[], [key: string]: any}} Group
 * @typedef {{name: string, groups: Group[]}} Named the groups of a branch or of a value; the name may be empty
 * @typedef {{at: number | null, low: number | null, high: number | null, count: number | null}} Point null: withheld
 * @typedef {{name: string, points: Map<string, Point>}} Line
 * @typedef {{value: string | number, counts: Map<string | number, number>}} Move a former value, and how many gave which
 *   value after it
 * @typedef {{id: string, title: string, isScore: boolean, lowest: number, highest: number, values: string[],
 *   lines: Line[], hidden: number, moves: Move[]}} Series `hidden`: the number of withheld points
 */

/** What results are grouped by, so that the groups have an order. */
export const spans = ["day", "week", "month", "quarter", "round"];

/** @param {Group} group @param {string} id @returns {API.QuestionResults | undefined} */
const questionIn = ({ questions = [] }, id) => questions.find((question) => question.id === id);

/** @param {API.QuestionResults} question @returns {Point} */
const pointOf = ({ score, average, interval, total_answered: count }) => ({
  at: score ?? average ?? null,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
  count,
});

/** The values of all groups in their order: texts of times sort by time, rounds are numbers. @param {Named[]} all */
function valuesOf(all) {
  const values = [...new Set(all.flatMap(({ groups }) => groups.map(({ value }) => value)))];
  const isNumber = values.every((value) => typeof value === "number");
  return values.sort((left, right) => isNumber ? Number(left) - Number(right) : left < right ? -1 : 1).map(String);
}

/** What a score counts: the groups of its values, from the lowest. */
const groupsOfScore = ["detractors", "passives", "promoters"];

/**
 * The people who answered before, by their former value, from the lowest. Empty if nobody did.
 * @param {API.QuestionResults[]} questions the same question of all groups
 * @param {(string | number)[]} values
 * @returns {Move[]}
 */
function movesOf(questions, values) {
  const all = questions.flatMap(({ moved = [] }) => moved);
  if (all.length === 0) return [];
  return values.map((value) => {
    const counts = new Map();
    for (const { from, to, count } of all) {
      if (from === value) counts.set(to, (counts.get(to) ?? 0) + count);
    }
    return { value, counts };
  });
}

/** How many rose, fell, and stayed. @param {Move[]} moves @returns {{rose: number, fell: number, stayed: number}} */
export function directionsOf(moves) {
  const sums = { rose: 0, fell: 0, stayed: 0 };
  moves.forEach(({ counts }, from) =>
    moves.forEach(({ value }, to) => {
      sums[to > from ? "rose" : to < from ? "fell" : "stayed"] += counts.get(value) ?? 0;
    })
  );
  return sums;
}

/**
 * The lines of each question that has a score or a mean.
 * @param {Named[]} all one for each line
 * @returns {Series[]}
 */
export function seriesOf(all) {
  const asked = all.flatMap(({ groups }) => groups).flatMap(({ questions = [] }) => questions)
    .filter(({ type, buckets }) => type === "nps" || (type === "rating" && buckets));
  const known = new Map(asked.map((question) => [question.id, question]));
  const values = valuesOf(all);
  return [...known.values()].map(({ id, type, title, label }) => {
    const lines = all.map(({ name, groups }) => ({
      name,
      points: new Map(groups.flatMap((group) => {
        const question = questionIn(group, id);
        return question && question.total_answered !== 0 ? [[String(group.value), pointOf(question)]] : [];
      })),
    }));
    const isScore = type === "nps";
    const scale = asked.filter((one) => one.id === id).flatMap(({ buckets }) => buckets.map(({ value }) => value));
    const highest = isScore ? 100 : Math.max(2, ...scale);
    const steps = isScore ? groupsOfScore : Array.from({ length: highest }, (_, place) => place + 1);
    return {
      id,
      title: title || label || id,
      isScore,
      lowest: isScore ? -100 : 1,
      highest,
      values,
      lines,
      hidden: lines.flatMap(({ points }) => [...points.values()]).filter(({ at }) => at === null).length,
      moves: movesOf(asked.filter((one) => one.id === id), steps),
    };
  });
}

/**
 * The parts of a line without a gap: a value without a point, or with a withheld one, ends a part.
 * @param {Series["values"]} values @param {Line["points"]} points
 * @returns {{place: number, point: Point}[][]}
 */
export function runsOf(values, points) {
  /** @type {{place: number, point: Point}[][]} */
  const runs = [[]];
  values.forEach((value, place) => {
    const point = points.get(value);
    if (point && point.at !== null) runs.at(-1)?.push({ place, point });
    else if (point) runs.push([]);
  });
  return runs.filter((run) => run.length > 0);
}
