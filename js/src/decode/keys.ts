import type { Reader } from './reader.ts';

/** Longest key in bytes that is kept, and the number of places for them. */
const MAX_KEY = 64;
const PLACES = 4096;

/** A key of ASCII, and its bytes as integers of 32 bits. */
interface KnownKey {
  readonly text: string;
  readonly words: Int32Array;
  /** The last four bytes. */
  readonly tail: number;
  /** The place of the key that came after it last. A reference would keep keys that lost their places. */
  next: number;
}

/** Keys by their place, and the hash of the key that was met last at each. */
let known: (KnownKey | undefined)[] | undefined;
const hashes: Int32Array = /* @__PURE__ */ new Int32Array(PLACES);
let last: KnownKey = { text: '', words: new Int32Array(0), tail: 0, next: 0 };

/** The engine's own copy of a string, which it compares and looks up by its address. */
function internalized(text: string): string {
  const holder: Record<string, null> = { [text]: null };
  for (const name in holder) return name;
  return text;
}

/** Whether the `length` bytes from `start` on are those of a key. */
function isKey({ text, words, tail }: KnownKey, reader: Reader, start: number, length: number) {
  if (text.length !== length) return false;
  const { src, view } = reader;
  if (length < 4) {
    for (let i = 0; i < length; i++) if (src[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }
  for (let i = 0; i < words.length; i++)
    if (view.getInt32(start + 4 * i, true) !== words[i]) return false;
  return view.getInt32(start + length - 4, true) === tail;
}

function newKey(text: string, reader: Reader, start: number): KnownKey {
  const words = new Int32Array(text.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = reader.view.getInt32(start + 4 * i, true);
  const tail = text.length < 4 ? 0 : reader.view.getInt32(start + text.length - 4, true);
  return { text: internalized(text), words, tail, next: 0 };
}

/**
 * The text of a key whose `length` bytes lie at the reader's position. Keys come again
 * and again, mostly in the same order, so that the one that followed the last one is tried
 * first. They are kept in a cache of fixed size, from the second time on: to keep one costs
 * several times what reading it does, and dictionaries have many that are met once.
 */
export function readKeyText(reader: Reader, length: number): string | Uint8Array {
  const start = reader.pos;
  const end = start + length;
  if (length > MAX_KEY || length === 0 || end > reader.end) return reader.text(length);
  const guess = known?.[last.next];
  if (guess !== undefined && isKey(guess, reader, start, length)) {
    last = guess;
    reader.pos = end;
    return guess.text;
  }
  const { src } = reader;
  let hash = length;
  for (let p = start; p < end; p++) hash = (Math.imul(hash, 31) + (src[p] as number)) | 0;
  const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
  known ??= new Array(PLACES).fill(undefined);
  let key = known[place];
  if (key === undefined || !isKey(key, reader, start, length)) {
    const text = reader.text(length);
    if (hashes[place] !== hash) {
      hashes[place] = hash;
      return text;
    }
    // Only ASCII has a character for each byte.
    if (typeof text !== 'string' || text.length !== length || text.includes('\ufffd')) return text;
    key = newKey(text, reader, start);
    known[place] = key;
  }
  last.next = place;
  last = key;
  reader.pos = end;
  return key.text;
}
