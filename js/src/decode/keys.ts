import type { DecoderState } from './DecoderState.ts';

/** Maximum size in bytes of a key that is kept, and number of places in the cache. */
const MAX_KEY = 64;
const PLACES = 4096;

/** A key, and its UTF-8 as integers of 32 bits. */
interface KnownKey {
  readonly key: string;
  /** Size in bytes. */
  readonly length: number;
  readonly words: Int32Array;
  /** The last four bytes, or all of fewer. */
  readonly tail: number;
  /** Place of the key that followed it last. A reference would keep evicted keys in memory. */
  next: number;
}

/** Keys by their place, and the hash of the last key at each. */
let known: (KnownKey | undefined)[] | undefined;
const hashes: Int32Array = /* @__PURE__ */ new Int32Array(PLACES);
const NO_WORDS = /* @__PURE__ */ new Int32Array(0);
let last: KnownKey = { key: '', length: 0, words: NO_WORDS, tail: 0, next: 0 };

/** Returns the engine's own copy of a string, which it compares and looks up by its address. */
function internalized(value: string): string {
  // Without a prototype it is a hash table, and V8 makes no hidden class for the key.
  const holder: Record<string, null> = Object.create(null);
  holder[value] = null;
  for (const name in holder) return name;
  return value;
}

/** Returns the last four bytes, or all of fewer. */
function tailOf({ src, view }: DecoderState, start: number, length: number): number {
  if (length >= 4) return view.getInt32(start + length - 4, true);
  let tail = 0;
  for (let p = start; p < start + length; p++) tail = (tail << 8) | (src[p] as number);
  return tail;
}

/** Whether the `length` bytes from `start` on, which end with `tail`, are those of a key. */
function isKey(known: KnownKey, view: DataView, start: number, length: number, tail: number) {
  if (known.tail !== tail || known.length !== length) return false;
  const { words } = known;
  for (let i = 0; i < words.length; i++)
    if (view.getInt32(start + 4 * i, true) !== words[i]) return false;
  return true;
}

function newKey(key: string, view: DataView, start: number, length: number, tail: number) {
  const words = new Int32Array(length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = view.getInt32(start + 4 * i, true);
  return { key: internalized(key), length, words, tail, next: 0 };
}

/**
 * Reads a key of `length` bytes. Keys repeat, mostly in the same order, so the key that
 * followed the last one before is tried first. They are kept in a cache of fixed size from
 * their second use on: keeping one costs several times as much as reading it, and
 * dictionaries have many keys that occur once.
 */
export function readKey(decoder: DecoderState, length: number): string | Uint8Array {
  const start = decoder.pos;
  const end = start + length;
  if (length > MAX_KEY || length === 0 || end > decoder.end) return decoder.string(length);
  const { view } = decoder;
  const tail = tailOf(decoder, start, length);
  const guess = known?.[last.next];
  if (guess !== undefined && isKey(guess, view, start, length, tail)) {
    last = guess;
    decoder.pos = end;
    return guess.key;
  }
  // Four bytes at a time: until engines compile this, each step costs as much as a short key.
  let hash = Math.imul(tail, 0x9e3779b1) ^ length;
  for (let p = start; p + 4 < end; p += 4)
    hash = (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) + view.getInt32(p, true)) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  const place = hash >>> 20;
  known ??= new Array(PLACES).fill(undefined);
  let found = known[place];
  if (found === undefined || !isKey(found, view, start, length, tail)) {
    const key = decoder.string(length);
    if (hashes[place] !== hash) {
      hashes[place] = hash;
      return key;
    }
    // With U+FFFD the bytes may be ill-formed, so that another decoder must not accept them.
    if (typeof key !== 'string' || key.includes('\ufffd')) return key;
    found = newKey(key, view, start, length, tail);
    known[place] = found;
  }
  last.next = place;
  last = found;
  decoder.pos = end;
  return found.key;
}
