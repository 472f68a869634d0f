// Metrics of the daemon in Prometheus' text format, and rates from two readings.

/** @typedef {{at: number, sums: Map<string, number>}} Reading `at` in milliseconds; sums by the names below */

/**
 * The displayed values: a metric, and the value of a label that selects its series.
 * @type {[string, string, string?, RegExp?][]}
 */
const wanted = [
  ["requests", "bellwether_requests_total"],
  ["refused", "bellwether_requests_total", "status", /^4/],
  ["failed", "bellwether_requests_total", "status", /^5/],
  ["polls", "bellwether_polls_total"],
  ["events", "bellwether_events_total", "outcome", /^accepted$/],
  ["rejected", "bellwether_events_total", "outcome", /^rejected$/],
];

export const rateNames = wanted.map(([name]) => name);

/** @param {string} text @returns {{name: string, labels: Record<string, string>, value: number}[]} */
export function samples(text) {
  return text.split("\n").flatMap((line) => {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!found) return [];
    const labels = Object.fromEntries(
      [...(found[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
    );
    return [{ name: found[1], labels, value: Number(found[3]) }];
  });
}

/** @param {string} text @param {number} at @returns {Reading} */
export function reading(text, at) {
  const all = samples(text);
  const sums = wanted.map(([name, metric, label, value]) => {
    const own = all.filter((sample) => sample.name === metric && (!label || value?.test(sample.labels[label] ?? "")));
    return /** @type {const} */ ([name, own.reduce((sum, sample) => sum + sample.value, 0)]);
  });
  return { at, sums: new Map(sums) };
}

/**
 * The rate per second between two readings; undefined if the daemon restarted.
 * @param {Reading} before
 * @param {Reading} after
 * @param {string} name
 */
export function rate(before, after, name) {
  const [was, is] = [before.sums.get(name) ?? 0, after.sums.get(name) ?? 0];
  const seconds = (after.at - before.at) / 1000;
  return seconds > 0 && is >= was ? (is - was) / seconds : undefined;
}
