import type { DecoderState } from './DecoderState.ts';

/** Maximum size in bytes of a key that is kept, and number of places in the cache. */
const MAX_KEY = 64;
const PLACES = 4096;
/** Number of integers of 32 bits that a key may have. */
const WORDS = MAX_KEY / 4;

/** The keys that are kept, by their place; none before the first is. */
let keys: string[] | undefined;
/** Their UTF-8, filled up with zeros. */
let words: Int32Array = /* @__PURE__ */ new Int32Array(0);
/** Their sizes in bytes, 0 where none is kept. */
const sizes: Uint8Array = /* @__PURE__ */ new Uint8Array(PLACES);
/** Their last four bytes, or all of fewer. */
const tails: Int32Array = /* @__PURE__ */ new Int32Array(PLACES);
/** The places of the keys that followed them last. */
const nexts: Uint16Array = /* @__PURE__ */ new Uint16Array(PLACES);
/** The hash of the last key at each place, whether it is kept or not. */
const hashes: Int32Array = /* @__PURE__ */ new Int32Array(PLACES);
/** The place of the last key that is kept. */
let last = 0;

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

/** Whether the `length` bytes from `start` on, which end with `tail`, are those of the key at a place. */
function isKey(place: number, view: DataView, start: number, length: number, tail: number) {
  if (tails[place] !== tail || sizes[place] !== length) return false;
  for (let i = place * WORDS, p = start; p + 4 < start + length; i++, p += 4)
    if (view.getInt32(p, true) !== words[i]) return false;
  return true;
}

function keep(place: number, key: string, view: DataView, start: number, length: number): void {
  if (keys === undefined) {
    keys = new Array(PLACES).fill('');
    words = new Int32Array(PLACES * WORDS);
  }
  keys[place] = internalized(key);
  sizes[place] = length;
  for (let i = place * WORDS, p = start; p + 4 < start + length; i++, p += 4) words[i] = view.getInt32(p, true);
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
  let place = nexts[last] as number;
  if (!isKey(place, view, start, length, tail)) {
    // Four bytes at a time: until engines compile this, each step costs as much as a short key.
    let hash = Math.imul(tail, 0x9e3779b1) ^ length;
    for (let p = start; p + 4 < end; p += 4)
      hash = (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) + view.getInt32(p, true)) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    place = hash >>> 20;
    if (!isKey(place, view, start, length, tail)) {
      const key = decoder.string(length);
      const isNew = hashes[place] !== hash;
      hashes[place] = hash;
      // With U+FFFD the bytes may be ill-formed, so that another decoder must not accept them.
      if (isNew || typeof key !== 'string' || key.includes('\ufffd')) return key;
      keep(place, key, view, start, length);
      tails[place] = tail;
    }
    nexts[last] = place;
  }
  last = place;
  decoder.pos = end;
  return (keys as string[])[place] as string;
}
