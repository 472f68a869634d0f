// The certainty of numbers: intervals of 95 %, which are the same as the daemon's, and a test of sizes.

/** The quantile of the normal distribution, for 95 %. */
const z = 1.959963984540054;

/**
 * The interval of a share by Wilson's score, for 95 %.
 * @param {number} count
 * @param {number} total
 * @returns {[number, number] | null} null if there is none
 */
export function wilson(count, total) {
  if (!(total > 0) || !(count >= 0) || count > total) return null;
  const share = count / total;
  const scale = 1 + z * z / total;
  const middle = (share + z * z / (2 * total)) / scale;
  const half = z * Math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / scale;
  return [count === 0 ? 0 : middle - half, count === total ? 1 : middle + half];
}

/**
 * @typedef {{value: number, count: number}} Bucket
 * @typedef {{value: number, interval: [number, number] | null, count: number}} Estimate
 */

/**
 * A mean with its adjusted Wald interval (Rocks 2016), within the possible answers: three answers are added for it, a
 * quarter of them at each end of the scale and a half in its middle.
 * @param {Bucket[]} buckets the values of the scale
 * @returns {Estimate | null}
 */
export function mean(buckets) {
  const { count, value } = center(buckets);
  if (count === 0) return null;
  if (count === 1) return { value, interval: null, count };
  const values = buckets.map((bucket) => bucket.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const added = [[low, 0.75], [(low + high) / 2, 1.5], [high, 0.75]].map(([value, count]) => ({ value, count }));
  const all = [...buckets, ...added];
  const { count: total, value: middle } = center(all);
  const squares = all.reduce((sum, bucket) => sum + bucket.count * (bucket.value - middle) ** 2, 0);
  const spread = z * Math.sqrt(squares) / total;
  const interval = within([Math.min(value, middle - spread), Math.max(value, middle + spread)], low, high);
  return { value, interval, count };
}

/** @param {Bucket[]} buckets */
function center(buckets) {
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  return { count, value: buckets.reduce((sum, bucket) => sum + bucket.value * bucket.count, 0) / count };
}

/**
 * The net promoter score, from -100 to 100.
 * @param {number} promoters
 * @param {number} passives
 * @param {number} detractors
 * @returns {Estimate | null}
 */
export function nps(promoters, passives, detractors) {
  return mean([
    { value: 100, count: promoters },
    { value: 0, count: passives },
    { value: -100, count: detractors },
  ]);
}

/**
 * Tests sizes against their planned ratios: the probability of such a deviation by chance (χ²).
 * @param {number[]} counts
 * @param {number[]} ratios
 * @returns {{statistic: number, p: number} | null} null if there is nothing to compare
 */
export function sizes(counts, ratios) {
  const planned = counts.map((count, place) => ({ count, ratio: ratios[place] })).filter(({ ratio }) => ratio > 0);
  const total = planned.reduce((sum, { count }) => sum + count, 0);
  const all = planned.reduce((sum, { ratio }) => sum + ratio, 0);
  if (planned.length < 2 || total === 0) return null;
  const statistic = planned.reduce((sum, { count, ratio }) => {
    const expected = total * ratio / all;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  return { statistic, p: gammaQ((planned.length - 1) / 2, statistic / 2) };
}

/** @param {[number, number]} interval @param {number} low @param {number} high @returns {[number, number]} */
const within = ([from, to], low, high) => [Math.max(low, from), Math.min(high, to)];

/** The upper part of the incomplete gamma function, regularized. @param {number} a @param {number} x */
function gammaQ(a, x) {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - scale * series(a, x) : scale * fraction(a, x);
}

/** @param {number} a @param {number} x */
function series(a, x) {
  let [term, sum] = [1 / a, 1 / a];
  for (let place = 1; place < 500 && Math.abs(term) > Math.abs(sum) * 1e-15; place += 1) {
    term *= x / (a + place);
    sum += term;
  }
  return sum;
}

/** Lentz's continued fraction. @param {number} a @param {number} x */
function fraction(a, x) {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let result = d;
  for (let place = 1; place < 500; place += 1) {
    const an = -place * (place - a);
    b += 2;
    d = 1 / (an * d + b || tiny);
    c = b + an / c || tiny;
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

/** Lanczos' approximation. @param {number} x @returns {number} */
function logGamma(x) {
  const weights = [
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const at = x - 1;
  const sum = weights.reduce((total, weight, place) => total + weight / (at + place + 1), 0.99999999999980993);
  const t = at + weights.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(t) - t + Math.log(sum);
}
