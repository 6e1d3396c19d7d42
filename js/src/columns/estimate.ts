/** The estimate of the size of bytes after compression (spec/columns.md section 6.3). */

const HASH_BITS = 14;
const FACTOR = 2654435761 | 0;
const MAX_DISTANCE = 32768;
const MAX_MATCH = 258;

/** Where each hash was last, as {@link passed} + position + 1. */
const last: Int32Array = /* @__PURE__ */ new Int32Array(1 << HASH_BITS);
/** What was added to positions in earlier calls, so that the table needs no clearing. */
let passed = 0;

const literals: Int32Array = /* @__PURE__ */ new Int32Array(256);

/** Returns E of the bytes from `start` to `end`. */
export function estimate(bytes: Uint8Array, view: DataView, start: number, end: number): number {
  if (passed > 0x7fffffff - end - 1) {
    last.fill(0);
    passed = 0;
  }
  literals.fill(0);
  const base = passed + 1;
  let bits = 0;
  let i = start;
  while (i + 4 <= end) {
    const word = view.getInt32(i, true);
    const hash = Math.imul(word, FACTOR) >>> (32 - HASH_BITS);
    const c = (last[hash] as number) - base;
    last[hash] = base + i;
    if (c < start || i - c > MAX_DISTANCE || view.getInt32(c, true) !== word) {
      const byte = word & 0xff;
      literals[byte] = (literals[byte] as number) + 1;
      i++;
      continue;
    }
    const most = Math.min(MAX_MATCH, end - i);
    let length = 4;
    while (length < most && bytes[i + length] === bytes[c + length]) length++;
    bits += 7 + (32 - Math.clz32(i - c)) + ((32 - Math.clz32(length)) >> 1);
    i += length;
  }
  for (; i < end; i++) {
    const byte = bytes[i] as number;
    literals[byte] = (literals[byte] as number) + 1;
  }
  passed = base + end;
  return Math.floor((literalBits() + bits) / 8);
}

function literalBits(): number {
  let all = 0;
  for (let byte = 0; byte < 256; byte++) all += literals[byte] as number;
  if (all === 0) return 0;
  const log = log16(all);
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const count = literals[byte] as number;
    if (count > 0) sum += count * (log - log16(count));
  }
  return Math.floor(sum / 16);
}

/** Returns 16 times the logarithm to base 2, by the four bits after the leading one. */
function log16(x: number): number {
  const k = 31 - Math.clz32(x);
  return 16 * k + ((k >= 4 ? x >> (k - 4) : x << (4 - k)) & 15);
}
