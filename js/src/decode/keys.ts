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
let last: KnownKey = { key: '', length: 0, words: new Int32Array(0), tail: 0, next: 0 };

/** Returns the engine's own copy of a string, which it compares and looks up by its address. */
function internalized(value: string): string {
  const holder: Record<string, null> = { [value]: null };
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

/** Whether the `length` bytes from `start` on are those of a key. */
function isKey(known: KnownKey, decoder: DecoderState, start: number, length: number) {
  if (known.length !== length || tailOf(decoder, start, length) !== known.tail) return false;
  const { words } = known;
  const { view } = decoder;
  for (let i = 0; i < words.length; i++)
    if (view.getInt32(start + 4 * i, true) !== words[i]) return false;
  return true;
}

function newKey(key: string, decoder: DecoderState, start: number, length: number): KnownKey {
  const words = new Int32Array(length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = decoder.view.getInt32(start + 4 * i, true);
  return { key: internalized(key), length, words, tail: tailOf(decoder, start, length), next: 0 };
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
  const guess = known?.[last.next];
  if (guess !== undefined && isKey(guess, decoder, start, length)) {
    last = guess;
    decoder.pos = end;
    return guess.key;
  }
  const { src } = decoder;
  let hash = length;
  for (let p = start; p < end; p++) hash = (Math.imul(hash, 31) + (src[p] as number)) | 0;
  const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
  known ??= new Array(PLACES).fill(undefined);
  let found = known[place];
  if (found === undefined || !isKey(found, decoder, start, length)) {
    const key = decoder.string(length);
    if (hashes[place] !== hash) {
      hashes[place] = hash;
      return key;
    }
    // With U+FFFD the bytes may be ill-formed, so that another decoder must not accept them.
    if (typeof key !== 'string' || key.includes('\ufffd')) return key;
    found = newKey(key, decoder, start, length);
    known[place] = found;
  }
  last.next = place;
  last = found;
  decoder.pos = end;
  return found.key;
}
