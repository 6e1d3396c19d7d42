import { utf8Bytes } from './platform.ts';

/** The bytes of a key as writers choose them: the header and the UTF-8. */
export function keyBytes(key: string): Uint8Array {
  const text = utf8Bytes(key);
  const n = text.length;
  let head: number[];
  if (n < 0x20) head = [0xa0 | n];
  else if (n < 0x100) head = [0xd9, n];
  else if (n < 0x10000) head = [0xda, n >> 8, n & 0xff];
  else head = [0xdb, n >>> 24, (n >> 16) & 0xff, (n >> 8) & 0xff, n & 0xff];
  const bytes = new Uint8Array(head.length + n);
  bytes.set(head);
  bytes.set(text, head.length);
  return bytes;
}

/** Keys of more bytes are copied, not written word by word. */
const MAX_WORDS_BYTES = 28;

/** A short key as big-endian integers of 32 bits, zeros behind its last byte. */
export function keyWords(bytes: Uint8Array): Int32Array {
  if (bytes.length > MAX_WORDS_BYTES) return new Int32Array(0);
  const words = new Int32Array((bytes.length + 3) >> 2);
  bytes.forEach((byte, i) => {
    words[i >> 2] = (words[i >> 2] as number) | (byte << (24 - 8 * (i & 3)));
  });
  return words;
}

/** Calls `word` for each four bytes as a big-endian integer and `byte` for those left over. */
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

/** A key as the name of a field in an object literal, `__proto__` being data as well. */
export function literalName(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}
