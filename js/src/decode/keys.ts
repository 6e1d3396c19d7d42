import type { Reader } from './reader.ts';

/** Longest key in bytes that is kept, and the number of places for them. */
const MAX_KEY = 64;
const PLACES = 4096;

interface CachedKey {
  readonly bytes: Uint8Array;
  readonly text: string;
}

let cache: (CachedKey | undefined)[] | undefined;

/** The engine's own copy of a string, which it compares and looks up by its address. */
function internalized(text: string): string {
  const holder: Record<string, null> = { [text]: null };
  for (const name in holder) return name;
  return text;
}

/**
 * The text of a key whose `length` bytes lie at the reader's position. Keys come again
 * and again, so their strings are kept in a cache of fixed size.
 */
export function readKeyText(reader: Reader, length: number): string | Uint8Array {
  const start = reader.pos;
  const end = start + length;
  if (length > MAX_KEY || length === 0 || end > reader.end) return reader.text(length);
  const { src } = reader;
  let hash = length;
  for (let p = start; p < end; p++) hash = (Math.imul(hash, 31) + (src[p] as number)) | 0;
  hash = (hash ^ (hash >>> 15)) & (PLACES - 1);
  cache ??= new Array(PLACES).fill(undefined);
  const entry = cache[hash];
  if (entry !== undefined && entry.bytes.length === length) {
    const { bytes } = entry;
    let i = 0;
    while (i < length && bytes[i] === src[start + i]) i++;
    if (i === length) {
      reader.pos = end;
      return entry.text;
    }
  }
  const text = reader.text(length);
  // What was repaired or kept raw would be wrong for a reader with other options.
  if (typeof text !== 'string' || text.includes('\ufffd')) return text;
  const kept = internalized(text);
  cache[hash] = { bytes: src.slice(start, end), text: kept };
  return kept;
}
