import type { Reader } from './reader.ts';

/** Longest key in bytes that is kept, and the number of places for them. */
const MAX_KEY = 64;
const PLACES = 4096;

/** Keys of ASCII by their place, and the hash of the key that was met last at each. */
let texts: string[] | undefined;
const hashes: Int32Array = /* @__PURE__ */ new Int32Array(PLACES);

/** The engine's own copy of a string, which it compares and looks up by its address. */
function internalized(text: string): string {
  const holder: Record<string, null> = { [text]: null };
  for (const name in holder) return name;
  return text;
}

/**
 * The text of a key whose `length` bytes lie at the reader's position. Keys come again
 * and again, so their strings are kept in a cache of fixed size, from the second time on:
 * to keep one costs several times what reading it does, and dictionaries have many that
 * are met once.
 */
export function readKeyText(reader: Reader, length: number): string | Uint8Array {
  const start = reader.pos;
  const end = start + length;
  if (length > MAX_KEY || length === 0 || end > reader.end) return reader.text(length);
  const { src } = reader;
  let hash = length;
  for (let p = start; p < end; p++) hash = (Math.imul(hash, 31) + (src[p] as number)) | 0;
  const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
  texts ??= new Array(PLACES).fill('');
  const kept = texts[place] as string;
  if (kept.length === length) {
    let i = 0;
    while (i < length && kept.charCodeAt(i) === src[start + i]) i++;
    if (i === length) {
      reader.pos = end;
      return kept;
    }
  }
  const text = reader.text(length);
  if (hashes[place] !== hash) {
    hashes[place] = hash;
    return text;
  }
  // Only ASCII has a character for each byte.
  if (typeof text !== 'string' || text.length !== length || text.includes('\ufffd')) return text;
  const own = internalized(text);
  texts[place] = own;
  return own;
}
