// Mozilla's order of versions (docs/reference/expressions.md#versions), as the daemon has it.

/** The greatest number in a version. */
const greatest = 2n ** 64n - 1n;

/**
 * A part of a version between two dots: number, text, number, rest. Undefined if it is none.
 * @param {string} text
 * @returns {[bigint, string, bigint, string] | undefined}
 */
function partOf(text) {
  if (/[^\0-\x7f]/.test(text)) return undefined;
  if (text === "*") return [greatest, "", 0n, ""];
  const [, major, label, minor, rest] = /^(\d*)([^\d+-]*)(\d*)([^]*)$/.exec(text) ?? [];
  const numbers = [BigInt(major || 0), BigInt(minor || 0)];
  // `2+` is equal to `3pre`, whatever follows.
  if (label === "" && minor === "" && rest.startsWith("+")) {
    return numbers[0] < greatest ? [numbers[0] + 1n, "pre", 0n, ""] : undefined;
  }
  return numbers.every((number) => number <= greatest) ? [numbers[0], label, numbers[1], rest] : undefined;
}

const none = partOf("");

/** The order of two texts by bytes, except that an empty text comes last. @param {string} a @param {string} b */
function orderOfTexts(a, b) {
  if (a === b) return 0;
  if (a === "" || b === "") return a === "" ? 1 : -1;
  return a < b ? -1 : 1;
}

/** @param {NonNullable<typeof none>} a @param {NonNullable<typeof none>} b */
const orderOfParts = (a, b) =>
  a[0] !== b[0]
    ? (a[0] < b[0] ? -1 : 1)
    : orderOfTexts(a[1], b[1]) || (a[2] !== b[2] ? (a[2] < b[2] ? -1 : 1) : orderOfTexts(a[3], b[3]));

/**
 * 1 if the first version is later, -1 if the second one is, else 0; undefined if a text is not a version.
 * @param {string} first
 * @param {string} second
 * @returns {number | undefined}
 */
export function compareVersions(first, second) {
  const [left, right] = [first.split(".").map(partOf), second.split(".").map(partOf)];
  let order = 0;
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [index < left.length ? left[index] : none, index < right.length ? right[index] : none];
    if (!a || !b) return undefined;
    order ||= orderOfParts(a, b);
  }
  return order;
}
