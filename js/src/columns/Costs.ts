/** What the values of a payload take from its budget (spec/columns.md section 4). */
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import type { ColumnNode, SafeIntegers } from './ColumnNode.ts';
import * as C from './ColumnNode.ts';
import { NONE } from './ColumnNode.ts';
import { smallIntegers } from './integers.ts';
import { need } from './malformed.ts';
import { skipPlain } from './plain.ts';

/** Sizes as plain MessagePack and numbers of values, of each row of a column. */
interface Rows {
  readonly bytes: Float64Array;
  readonly values: Float64Array;
}

/** The sum over all rows of a column; each row's own where that was asked for. */
interface Cost {
  bytes: number;
  values: number;
  readonly rows: Rows | null;
}

/**
 * Counts what the values of the columns take, before any of them is made, and checks the numbers on
 * which that depends: lengths, indexes, tags and shapes.
 */
export class Costs {
  readonly #src: Uint8Array;
  readonly #view: DataView;
  readonly #config: DecodeConfig;
  /** What the entries of dictionaries may still take. */
  #dictionaries: number;

  constructor(src: Uint8Array, view: DataView, config: DecodeConfig, plainSize: number) {
    this.#src = src;
    this.#view = view;
    this.#config = config;
    this.#dictionaries = plainSize;
  }

  /** Returns the cost of a column whose containers may be nested in `depth` levels. */
  of(node: ColumnNode, depth: number, byRow = false): Cost {
    const { kind, n } = node;
    if (kind >= C.LIST && kind <= C.MAP) need(n === 0 || depth > 0);
    switch (kind) {
      case C.PLAIN:
        return this.#plain(node, byRow);
      case C.INT:
        return uniform(n, 1, byRow);
      case C.FLOAT:
        return uniform(n, node.mode === 0 ? 9 : 5, byRow);
      case C.SCALED:
        return uniform(n, 9, byRow);
      case C.TIME:
        return uniform(n, 5, byRow);
      case C.BYTES:
        return this.#bytes(node, byRow);
      case C.DICT:
        return this.#dictionary(node, depth, byRow);
      case C.TUPLE: {
        const { maxArrayLen } = this.#config;
        need(n === 0 || node.children.length <= maxArrayLen);
        const cost = uniform(n, 1, byRow);
        for (const child of node.children) add(cost, this.of(child, depth - 1, byRow));
        return cost;
      }
      case C.STRUCT:
        return this.#struct(node, depth, byRow);
      case C.UNION:
        return this.#union(node, depth, byRow);
      default:
        return this.#lists(node, depth, byRow);
    }
  }

  #plain(node: ColumnNode, byRow: boolean): Cost {
    const { n, at, size } = node;
    const cost = newCost(n, byRow);
    let p = at;
    for (let row = 0; row < n; row++) {
      const { end, values } = skipPlain(this.#src, this.#view, p, at + size);
      charge(cost, row, end - p, values);
      p = end;
    }
    need(p === at + size);
    return cost;
  }

