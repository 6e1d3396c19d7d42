import * as M from './markers.ts';
import { joined } from './platform.ts';
import { utf8Bytes } from './utf8.ts';

/** Returns a marker with a length of 8, 16 or 32 bits, given the marker for 8. */
function lengthHeader(marker: number, n: number): Uint8Array {
  if (n < 0x100) return Uint8Array.of(marker, n);
  if (n < 0x10000) return Uint8Array.of(marker + 1, n >> 8, n);
  return Uint8Array.of(marker + 2, n >>> 24, n >> 16, n >> 8, n);
}

export function binHeader(n: number): Uint8Array {
  return lengthHeader(M.BIN8, n);
}

/** Returns a key as it is written: the smallest header and the UTF-8. */
export function keyBytes(key: string): Uint8Array {
  const utf8 = utf8Bytes(key);
  const n = utf8.length;
  return joined([n < 0x20 ? Uint8Array.of(M.FIXSTR | n) : lengthHeader(M.STR8, n), utf8]);
}

/** Maximum size in bytes of a key that is written word by word. */
const MAX_WORDS_BYTES = 28;

/** Returns a short key as big-endian integers of 32 bits, the last one filled up with zeros. */
export function keyWords(bytes: Uint8Array): Int32Array {
  if (bytes.length > MAX_WORDS_BYTES) return new Int32Array(0);
  const words = new Int32Array((bytes.length + 3) >> 2);
  bytes.forEach((byte, i) => {
    words[i >> 2] = (words[i >> 2] as number) | (byte << (24 - 8 * (i & 3)));
  });
  return words;
}

/** Calls `word` for each four bytes as a big-endian integer and `byte` for the remaining ones. */
export function eachWord(
  bytes: Uint8Array,
  word: (at: number, value: number) => void,
  byte: (at: number, value: number) => void,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) word(at, view.getInt32(at));
  for (; at < bytes.length; at++) byte(at, bytes[at] as number);
}

/** Returns the keys of an object that are written: all, or those whose values are not undefined. */
export function writtenKeys(object: object, omitsUndefined: boolean): string[] {
  const keys = Object.keys(object);
  if (omitsUndefined)
    for (const key of keys)
      if ((object as Record<string, unknown>)[key] === undefined)
        return keys.filter((name) => (object as Record<string, unknown>)[name] !== undefined);
  return keys;
}

/** Returns a key as the name of a field in an object literal, where `__proto__` is data as well. */
export function literalName(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}

/** Sets a field that is data, whatever its name. */
export function setField(object: object, key: string | number, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  else (object as Record<string | number, unknown>)[key] = value;
}

/** Compares as unsigned bytes; a prefix comes first. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Returns the offset of the payload of a str; -1 for another type. */
function strStart(bytes: Uint8Array): number {
  const t = bytes[0] as number;
  return M.isStr(t) ? (M.HEADER_SIZE[t] as number) : -1;
}

/** Compares the canonical encodings of two keys: str by their bytes, before all others. */
export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  const strA = strStart(a);
  const strB = strStart(b);
  if (strA < 0 || strB < 0) {
    if (strA >= 0) return -1;
    return strB >= 0 ? 1 : compareBytes(a, b);
  }
  return compareBytes(a.subarray(strA), b.subarray(strB));
}
