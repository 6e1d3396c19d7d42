import { utf16String } from './platform.ts';

/**
 * Returns the string itself, of which V8 then knows that it is one. V8 has many kinds of strings.
 * Where it met more than four of them, looking for a property of one takes several times as long as
 * reading a character, so methods are called as `String.prototype.charCodeAt.call` in loops.
 */
export function known(value: string): string {
  return `${value}`;
}

/** All elements that are read exist, which their type does not tell. */
const fcc = String.fromCharCode as (...codes: (number | undefined)[]) => string;

/** Maximum length of a string that {@link shortString} makes. */
export const SHORT_STRING = 16;

/**
 * Returns the string of at most {@link SHORT_STRING} code units: of UTF-16, or bytes of ASCII. This
 * takes less time than one call into the platform.
 */
export function shortString(s: Uint8Array | Uint16Array, p: number, length: number): string {
  // biome-ignore format: one line for each length
  switch (length) {
    case 0: return '';
    case 1: return fcc(s[p]);
    case 2: return fcc(s[p], s[p + 1]);
    case 3: return fcc(s[p], s[p + 1], s[p + 2]);
    case 4: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3]);
    case 5: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4]);
    case 6: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5]);
    case 7: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6]);
    case 8: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7]);
    case 9: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8]);
    case 10: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9]);
    case 11: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10]);
    case 12: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11]);
    case 13: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12]);
    case 14: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12], s[p + 13]);
    case 15: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12], s[p + 13], s[p + 14]);
    default: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12], s[p + 13], s[p + 14], s[p + 15]);
  }
}

/** Writes the characters of a string before the first that is not ASCII, and returns their number. */
export function writeAscii(bytes: Uint8Array, value: string, n: number, at: number): number {
  // Looked up here, because engines take a variable of a module for one that may change.
  const { charCodeAt } = String.prototype;
  const text = known(value);
  for (let i = 0; i < n; i++) {
    const code = charCodeAt.call(text, i);
    if (code > 0x7f) return i;
    bytes[at + i] = code;
  }
  return n;
}

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
  for (let i = 2; i < size; i++) if (!isContinuation(bytes[p + i])) return 0;
  return size;
}