  #bytes(node: ColumnNode, byRow: boolean): Cost {
    const { n, mode, size, at } = node;
    const { maxStrLen, maxBinLen, maxExtLen } = this.#config;
    const limit = mode === C.BIN ? maxBinLen : mode === C.EXT ? maxExtLen : maxStrLen;
    const cost = newCost(n, byRow);
    if (mode !== C.TERMINATED) {
      const lengths = smallIntegers(this.#src, node.child(0));
      need(this.#sum(lengths, limit) === size);
      const header = mode === C.STR ? 1 : 2;
      for (let row = 0; row < n; row++) charge(cost, row, header + (lengths[row] as number), 1);
      return cost;
    }
    need(size === 0 || this.#src[at + size - 1] === 0);
    if (!byRow && limit >= size) return { bytes: size, values: n, rows: null };
    let p = at;
    for (let row = 0; row < n; row++) {
      const start = p;
      while (p < at + size && this.#src[p] !== 0) p++;
      need(p - start <= limit);
      p++;
      charge(cost, row, p - start, 1);
    }
    need(p === at + size);
    return cost;
  }

  /** Returns the sum of lengths, each of which must be within a limit. */
  #sum(lengths: SafeIntegers, limit: number): number {
    let sum = 0;
    for (let row = 0; row < lengths.length; row++) {
      const length = lengths[row] as number;
      need(length >= 0 && length <= limit);
      sum += length;
    }
    return sum;
  }

  #dictionary(node: ColumnNode, depth: number, byRow: boolean): Cost {
    const { n } = node;
    const [indexes, entries] = node.children as [ColumnNode, ColumnNode];
    const entry = this.of(entries, depth, true);
    this.#dictionaries -= entry.bytes;
    need(this.#dictionaries >= 0);
    const { bytes, values } = entry.rows as Rows;
    const cost = newCost(n, byRow);
    if (isConstant(indexes) && !byRow) {
      const index = Number(indexes.base);
      need(n === 0 || (index >= 0 && index < entries.n));
      if (n > 0) charge(cost, 0, n * (bytes[index] as number), n * (values[index] as number));
      return cost;
    }
    const picked = smallIntegers(this.#src, indexes);
    for (let row = 0; row < n; row++) {
      const index = picked[row] as number;
      need(index >= 0 && index < entries.n);
      charge(cost, row, bytes[index] as number, values[index] as number);
    }
    return cost;
  }

  #struct(node: ColumnNode, depth: number, byRow: boolean): Cost {
    const { n, keySizes, shapes, children } = node;
    const { maxMapLen } = this.#config;
    const cost = newCost(n, byRow);
    if (shapes.length === 0) {
      need(n === 0 || keySizes.length <= maxMapLen);
      const keys = keySizes.reduce((sum, size) => sum + 1 + size, 0);
      chargeAll(cost, n, 1 + keys, 1 + keySizes.length);
      for (const child of children) add(cost, this.of(child, depth - 1, byRow));
      return cost;
    }
    const shapeOf = smallIntegers(this.#src, node.child(0));
    const bytes = shapes.map((shape) =>
      shape.reduce((sum, key) => sum + 1 + (keySizes[key] as number), 1),
    );
    const rowsOf = new Float64Array(shapes.length);
    for (let row = 0; row < n; row++) {
      const shape = shapeOf[row] as number;
      need(shape >= 0 && shape < shapes.length);
      rowsOf[shape] = (rowsOf[shape] as number) + 1;
      if (byRow) charge(cost, row, bytes[shape] as number, 1 + (shapes[shape] as number[]).length);
    }
    shapes.forEach((shape, index) => {
      const rows = rowsOf[index] as number;
      need(rows === 0 || shape.length <= maxMapLen);
      if (!byRow) charge(cost, 0, rows * (bytes[index] as number), rows * (1 + shape.length));
    });
    const cells = new Float64Array(keySizes.length);
    shapes.forEach((shape, index) => {
      for (const key of shape) cells[key] = (cells[key] as number) + (rowsOf[index] as number);
    });
    for (let key = 0; key < keySizes.length; key++) need(cells[key] === node.child(key + 1).n);
    const columns = children.slice(1).map((child) => this.of(child, depth - 1, byRow));
    if (!byRow) {
      for (const column of columns) add(cost, column);
      return cost;
    }
    const next = new Float64Array(keySizes.length);
    for (let row = 0; row < n; row++)
      for (const key of shapes[shapeOf[row] as number] as number[])
        chargeRow(cost, row, columns[key] as Cost, next, key);
    return cost;
  }

  #union(node: ColumnNode, depth: number, byRow: boolean): Cost {
    const { n } = node;
    const tags = smallIntegers(this.#src, node.child(0));
    const branches = node.children.slice(1).map((child) => this.of(child, depth, byRow));
    const cost = newCost(n, byRow);
    const next = new Float64Array(branches.length);
    for (let row = 0; row < n; row++) {
      const tag = tags[row] as number;
      need(tag >= 0 && tag < branches.length);
      if (byRow) chargeRow(cost, row, branches[tag] as Cost, next, tag);
      else next[tag] = (next[tag] as number) + 1;
    }
    branches.forEach((branch, tag) => {
      need(next[tag] === node.child(tag + 1).n);
      if (!byRow) add(cost, branch);
    });
    return cost;
  }

  /** LIST and MAP. */
  #lists(node: ColumnNode, depth: number, byRow: boolean): Cost {
    const { n, kind } = node;
    const { maxArrayLen, maxMapLen } = this.#config;
    const lengths = smallIntegers(this.#src, node.child(0));
    const limit = kind === C.LIST ? maxArrayLen : maxMapLen;
    need(this.#sum(lengths, limit) === node.child(1).n);
    const parts = node.children.slice(1).map((child) => this.of(child, depth - 1, byRow));
    const cost = newCost(n, byRow);
    chargeAll(cost, n, 1, 1);
    if (!byRow) {
      for (const part of parts) add(cost, part);
      return cost;
    }
    const next = new Float64Array(parts.length);
    for (let row = 0; row < n; row++)
      for (let item = 0; item < (lengths[row] as number); item++)
        for (let part = 0; part < parts.length; part++)
          chargeRow(cost, row, parts[part] as Cost, next, part);
    return cost;
  }
}

/** Whether all integers of a node are its base. */
function isConstant({ form }: ColumnNode): boolean {
  return (form & 0x1f) === NONE;
}

function newCost(n: number, byRow: boolean): Cost {
  const rows = byRow ? { bytes: new Float64Array(n), values: new Float64Array(n) } : null;
  return { bytes: 0, values: 0, rows };
}

/** Returns the cost of `n` scalars of one size. */
function uniform(n: number, bytes: number, byRow: boolean): Cost {
  const cost = newCost(n, byRow);
  chargeAll(cost, n, bytes, 1);
  return cost;
}

function charge(cost: Cost, row: number, bytes: number, values: number): void {
  cost.bytes += bytes;
  cost.values += values;
  const { rows } = cost;
  if (rows === null) return;
  rows.bytes[row] = (rows.bytes[row] as number) + bytes;
  rows.values[row] = (rows.values[row] as number) + values;
}

function chargeAll(cost: Cost, n: number, bytes: number, values: number): void {
  if (cost.rows === null) {
    cost.bytes += n * bytes;
    cost.values += n * values;
  } else for (let row = 0; row < n; row++) charge(cost, row, bytes, values);
}

/** Adds a column that has the same rows. */
function add(cost: Cost, other: Cost): void {
  cost.bytes += other.bytes;
  cost.values += other.values;
  const { rows } = cost;
  if (rows === null) return;
  const { bytes, values } = other.rows as Rows;
  for (let row = 0; row < bytes.length; row++) {
    rows.bytes[row] = (rows.bytes[row] as number) + (bytes[row] as number);
    rows.values[row] = (rows.values[row] as number) + (values[row] as number);
  }
}

/** Adds the next row of another column, whose number is counted in `next`. */
function chargeRow(cost: Cost, row: number, other: Cost, next: Float64Array, index: number): void {
  const at = next[index] as number;
  next[index] = at + 1;
  const { bytes, values } = other.rows as Rows;
  charge(cost, row, bytes[at] as number, values[at] as number);
}
