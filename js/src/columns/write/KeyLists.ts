import { latin1String } from '../../wire/platform.ts';
import { decodeHere } from '../../wire/utf8.ts';
import { ByteSink } from './ByteSink.ts';
import { ByteTable } from './ByteTable.ts';
import { STRING, type Tape } from './Tape.ts';

/** Maximum number of keys in a list: more are neither those of a record nor of a STRUCT. */
const MAX_KEYS = 2048;
/** Number of values for which room is kept. */
const KEEP = 1 << 19;
/** The number of maps that have no list: with other keys than str, or with too many. */
export const NO_LIST = -1;

/** The different lists of keys that the maps of a tape have. */
export class KeyLists {
  readonly #tape: Tape;
  /** The number of the list of each map, by its index in the tape. */
  of: Int32Array = new Int32Array(0);
  /** A map that has each list. */
  readonly #maps: number[] = [];
  /** Whether all keys of a list differ. */
  readonly distinct: boolean[] = [];
  /** The list that came after each one the last time: most data repeats itself. */
  readonly #after: number[] = [];
  readonly #table = new ByteTable();
  /** The keys of all lists, those of each end to end. */
  readonly #bytes = new ByteSink();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  read(): void {
    const { maps, count } = this.#tape;
    // Room for a larger message stays, but not for a much larger one.
    if (this.of.length < count || this.of.length > KEEP) this.of = new Int32Array(count);
    for (const list of [this.#maps, this.distinct, this.#after]) list.length = 0;
    this.#table.clear();
    this.#bytes.clear();
    let before = NO_LIST;
    for (const map of maps) {
      const guess = before === NO_LIST ? NO_LIST : (this.#after[before] as number);
      const list = guess !== NO_LIST && this.#has(map, guess) ? guess : this.#find(map);
      this.of[map] = list;
      if (before !== NO_LIST) this.#after[before] = list;
      before = list;
    }
  }

  #has(map: number, list: number): boolean {
    const { src, start, next } = this.#tape;
    const other = this.#maps[list] as number;
    const end = next[map] as number;
    const otherEnd = next[other] as number;
    let a = map + 1;
    let b = other + 1;
    while (a < end && b < otherEnd) {
      let p = start[a] as number;
      let q = start[b] as number;
      // The key of the other is a str, so equal bytes are as well.
      for (const last = start[b + 1] as number; q < last; p++, q++) if (src[p] !== src[q]) return false;
      a = next[a + 1] as number;
      b = next[b + 1] as number;
    }
    return a === end && b === otherEnd;
  }

  #find(map: number): number {
    const { src, start, next, type } = this.#tape;
    const bytes = this.#bytes;
    const from = bytes.size;
    let n = 0;
    for (let key = map + 1; key < (next[map] as number); key = next[key + 1] as number) {
      if (type[key] !== STRING || ++n > MAX_KEYS) {
        bytes.size = from;
        return NO_LIST;
      }
      bytes.copy(src, start[key] as number, start[key + 1] as number);
    }
    const list = this.#table.indexOf(bytes.bytes, from, bytes.size);
    if (list < this.#maps.length) bytes.size = from;
    else {
      this.#maps.push(map);
      this.#after.push(NO_LIST);
      this.distinct.push(n < 2 || new Set(this.#keysOf(map)).size === n);
    }
    return list;
  }

  /** Returns the keys of a map as strings of the bytes that they take, with their headers. */
  #keysOf(map: number): string[] {
    const { src, start, next } = this.#tape;
    const keys: string[] = [];
    for (let key = map + 1; key < (next[map] as number); key = next[key + 1] as number)
      keys.push(latin1String(src, start[key] as number, start[key + 1] as number));
    return keys;
  }

  /** Returns the keys of a list as strings of their bytes. */
  bytesOf(list: number): string[] {
    return this.#keysOf(this.#maps[list] as number);
  }

  keys(list: number): string[] {
    const tape = this.#tape;
    const map = this.#maps[list] as number;
    const keys: string[] = [];
    for (let key = map + 1; key < (tape.next[map] as number); key = tape.next[key + 1] as number)
      keys.push(decodeHere(tape.src, tape.view, tape.body(key), tape.end(key)) as string);
    return keys;
  }

  /** Returns the index in the tape of the first key of a list; the others are after their values. */
  firstKey(list: number): number {
    return (this.#maps[list] as number) + 1;
  }
}
