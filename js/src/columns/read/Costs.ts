/** What the values of a payload take from its budget (spec/columns.md section 4). */
import type { DecoderState } from '../../decode/DecoderState.ts';
import type { ColumnNode, SafeIntegers } from '../ColumnNode.ts';
import * as C from '../ColumnNode.ts';
import { need, skipPlain } from '../malformed.ts';
import { smallIntegers } from './numbers.ts';

/** Takes what a value is charged: its bytes as plain MessagePack, and its values with those in it. */
type Charge = (bytes: number, values: number) => void;

/** Returns the bytes of each value of a leaf; 0 where they differ. */
function bytesOfEach({ kind, mode }: ColumnNode): number {
  if (kind === C.INT) return 1;
  if (kind === C.TIME) return 5;
  if (kind === C.SCALED) return 9;
  return kind === C.FLOAT ? (mode === 0 ? 9 : 5) : 0;
}

/** Returns what a value of BYTES takes in addition to its payload; in mode 4 that is the byte 00. */
function headerOf({ mode }: ColumnNode): number {
  return mode === C.BIN || mode === C.EXT ? 2 : 1;
}

/**
 * Counts what the values of the columns take, before any of them is made, and checks the numbers on
 * which that depends: lengths, indexes, tags and shapes.
 */
export class Costs {
  bytes = 0;
  values = 0;
  readonly #decoder: DecoderState;
  readonly #plainSize: number;

  constructor(decoder: DecoderState, plainSize: number) {
    this.#decoder = decoder;
    this.#plainSize = plainSize;
  }

  #charge(bytes: number, values: number): void {
    this.bytes += bytes;
    this.values += values;
  }

  /** Adds a column whose containers may be nested in `depth` levels. */
  add(node: ColumnNode, depth: number): void {
    const { kind, mode, n, size } = node;
    const each = bytesOfEach(node);
    const isContainer = kind >= C.LIST && kind <= C.MAP;
    need(!isContainer || n === 0 || depth > 0);
    if (kind === C.DICT) this.#dictionary(node);
    else if (kind === C.STRUCT) this.#struct(node, depth);
    else if (kind === C.UNION) this.#union(node, depth);
    else if (isContainer) this.#lists(node, depth);
    else if (each > 0) this.#charge(n * each, n);
    // Whoever reads the strings finds how many there are.
    else if (kind === C.BYTES && mode === C.TERMINATED && size <= this.#decoder.config.maxStrLen) {
      need(size === 0 || this.#decoder.src[node.at + size - 1] === 0);
      this.#charge(size, n);
    } else this.#each(node, (bytes, values) => this.#charge(bytes, values));
  }

  #limitOf({ mode }: ColumnNode): number {
    const { maxStrLen, maxBinLen, maxExtLen } = this.#decoder.config;
    return mode === C.BIN ? maxBinLen : mode === C.EXT ? maxExtLen : maxStrLen;
  }

  #each(node: ColumnNode, charge: Charge, limit: number = this.#limitOf(node)): void {
    const { kind, mode, n, at, size } = node;
    const { src, view } = this.#decoder;
    let p = at;
    if (kind === C.PLAIN)
      for (let row = 0; row < n; row++) {
        const { end, values } = skipPlain(src, view, p, at + size);
        charge(end - p, values);
        p = end;
      }
    else if (kind === C.BYTES && mode === C.TERMINATED)
      for (let row = 0; row < n; row++) {
        const start = p;
        while (p < at + size && src[p] !== 0) p++;
        need(p - start <= limit);
        p++;
        charge(p - start, 1);
      }
    else if (kind === C.BYTES) {
      const lengths = smallIntegers(src, node.child(0));
      p += sumOf(lengths, limit);
      const header = headerOf(node);
      for (let row = 0; row < n; row++) charge(header + (lengths[row] as number), 1);
    } else {
      const each = bytesOfEach(node);
      for (let row = 0; row < n; row++) charge(each, 1);
      return;
    }
    need(p === at + size);
  }

  #dictionary({ n, children }: ColumnNode): void {
    const [indexes, entries] = children as [ColumnNode, ColumnNode];
    // Each row takes a byte at least.
    need(this.bytes + n <= this.#plainSize);
    const bytes = new Float64Array(entries.n);
    const values = new Float64Array(entries.n);
    let entry = 0;
    const keep: Charge = (size, count) => {
      bytes[entry] = size;
      values[entry++] = count;
    };
    // Limits are those of values that rows have.
    this.#each(entries, keep, Number.POSITIVE_INFINITY);
    const isBytes = entries.kind === C.BYTES;
    const most = isBytes ? this.#limitOf(entries) + headerOf(entries) : Number.POSITIVE_INFINITY;
    const picked = smallIntegers(this.#decoder.src, indexes);
    for (let row = 0; row < n; row++) {
      const index = picked[row] as number;
      need(index >= 0 && index < entries.n && (bytes[index] as number) <= most);
      this.#charge(bytes[index] as number, values[index] as number);
    }
  }

  #struct(node: ColumnNode, depth: number): void {
    const { n, keySizes, shapes, children } = node;
    // One shape of all keys in order, where there are no others.
    const all = shapes.length === 0 ? [keySizes.map((_, key) => key)] : shapes;
    const rowsOf = new Float64Array(all.length);
    if (shapes.length === 0) rowsOf[0] = n;
    else {
      const shapeOf = smallIntegers(this.#decoder.src, node.child(0));
      for (let row = 0; row < n; row++) {
        const shape = shapeOf[row] as number;
        need(shape >= 0 && shape < shapes.length);
        rowsOf[shape] = (rowsOf[shape] as number) + 1;
      }
    }
    const cells = new Float64Array(keySizes.length);
    all.forEach((shape, index) => {
      const rows = rowsOf[index] as number;
      need(rows === 0 || shape.length <= this.#decoder.config.maxMapLen);
      let bytes = 1;
      for (const key of shape) {
        bytes += 1 + (keySizes[key] as number);
        cells[key] = (cells[key] as number) + rows;
      }
      this.#charge(rows * bytes, rows * (1 + shape.length));
    });
    const columns = shapes.length === 0 ? children : children.slice(1);
    columns.forEach((column, key) => {
      need(cells[key] === column.n);
      this.add(column, depth - 1);
    });
  }

  #union({ n, children }: ColumnNode, depth: number): void {
    const [tagNode, ...branches] = children as [ColumnNode, ...ColumnNode[]];
    const tags = smallIntegers(this.#decoder.src, tagNode);
    const counts = new Float64Array(branches.length);
    for (let row = 0; row < n; row++) {
      const tag = tags[row] as number;
      need(tag >= 0 && tag < branches.length);
      counts[tag] = (counts[tag] as number) + 1;
    }
    branches.forEach((branch, tag) => {
      need(counts[tag] === branch.n);
      this.add(branch, depth);
    });
  }

  #lists({ kind, n, children }: ColumnNode, depth: number): void {
    const { maxArrayLen, maxMapLen } = this.#decoder.config;
    const [lengths, ...parts] = children as [ColumnNode, ...ColumnNode[]];
    const sum = sumOf(smallIntegers(this.#decoder.src, lengths), kind === C.LIST ? maxArrayLen : maxMapLen);
    this.#charge(n, n);
    for (const part of parts) {
      need(part.n === sum);
      this.add(part, depth - 1);
    }
  }
}

function sumOf(lengths: SafeIntegers, limit: number): number {
  let sum = 0;
  for (let row = 0; row < lengths.length; row++) {
    const length = lengths[row] as number;
    need(length >= 0 && length <= limit);
    sum += length;
  }
  return sum;
}
