/** Huffman codes (RFC 8878 section 4.2). */
import { sound, ZstdBits } from './ZstdBits.ts';
import { readFseTable } from './zstd-fse.ts';

const MAX_BITS = 11;
const MAX_WEIGHT_LOG = 6;

/** The symbol and the number of bits of what begins with each number of `log` bits. */
export interface HuffmanTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

/** Reads a table from a position on, and returns it with the position after it. */
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
