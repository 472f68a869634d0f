// QR codes: bytes, level M, the smallest of the versions 1 to 40 (ISO/IEC 18004). It is loaded on demand.
import { h, svg } from "../../shared/dom.js";

/** The error correction bytes per block at level M, by version. */
const correctionBytes = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26].concat(
  Array(19).fill(28),
);
const blockCounts = [
  ...[1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16],
  ...[17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49],
];
const quietModules = 4;

/** The number of data modules in a version. @param {number} version */
function capacity(version) {
  const aligned = Math.floor(version / 7) + 2;
  const all = (16 * version + 128) * version + 64;
  if (version === 1) return all;
  return all - ((25 * aligned - 10) * aligned - 55) - (version > 6 ? 36 : 0);
}

/** @param {number} version */
function sizes(version) {
  const blocks = blockCounts[version - 1];
  const correction = correctionBytes[version - 1];
  const bytes = Math.floor(capacity(version) / 8);
  return { blocks, correction, bytes, data: bytes - blocks * correction };
}

/** A product in the field of 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/**
 * The remainder of the division by the generator polynomial with this number of bytes.
 * @param {number[]} data
 * @param {number} count
 */
function remainder(data, count) {
  const divisor = Array(count).fill(0);
  divisor[count - 1] = 1;
  for (let index = 0, root = 1; index < count; index += 1, root = times(root, 2)) {
    for (let place = 0; place < count; place += 1) {
      divisor[place] = times(divisor[place], root) ^ (divisor[place + 1] ?? 0);
    }
  }
  const result = Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ /** @type {number} */ (result.shift());
    result.push(0);
    divisor.forEach((value, place) => result[place] ^= times(value, factor));
  }
  return result;
}

/**
 * The codewords of a code: data and error correction, interleaved by block.
 * @param {Uint8Array} text
 * @param {number} version
 */
function codewords(text, version) {
  const { blocks, correction, bytes, data } = sizes(version);
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  put(4, 4);
  put(text.length, version < 10 ? 8 : 16);
  for (const byte of text) put(byte, 8);
  put(0, Math.min(4, data * 8 - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < data * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  const all = Array.from({ length: data }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2));
  const shortBlocks = blocks - bytes % blocks;
  const shortLength = Math.floor(bytes / blocks) - correction;
  let start = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const part = all.slice(start, start += shortLength + (index < shortBlocks ? 0 : 1));
    return { part, check: remainder(part, correction) };
  });
  const inTurns = (/** @type {number[][]} */ lists) =>
    Array.from(
      { length: Math.max(...lists.map((list) => list.length)) },
      (_, place) => lists.flatMap((list) => place < list.length ? [list[place]] : []),
    ).flat();
  return [...inTurns(parts.map(({ part }) => part)), ...inTurns(parts.map(({ check }) => check))];
}

/** The centres of the alignment patterns. @param {number} version */
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => version * 4 + 10 - (count - 2 - index) * step)];
}

/** Bits followed by their remainder. @param {number} value @param {number} generator @param {number} count */
function protectedBits(value, generator, count) {
  let rest = value;
  for (let index = 0; index < count; index += 1) rest = (rest << 1) ^ ((rest >>> (count - 1)) * generator);
  return (value << count) | rest;
}

/** @type {((row: number, column: number) => boolean)[]} */
const masks = [
  (y, x) => (x + y) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (x + y) % 3 === 0,
  (y, x) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (y, x) => (x * y) % 2 + (x * y) % 3 === 0,
  (y, x) => ((x * y) % 2 + (x * y) % 3) % 2 === 0,
  (y, x) => ((x + y) % 2 + (x * y) % 3) % 2 === 0,
];

/**
 * A square of modules with its patterns; free modules are for the data.
 * @param {number} version
 * @param {number} mask
 */
