// How sure a number is.

/** The quantile of the normal distribution, for 95 %. */
const z = 1.959964;

/**
 * The interval of a share by Wilson's score, for 95 %.
 * @param {number} count
 * @param {number} total
 * @returns {[number, number] | null} null: there is none
 */
export function wilson(count, total) {
  if (!(total > 0) || !(count >= 0) || count > total) return null;
  const share = count / total;
  const scale = 1 + z * z / total;
  const middle = (share + z * z / (2 * total)) / scale;
  const half = z * Math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / scale;
  return [count === 0 ? 0 : middle - half, count === total ? 1 : middle + half];
}
