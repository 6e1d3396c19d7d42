import {
  type FseTable,
  fseTable,
  type HuffmanTable,
  oneSymbol,
  readFseTable,
  readHuffmanTable,
  sound,
  unpackHuffman,
  ZstdBits,
} from './zstd-entropy.ts';

const MAX_BLOCK = 1 << 17;
/** Number of bytes up to which a copy byte by byte takes less time than a call. */
const FEW_BYTES = 32;

const repeated = (times: number, value: number): number[] => new Array(times).fill(value);

/** Makes a kind of numbers in sequences, up to a largest code: codes with further bits. */
const kindOf = (maxLog: number, log: number, max: number, counts: number[]) => ({
  maxLog,
  max,
  standard: fseTable(log, counts),
});

/** What all frames share; made when the first one is read. */
type Codes = ReturnType<typeof makeCodes>;

function basesOf(bits: readonly number[], first: number): number[] {
  let base = first;
  return bits.map((count) => {
    base += 1 << count;
    return base - (1 << count);
  });
}

let codes: Codes | undefined;

/** Returns the kinds for literals, offsets and matches; the number that each code begins with, and its further bits. */
function makeCodes() {
  const few = [1, 1, 1, 1, 2, 2, 3, 3];
  const literalBits = [...repeated(16, 0), ...few, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
  const matchBits = [...repeated(32, 0), ...few, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
  const literals = [4, 3, ...repeated(11, 2), 1, 1, 1, ...repeated(9, 2), 3, 2, ...repeated(5, 1)];
  const matches = [1, 4, 3, ...repeated(6, 2), ...repeated(37, 1), ...repeated(7, -1)];
  const offsets = [...repeated(6, 1), 2, 2, 2, ...repeated(15, 1), ...repeated(5, -1)];
  return {
    kinds: [kindOf(9, 6, 35, [...literals, ...repeated(4, -1)]), kindOf(8, 5, 31, offsets), kindOf(9, 6, 52, matches)],
    literalBits,
    literalBases: basesOf(literalBits, 0),
    matchBits,
    matchBases: basesOf(matchBits, 3),
  };
}

export class ZstdBlocks {
  written = 0;
  readonly #data: Uint8Array;
  readonly #out: Uint8Array;
  readonly #codes: Codes;
  /** Where the output of the block must end. */
  #limit = 0;
  /** What a block can take from the one before it. */
  #huffman: HuffmanTable | undefined;
  readonly #tables: (FseTable | undefined)[] = [undefined, undefined, undefined];
  readonly #offsets: [number, number, number] = [1, 4, 8];

  constructor(data: Uint8Array, out: Uint8Array) {
    codes ??= makeCodes();
    this.#codes = codes;
    this.#data = data;
    this.#out = out;
  }

  add(type: number, from: number, size: number): void {
    const out = this.#out;
    const at = this.written;
    sound(size <= MAX_BLOCK);
    this.#limit = Math.min(out.length, at + MAX_BLOCK);
    if (type === 2) {
      const end = from + size;
      const [literals, literalsEnd] = this.#literals(from, end);
      const rest = literals.subarray(this.#sequences(literalsEnd, end, literals));
      sound(this.written + rest.length <= this.#limit);
      out.set(rest, this.written);
      this.written += rest.length;
      return;
    }
    sound(type < 2 && at + size <= this.#limit);
    if (type === 0) out.set(this.#data.subarray(from, from + size), at);
    else out.fill(this.#data[from] as number, at, at + size);
    this.written += size;
  }

  #byte(p: number, end: number): number {
    sound(p < end);
    return this.#data[p] as number;
  }

  #literals(from: number, end: number): [literals: Uint8Array, at: number] {
    const data = this.#data;
    const first = this.#byte(from, end);
    const type = first & 3;
    const format = (first >> 2) & 3;
    const bytes = (count: number): number => {
      let value = 0;
      for (let i = count - 1; i >= 0; i--) value = value * 256 + this.#byte(from + i, end);
      return value;
    };
    if (type < 2) {
      const width = format % 2 === 0 ? 1 : format === 1 ? 2 : 3;
      const size = width === 1 ? first >> 3 : bytes(width) >> 4;
      const at = from + width;
      sound(size <= MAX_BLOCK && at + (type === 0 ? size : 1) <= end);
      if (type === 0) return [data.subarray(at, at + size), at + size];
      return [new Uint8Array(size).fill(data[at] as number), at + 1];
    }
    const bits = format < 2 ? 10 : format === 2 ? 14 : 18;
    const width = format < 2 ? 3 : format + 2;
    const sizes = Math.floor(bytes(width) / 16);
    const size = sizes % 2 ** bits;
    const packedEnd = from + width + Math.floor(sizes / 2 ** bits);
    sound(size <= MAX_BLOCK && packedEnd <= end);
    let at = from + width;
    if (type === 2) [this.#huffman, at] = readHuffmanTable(data.subarray(0, packedEnd), at);
    const out = new Uint8Array(size);
    this.#streams(at, packedEnd, out, format > 0);
    return [out, packedEnd];
  }

  #streams(from: number, end: number, out: Uint8Array, areFour: boolean): void {
    const data = this.#data;
    const table = this.#huffman;
    sound(table !== undefined);
    if (!areFour) {
      unpackHuffman(table, data, from, end, out);
      return;
    }
    sound(from + 6 <= end);
    const part = (out.length + 3) >> 2;
    sound(3 * part <= out.length);
    let at = from + 6;
    for (let i = 0; i < 4; i++) {
      const size = (data[from + 2 * i] as number) | ((data[from + 2 * i + 1] as number) << 8);
      const next = i === 3 ? end : at + size;
      sound(next <= end);
      const to = i === 3 ? out.length : (i + 1) * part;
      unpackHuffman(table, data, at, next, out.subarray(i * part, to));
      at = next;
    }
  }

  /** Unpacks the sequences, and returns the number of literals that they used. */
  #sequences(from: number, end: number, literals: Uint8Array): number {
    let p = from;
    let count = this.#byte(p++, end);
    if (count > 127) {
      const next = this.#byte(p++, end);
      count = count < 255 ? ((count - 128) << 8) + next : next + (this.#byte(p++, end) << 8) + 0x7f00;
    }
    if (count === 0) {
      sound(p === end);
      return 0;
    }
    const modes = this.#byte(p++, end);
    sound((modes & 3) === 0);
    for (let kind = 0; kind < 3; kind++) p = this.#table(kind, (modes >> (6 - 2 * kind)) & 3, p, end);
    return this.#run(count, new ZstdBits(this.#data, p, end), literals);
  }

  #table(index: number, mode: number, p: number, end: number): number {
    const { standard, maxLog, max } = this.#codes.kinds[index] as ReturnType<typeof kindOf>;
    if (mode === 0) this.#tables[index] = standard;
    else if (mode === 1) {
      const symbol = this.#byte(p, end);
      sound(symbol <= max);
      this.#tables[index] = oneSymbol(symbol);
      return p + 1;
    } else if (mode === 2) {
      const [table, next] = readFseTable(this.#data.subarray(0, end), p, maxLog, max);
      this.#tables[index] = table;
      return next;
    }
    sound(this.#tables[index] !== undefined);
    return p;
  }

  #run(count: number, bits: ZstdBits, literals: Uint8Array): number {
    const out = this.#out;
    const { literalBits, literalBases, matchBits, matchBases } = this.#codes;
    const [literal, offset, match] = this.#tables as [FseTable, FseTable, FseTable];
    let literalState = bits.read(literal.log);
    let offsetState = bits.read(offset.log);
    let matchState = bits.read(match.log);
    let used = 0;
    let at = this.written;
    for (let left = count; left > 0; left--) {
      const offsetCode = offset.symbols[offsetState] as number;
      // More bits than are read at once.
      const high = offsetCode > 16 ? bits.read(offsetCode - 16) : 0;
      const value = 2 ** offsetCode + high * 65536 + bits.read(Math.min(offsetCode, 16));
      const matchCode = match.symbols[matchState] as number;
      const size = (matchBases[matchCode] as number) + bits.read(matchBits[matchCode] as number);
      const code = literal.symbols[literalState] as number;
      const copied = (literalBases[code] as number) + bits.read(literalBits[code] as number);
      const distance = this.#distance(value, copied);
      sound(used + copied <= literals.length && at + copied + size <= this.#limit);
      for (const end = used + copied; used < end; ) out[at++] = literals[used++] as number;
      sound(distance > 0 && distance <= at);
      if (size > FEW_BYTES && distance >= size) {
        out.copyWithin(at, at - distance, at - distance + size);
        at += size;
      } else for (const end = at + size; at < end; at++) out[at] = out[at - distance] as number;
      if (left > 1) {
        literalState = (literal.bases[literalState] as number) + bits.read(literal.bits[literalState] as number);
        matchState = (match.bases[matchState] as number) + bits.read(match.bits[matchState] as number);
        offsetState = (offset.bases[offsetState] as number) + bits.read(offset.bits[offsetState] as number);
      }
    }
    sound(bits.left === 0);
    this.written = at;
    return used;
  }

  /** Returns how far back a match begins; small values stand for distances of sequences before. */
  #distance(value: number, copied: number): number {
    const before = this.#offsets;
    const index = value > 3 ? 3 : value - (copied === 0 ? 0 : 1);
    const distance = value > 3 ? value - 3 : index === 3 ? before[0] - 1 : (before[index] as number);
    if (index >= 2) before[2] = before[1];
    if (index >= 1) before[1] = before[0];
    before[0] = distance;
    return distance;
  }
}
