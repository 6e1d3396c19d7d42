/** The bits, finite state entropy and Huffman codes of zstd (RFC 8878 section 4). */

/** Throws unless data of zstd is sound. */
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

const MAX_BITS = 11;
const MAX_WEIGHT_LOG = 6;

/** The symbol and the number of bits of what begins with each number of `log` bits. */
export interface HuffmanTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

export function readHuffmanTable(data: Uint8Array, start: number): [table: HuffmanTable, end: number] {
  const header = data[start];
  sound(header !== undefined);
  const from = start + 1;
  const end = from + (header < 128 ? header : (header - 126) >> 1);
  sound(end <= data.length);
  const weights =
    header < 128
      ? compressedWeights(data, from, end)
      : Array.from({ length: header - 127 }, (_, i) => {
          const byte = data[from + (i >> 1)] as number;
          return i % 2 === 0 ? byte >> 4 : byte & 15;
        });
  return [tableOf(weights), end];
}

function compressedWeights(data: Uint8Array, from: number, end: number): number[] {
  const [table, at] = readFseTable(data.subarray(0, end), from, MAX_WEIGHT_LOG, MAX_BITS + 1);
  const bits = new ZstdBits(data, at, end);
  // Two states take turns.
  let [state, other] = [bits.read(table.log), bits.read(table.log)];
  const weights: number[] = [];
  for (;;) {
    weights.push(table.symbols[state] as number);
    sound(weights.length < 255);
    const count = table.bits[state] as number;
    if (count > bits.left) break;
    [state, other] = [other, (table.bases[state] as number) + bits.read(count)];
  }
  weights.push(table.symbols[other] as number);
  return weights;
}

/** Makes the table for the weights of all symbols but the last one, which follows from them. */
function tableOf(weights: number[]): HuffmanTable {
  let sum = 0;
  for (const weight of weights) {
    sound(weight <= MAX_BITS);
    sum += (1 << weight) >> 1;
  }
  sound(weights.includes(1));
  const log = 32 - Math.clz32(sum);
  const rest = (1 << log) - sum;
  sound(log <= MAX_BITS && (rest & (rest - 1)) === 0);
  weights.push(32 - Math.clz32(rest));
  const symbols = new Uint8Array(1 << log);
  const bits = new Uint8Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; weight++)
    weights.forEach((own, symbol) => {
      if (own !== weight) return;
      const end = at + (1 << (weight - 1));
      symbols.fill(symbol, at, end);
      bits.fill(log + 1 - weight, at, end);
      at = end;
    });
  return { log, symbols, bits };
}

/** Unpacks a stream into all of a memory. */
export function unpackHuffman(
  { log, symbols, bits }: HuffmanTable,
  data: Uint8Array,
  from: number,
  to: number,
  out: Uint8Array,
): void {
  const stream = new ZstdBits(data, from, to);
  for (let i = 0; i < out.length; i++) {
    const code = stream.peek(log);
    out[i] = symbols[code] as number;
    stream.left -= bits[code] as number;
    sound(stream.left >= 0);
  }
  sound(stream.left === 0);
}