function frame(version, mask) {
  const size = version * 4 + 17;
  /** @type {(boolean | undefined)[][]} */
  const rows = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (/** @type {number} */ y, /** @type {number} */ x, /** @type {boolean} */ isDark) => {
    if (y >= 0 && y < size && x >= 0 && x < size) rows[y][x] = isDark;
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  const square = (/** @type {number} */ y, /** @type {number} */ x, /** @type {number} */ radius, light = [2, 4]) => {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        set(y + dy, x + dx, !light.includes(Math.max(Math.abs(dy), Math.abs(dx))));
      }
    }
  };
  const centres = alignments(version);
  const last = size - 7;
  for (const y of centres) {
    for (const x of centres) {
      const isCorner = (y === 6 && (x === 6 || x === last)) || (y === last && x === 6);
      if (!isCorner) square(y, x, 2, [1]);
    }
  }
  for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(y, x, 4);
  // The bits of level M are 0.
  const format = protectedBits(mask, 0x537, 10) ^ 0x5412;
  const bit = (/** @type {number} */ value, /** @type {number} */ place) => ((value >>> place) & 1) === 1;
  for (let index = 0; index < 15; index += 1) {
    const isDark = bit(format, index);
    if (index < 6) set(index, 8, isDark);
    else if (index < 8) set(index + 1, 8, isDark);
    else set(8, index === 8 ? 7 : 14 - index, isDark);
    if (index < 8) set(8, size - 1 - index, isDark);
    else set(size - 15 + index, 8, isDark);
  }
  set(size - 8, 8, true);
  if (version > 6) {
    const bits = protectedBits(version, 0x1f25, 12);
    for (let index = 0; index < 18; index += 1) {
      const [a, b] = [size - 11 + index % 3, Math.floor(index / 3)];
      set(b, a, bit(bits, index));
      set(a, b, bit(bits, index));
    }
  }
  return rows;
}

/** The penalty for runs, squares, false finder patterns and imbalance; lower is better. @param {boolean[][]} rows */
function penalty(rows) {
  const size = rows.length;
  let points = 0;
  for (const lines of [rows, rows.map((_, x) => rows.map((row) => row[x]))]) {
    for (const line of lines) {
      const text = line.map(Number).join("");
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
      points += 40 * [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
    }
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const here = rows[y][x];
      if (here === rows[y - 1][x] && here === rows[y][x - 1] && here === rows[y - 1][x - 1]) points += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length;
  return points + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size));
}

/**
 * The modules of a text, row by row: true is dark.
 * @param {string} text
 * @returns {boolean[][] | null} null if the text has more than 2,331 bytes
 */
export function matrix(text) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (version <= 40 && sizes(version).data * 8 < 4 + (version < 10 ? 8 : 16) + bytes.length * 8) version += 1;
  if (version > 40) return null;
  const words = codewords(bytes, version);
  const drawn = masks.map((isFlipped, mask) => {
    const rows = frame(version, mask);
    let place = 0;
    for (let right = rows.length - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      const isUpward = ((right + 1) & 2) === 0;
      for (let step = 0; step < rows.length; step += 1) {
        const y = isUpward ? rows.length - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (rows[y][x] !== undefined) continue;
          const isDark = (((words[place >>> 3] ?? 0) >>> (7 - (place & 7))) & 1) === 1;
          rows[y][x] = isDark !== isFlipped(y, x);
          place += 1;
        }
      }
    }
    return /** @type {boolean[][]} */ (rows);
  });
  const points = drawn.map(penalty);
  return drawn[points.indexOf(Math.min(...points))];
}

/** The code as a picture, always dark on light because cameras expect it; null if the text is too long. @param {string} text */
export function picture(text) {
  const rows = matrix(text);
  if (!rows) return null;
  const size = rows.length + 2 * quietModules;
  const path = rows.flatMap((row, y) =>
    row.map((isDark, x) => isDark ? `M${x + quietModules} ${y + quietModules}h1v1h-1z` : "")
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `QR code: ${text}`, "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: path.join(""), fill: "#000" }),
  );
}

const style = `
  dialog.qr button { font: inherit; min-height: 44px; padding: 8px 18px; border-radius: 12px; border: 1px solid; background: none; color: inherit; cursor: pointer; }
  dialog.qr { border: 0; border-radius: 20px; padding: 24px; max-width: min(24rem, 100vw - 16px); box-sizing: border-box; background: Canvas; color: CanvasText; text-align: center; }
  dialog.qr svg { width: 100%; border-radius: 12px; forced-color-adjust: none; }
  dialog.qr p { margin: 16px 0; overflow-wrap: anywhere; }
`;

/** Shows the QR code of an address over the page. @param {string} address */
export function show(address) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  const others = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [...others, sheet];
  const dialog = h("dialog", { class: "qr", "aria-label": "QR code" });
  dialog.append(
    picture(address) ?? "",
    h("p", {}, h("a", { href: address }, address)),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    document.adoptedStyleSheets = others;
  });
  document.body.append(dialog);
  dialog.showModal();
}
