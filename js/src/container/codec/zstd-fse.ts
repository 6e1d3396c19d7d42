/** Finite state entropy (RFC 8878 section 4.1). */
import { sound } from './ZstdBits.ts';

/** What each state stands for: a symbol, and the next state, from the bits that follow. */
export interface FseTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

const log2 = (value: number): number => 31 - Math.clz32(value);

/** Makes the table for how often symbols occur; −1 is less than once. */
export function fseTable(log: number, counts: readonly number[]): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = counts.map((count) => Math.abs(count));
  let high = size;
  counts.forEach((count, symbol) => {
    if (count < 0) symbols[--high] = symbol;
  });
  let at = 0;
  counts.forEach((count, symbol) => {
    for (let i = 0; i < count; i++) {
      symbols[at] = symbol;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (at >= high);
    }
  });
  sound(at === 0);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number;
    const count = next[symbol] as number;
    next[symbol] = count + 1;
    bits[state] = log - log2(count);
    bases[state] = (count << (bits[state] as number)) - size;
  }
  return { log, symbols, bits, bases };
}

/** Returns the table of one symbol, which takes no bits. */
export function oneSymbol(symbol: number): FseTable {
  return {
    log: 0,
    symbols: Uint8Array.of(symbol),
    bits: new Uint8Array(1),
    bases: new Uint16Array(1),
  };
}

/** Reads a table from a position on, and returns it with the position after it. */
export function readFseTable(
  data: Uint8Array,
  start: number,
  maxLog: number,
  maxSymbol: number,
): [table: FseTable, end: number] {
  let p = 8 * start;
  const read = (count: number): number => {
    const at = p >> 3;
    sound((p + count + 7) >> 3 <= data.length);
    const word = (data[at] as number) | ((data[at + 1] as number) << 8) | ((data[at + 2] as number) << 16);
    p += count;
    return (word >>> (p - count - 8 * at)) & ((1 << count) - 1);
  };
  const log = read(4) + 5;
  sound(log <= maxLog);
  const counts: number[] = [];
  let left = 1 << log;
  while (left > 0) {
    // The last bit is there for large values only.
    const width = log2(left + 1);
    const few = (2 << width) - 2 - left;
    let value = read(width);
    if (value >= few) {
      if (read(1) === 1) value += (1 << width) - few;
    }
    counts.push(value - 1);
    left -= Math.abs(value - 1);
    for (let zeros = value === 1 ? 3 : 0; zeros === 3; ) {
      zeros = read(2);
      for (let i = 0; i < zeros; i++) counts.push(0);
    }
    sound(counts.length <= maxSymbol + 1);
  }
  sound(left === 0);
  return [fseTable(log, counts), (p + 7) >> 3];
}
