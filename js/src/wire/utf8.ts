import { utf8String, utf16String } from './platform.ts';

/**
 * Returns the length of the UTF-8 sequence at `p`, or 0 where it is ill-formed: overlong, a
 * surrogate, above U+10FFFF, or cut off at `end`.
 */
function sequenceLength(bytes: Uint8Array, p: number, end: number): number {
  const lead = bytes[p] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (p + size > end) return 0;
  const second = bytes[p + 1] as number;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < size; i++) if (((bytes[p + i] as number) & 0xc0) !== 0x80) return 0;
  return size;
}

/** Returns the position of the first ill-formed sequence in a range, or -1 without one. */
export function invalidAt(bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  while (p < end) {
    const size = sequenceLength(bytes, p, end);
    if (size === 0) return p;
    p += size;
  }
  return -1;
}

/** Maximum number of code units of a string that is decoded in JavaScript. */
const UNITS = 2048;
const units = /* @__PURE__ */ new Uint16Array(UNITS);

/** Maximum size in bytes of a string for {@link decodeShort}. */
export const SHORT_MAX: number = UNITS;

/**
 * Converts at most {@link SHORT_MAX} bytes of UTF-8 to a string; returns undefined when they are
 * ill-formed. Where most of it is not ASCII, this takes half of the platform's time.
 */
export function decodeShort(bytes: Uint8Array, start: number, end: number): string | undefined {
  let n = 0;
  let p = start;
  while (p < end) {
    const a = bytes[p] as number;
    if (a < 0x80) {
      units[n++] = a;
      p++;
    } else if (a >= 0xc2 && a < 0xe0 && p + 2 <= end) {
      const b = (bytes[p + 1] as number) ^ 0x80;
      if (b > 0x3f) return undefined;
      units[n++] = ((a & 0x1f) << 6) | b;
      p += 2;
    } else if (a >= 0xe1 && a < 0xed && p + 3 <= end) {
      // The sequences of most scripts, whose second byte has its full range.
      const b = (bytes[p + 1] as number) ^ 0x80;
      const c = (bytes[p + 2] as number) ^ 0x80;
      if ((b | c) > 0x3f) return undefined;
      units[n++] = ((a & 0x0f) << 12) | (b << 6) | c;
      p += 3;
    } else {
      const size = sequenceLength(bytes, p, end);
      if (size === 0) return undefined;
      const b = (bytes[p + 1] as number) & 0x3f;
      const c = (bytes[p + 2] as number) & 0x3f;
      if (size === 3) units[n++] = ((a & 0x0f) << 12) | (b << 6) | c;
      else {
        const rest =
          (((a & 0x07) << 18) | (b << 12) | (c << 6)) + ((bytes[p + 3] as number) & 0x3f);
        units[n++] = 0xd800 | ((rest - 0x10000) >> 10);
        units[n++] = 0xdc00 | (rest & 0x3ff);
      }
      p += size;
    }
  }
  return utf16String(units, n);
}

/**
 * Whether a str begins with two characters that are not ASCII, as in the scripts for which
 * {@link decodeShort} takes half of the platform's time.
 */
export function beginsWide(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] as number;
  const second = bytes[start + (first < 0xe0 ? 2 : 3)] as number;
  return first >= 0xc2 && second >= 0xc2;
}

/** Converts UTF-8 of any length to a string; returns undefined when it is ill-formed. */
export function decodeLong(bytes: Uint8Array, start: number, end: number): string | undefined {
  const value = utf8String(bytes, start, end);
  // The platform replaces what is ill-formed by U+FFFD: without one, all was well-formed.
  if (value.includes('\ufffd') && invalidAt(bytes, start, end) >= 0) return undefined;
  return value;
}
