import { enlarged, latin1String } from '../../wire/platform.ts';

/** Number of slots that are looked at, for each string of bytes and in all, before hashes are given up. */
const MEAN_PROBES = 8;
const FREE_PROBES = 1024;
/** Number of slots at first, and up to which they are kept. */
const BEGIN = 1 << 6;
const KEEP = 1 << 16;

/**
 * Gives strings of bytes numbers in the order in which they first occur. The table has a fixed hash,
 * so one who chooses the bytes can make them collide. Where the slots that are looked at become too
 * many, a `Map` takes over, whose hash the engine seeds.
 */
export class ByteTable {
  #slots: Int32Array = new Int32Array(BEGIN);
  #mask = BEGIN - 1;
  #starts: Int32Array = new Int32Array(BEGIN / 2);
  #ends: Int32Array = new Int32Array(BEGIN / 2);
  /** Number of slots that may still be looked at. */
  #allowed = FREE_PROBES;
  #map: Map<string, number> | null = null;
  size = 0;

  clear(): void {
    this.size = 0;
    this.#allowed = FREE_PROBES;
    this.#map = null;
    if (this.#slots.length > KEEP) this.#slots = new Int32Array(BEGIN);
    this.#use(BEGIN);
  }

  /** Uses the first slots, which are empty. */
  #use(slots: number): void {
    if (slots > this.#slots.length) this.#slots = new Int32Array(slots);
    else this.#slots.fill(0, 0, slots);
    this.#mask = slots - 1;
    const { length } = this.#starts;
    if (slots / 2 <= length) return;
    this.#starts = enlarged(this.#starts, slots / 2);
    this.#ends = enlarged(this.#ends, slots / 2);
  }

  /** Returns the number of a string: `size` before the call if it is new. Strings are in one memory. */
  indexOf(bytes: Uint8Array, start: number, end: number): number {
    if (this.#map !== null) return this.#mapped(this.#map, bytes, start, end);
    if (2 * this.size > this.#mask) this.#grow(bytes);
    this.#allowed += MEAN_PROBES;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let slot = hashOf(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot] as number;
      if (found === 0) {
        this.#starts[this.size] = start;
        this.#ends[this.size] = end;
        slots[slot] = ++this.size;
        return this.size - 1;
      }
      if (this.#is(found - 1, bytes, start, end)) return found - 1;
      if (--this.#allowed < 0) return this.#mapped(this.#toMap(bytes), bytes, start, end);
    }
  }

  #is(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    let p = this.#starts[index] as number;
    if ((this.#ends[index] as number) - p !== end - start) return false;
    for (let q = start; q < end; q++, p++) if (bytes[p] !== bytes[q]) return false;
    return true;
  }

  #grow(bytes: Uint8Array): void {
    this.#use(2 * (this.#mask + 1));
    for (let index = 0; index < this.size; index++) {
      let slot = hashOf(bytes, this.#starts[index] as number, this.#ends[index] as number);
      slot &= this.#mask;
      // Fewer collide here than when they were added, which was counted.
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = index + 1;
    }
  }

  #toMap(bytes: Uint8Array): Map<string, number> {
    const map = new Map<string, number>();
    for (let index = 0; index < this.size; index++)
      map.set(latin1String(bytes, this.#starts[index] as number, this.#ends[index] as number), index);
    this.#map = map;
    return map;
  }

  #mapped(map: Map<string, number>, bytes: Uint8Array, start: number, end: number): number {
    const key = latin1String(bytes, start, end);
    const found = map.get(key);
    if (found !== undefined) return found;
    map.set(key, this.size);
    return this.size++;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let p = start;
  for (; p + 2 < end; p += 3) {
    const word = (bytes[p] as number) | ((bytes[p + 1] as number) << 8) | ((bytes[p + 2] as number) << 16);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; p < end; p++) hash = Math.imul(hash ^ (bytes[p] as number), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
