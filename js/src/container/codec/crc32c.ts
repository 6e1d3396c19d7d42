/** CRC-32C (Castagnoli), the check of the data of blocks (spec/container.md section 2). */

/** The polynomial with its bits in reverse order. */
const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256 entries in one: table k is for a byte that is followed by k others. */
let tables: Int32Array | undefined;

function makeTables(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    made[byte] = crc;
  }
  for (let at = 256; at < made.length; at++) {
    const crc = made[at - 256] as number;
    made[at] = (crc >>> 8) ^ (made[crc & 0xff] as number);
  }
  return made;
}

/** Returns the CRC-32C of bytes as an unsigned number; `before` is that of the bytes before these. */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, before = 0): number {
  tables ??= makeTables();
  const t = tables;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = ~before;
  let p = start;
  for (const last = end - 8; p <= last; p += 8) {
    const a = crc ^ view.getInt32(p, true);
    const b = view.getInt32(p + 4, true);
    crc =
      (t[0x700 + (a & 0xff)] as number) ^
      (t[0x600 + ((a >>> 8) & 0xff)] as number) ^
      (t[0x500 + ((a >>> 16) & 0xff)] as number) ^
      (t[0x400 + (a >>> 24)] as number) ^
      (t[0x300 + (b & 0xff)] as number) ^
      (t[0x200 + ((b >>> 8) & 0xff)] as number) ^
      (t[0x100 + ((b >>> 16) & 0xff)] as number) ^
      (t[b >>> 24] as number);
  }
  for (; p < end; p++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[p] as number)) & 0xff] as number);
  return ~crc >>> 0;
}

/** x to the power of 8 times 2^k, modulo the polynomial, bits in reverse order. */
const powers: number[] = [];

/** Multiplies two polynomials modulo that of the CRC. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = (factor >>> 1) ^ (factor & 1 ? POLYNOMIAL : 0);
  }
  return product;
}

/** Returns the CRC-32C of `size` bytes from that of what is before them and that of both together. */
export function crcOfRest(before: number, both: number, size: number): number {
  let shifted = before;
  for (let k = 0, rest = size; rest > 0; k++, rest = Math.floor(rest / 2)) {
    const last = powers[k - 1] ?? 0;
    if (k === powers.length) powers.push(k === 0 ? 0x00800000 : multiply(last, last));
    if (rest % 2 === 1) shifted = multiply(shifted, powers[k] as number);
  }
  return (shifted ^ both) >>> 0;
}