/** Whether a byte of UTF-8 is within a character: not its first one. */
export function isContinuation(byte: number | undefined): boolean {
  return ((byte as number) & 0xc0) === 0x80;
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

/** Number of code units for which there is always room. */
const UNITS = 2048;
/** Maximum number of code units for which the room is kept. */
const KEEP = 1 << 16;

let units: Uint16Array = /* @__PURE__ */ new Uint16Array(UNITS);

/**
 * Writes the code units of UTF-8 into `to` from index `n` on; there must be room for one per byte.
 * Returns the index after them, or -1 where the bytes are ill-formed.
 */
export function transcode(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  to: Uint16Array,
  at = 0,
): number {
  let n = at;
  let p = start;
  while (p < end) {
    const a = bytes[p] as number;
    if (a < 0x80) {
      to[n++] = a;
      p++;
      // Most of what follows ASCII is ASCII.
      while (p + 4 <= end) {
        const word = view.getInt32(p, true);
        if ((word & 0x80) !== 0) break;
        to[n] = word & 0x7f;
        to[n + 1] = (word >> 8) & 0x7f;
        to[n + 2] = (word >> 16) & 0x7f;
        to[n + 3] = (word >> 24) & 0x7f;
        const others = word & 0x80808080;
        const ascii = others === 0 ? 4 : (31 - Math.clz32(others & -others)) >> 3;
        p += ascii;
        n += ascii;
        if (ascii < 4) break;
      }
    } else if (a < 0xe0) {
      const b = (bytes[p + 1] as number) ^ 0x80;
      if (a < 0xc2 || b > 0x3f || p + 2 > end) return -1;
      to[n++] = ((a & 0x1f) << 6) | b;
      p += 2;
    } else if (a < 0xf0) {
      const b = (bytes[p + 1] as number) ^ 0x80;
      const c = (bytes[p + 2] as number) ^ 0x80;
      const unit = ((a & 0x0f) << 12) | (b << 6) | c;
      if ((b | c) > 0x3f || p + 3 > end || unit < 0x800 || (unit & 0xf800) === 0xd800) return -1;
      to[n++] = unit;
      p += 3;
    } else {
      const b = (bytes[p + 1] as number) ^ 0x80;
      const c = (bytes[p + 2] as number) ^ 0x80;
      const d = (bytes[p + 3] as number) ^ 0x80;
      const rest = (((a & 0x07) << 18) | (b << 12) | (c << 6) | d) - 0x10000;
      if ((b | c | d) > 0x3f || p + 4 > end || a > 0xf4 || rest < 0 || rest > 0xfffff) return -1;
      to[n] = 0xd800 | (rest >> 10);
      to[n + 1] = 0xdc00 | (rest & 0x3ff);
      n += 2;
      p += 4;
    }
  }
  return n;
}

/**
 * Converts UTF-8 to a string in JavaScript; returns undefined when it is ill-formed. Where most of
 * it is not ASCII, this takes a quarter of the platform's time, and for short strings less. In
 * German it takes three quarters.
 */
export function decodeHere(bytes: Uint8Array, view: DataView, start: number, end: number): string | undefined {
  const size = end - start;
  let room = units;
  if (size > room.length) {
    room = new Uint16Array(size);
    if (size <= KEEP) units = room;
  }
  const n = transcode(bytes, view, start, end, room);
  if (n < 0) return undefined;
  return n <= SHORT_STRING ? shortString(room, 0, n) : utf16String(room, n);
}

/** Strings below this length are written by {@link writeHere} in less time than by the platform. */
export const SHORT = 32;

/**
 * Writes the code units of a string from index `from` on as UTF-8, lone surrogates as U+FFFD, and
 * returns the position after it. There must be room for three bytes per code unit.
 */
export function writeHere(bytes: Uint8Array, value: string, from: number, at: number): number {
  const { charCodeAt } = String.prototype;
  const text = known(value);
  const n = text.length;
  let p = at;
  for (let i = from; i < n; i++) {
    let code = charCodeAt.call(text, i);
    if (code < 0x80) bytes[p++] = code;
    else if (code < 0x800) {
      bytes[p] = 0xc0 | (code >> 6);
      bytes[p + 1] = 0x80 | (code & 0x3f);
      p += 2;
    } else {
      if ((code & 0xf800) === 0xd800) {
        const low = code < 0xdc00 && i + 1 < n ? charCodeAt.call(text, i + 1) ^ 0xdc00 : -1;
        if (low >= 0 && low < 0x400) {
          const point = 0x10000 + (((code & 0x3ff) << 10) | low);
          bytes[p] = 0xf0 | (point >> 18);
          bytes[p + 1] = 0x80 | ((point >> 12) & 0x3f);
          bytes[p + 2] = 0x80 | ((point >> 6) & 0x3f);
          bytes[p + 3] = 0x80 | (point & 0x3f);
          p += 4;
          i++;
          continue;
        }
        code = 0xfffd;
      }
      bytes[p] = 0xe0 | (code >> 12);
      bytes[p + 1] = 0x80 | ((code >> 6) & 0x3f);
      bytes[p + 2] = 0x80 | (code & 0x3f);
      p += 3;
    }
  }
  return p;
}

/** Converts a string to UTF-8, lone surrogates to U+FFFD, without the platform. */
export function utf8Bytes(value: string): Uint8Array {
  const bytes = new Uint8Array(value.length * 3);
  return bytes.slice(0, writeHere(bytes, value, 0, 0));
}

/**
 * Whether a str begins with two characters that are not ASCII, as in the scripts for which
 * {@link decodeHere} takes a quarter of the platform's time.
 */
export function beginsWide(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] as number;
  const second = bytes[start + (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)] as number;
  return first >= 0xc2 && second >= 0xc2;
}
