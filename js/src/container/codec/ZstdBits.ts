export function sound(holds: boolean): asserts holds {
  if (!holds) throw new Error('The data of zstd is malformed');
}

/** Reads the bits of a stream from its end to its beginning, as those of zstd are written. */
export class ZstdBits {
  readonly #data: Uint8Array;
  /** Position of the first bit of the stream. */
  readonly #start: number;
  left: number;

  /** Opens the bytes from a position to another: the highest bit of the last one that is 1 ends the stream. */
  constructor(data: Uint8Array, from: number, to: number) {
    sound(from < to && to <= data.length);
    const last = data[to - 1] as number;
    sound(last !== 0);
    this.#data = data;
    this.#start = 8 * from;
    this.left = 8 * (to - from) - 1 - Math.clz32(last) + 24;
  }

  /** Reads up to 24 bits. */
  read(count: number): number {
    this.left -= count;
    sound(this.left >= 0);
    return this.#at(this.left, count);
  }

  /** Returns the next bits, up to 24; 0 for those that the stream lacks. */
  peek(count: number): number {
    const at = this.left - count;
    return at >= 0 ? this.#at(at, count) : this.#at(0, this.left) << -at;
  }

  #at(bit: number, count: number): number {
    const data = this.#data;
    const p = this.#start + bit;
    const at = p >> 3;
    const word =
      (data[at] as number) |
      ((data[at + 1] as number) << 8) |
      ((data[at + 2] as number) << 16) |
      ((data[at + 3] as number) << 24);
    return (word >>> (p & 7)) & ((1 << count) - 1);
  }
}
