import { integerAt, safeIntegerAt } from '../../wire/integers.ts';
import * as C from '../ColumnNode.ts';
import { ByteSink } from './ByteSink.ts';
import { ByteTable } from './ByteTable.ts';
import { extType, timesOf } from './ext-columns.ts';
import { type IntegerList, writeIntegers } from './integers.ts';
import { type KeyLists, NO_LIST } from './KeyLists.ts';
import { Sections, writeInteger } from './Sections.ts';
import { scale } from './scale.ts';
import * as T from './Tape.ts';

/** Number of containers in one another whose values become columns. */
const MAX_CONTAINERS = 32;
/** Size of a column below which it is PLAIN, and bytes by which a node may not exceed that. */
const MIN_SIZE = 24;
const DROP = 16;
/** Number of rows from which on there is a DICT, or a UNION and strings of different sizes. */
const MIN_DICT = 16;
const MIN_ROWS = 8;
/** Maximum number of different numbers in a DICT. */
const MAX_NUMBERS = 4096;
/** Number of first rows, and of different values among them above which there is no DICT. */
const FIRST_ROWS = 1024;
const FIRST_VALUES = 896;
/** Maximum number of shapes of a STRUCT, and of its keys. */
const MAX_SHAPES = 2048;
const MAX_KEYS = 2048;
/** Maximum mean size of the payloads of ext values. */
const MAX_EXT = 64;
/** The expansion that readers allow by default. */
const MAX_EXPANSION = 16;
/** Number of bytes below which a copy byte by byte takes less time than a call of `set`. */
const FEW_BYTES = 64;

/** The maps of a STRUCT: its keys, its shapes and the shape of each row. */
interface Struct {
  /** A value of the tape that is each key. */
  readonly keys: readonly number[];
  /** The shapes, as indexes of keys. */
  readonly shapes: readonly (readonly number[])[];
  readonly shapeOf: Float64Array;
  /** Number of rows that have each key. */
  readonly counts: readonly number[];
}

/** Makes columns of the values of a tape, by the rule of spec/columns.md section 6. */
export class ColumnWriter {
  readonly out: Sections = new Sections();
  /** The last payload. */
  readonly payload: ByteSink = new ByteSink();
  readonly #tape: T.Tape;
  readonly #lists: KeyLists;
  readonly #table = new ByteTable();

  constructor(tape: T.Tape, lists: KeyLists) {
    this.#tape = tape;
    this.#lists = lists;
  }

  /** Writes the payload for a value. Returns false if it is not better stored by column, whatever the size. */
  write(index: number): boolean {
    this.out.clear();
    this.#column(Int32Array.of(index), MAX_CONTAINERS);
    const { payload } = this;
    const { directory, data } = this.out;
    if (directory.bytes[0] === C.PLAIN) return false;
    const tape = this.#tape;
    const plainSize = tape.size(index);
    payload.clear();
    payload.byte(C.VERSION);
    writeInteger(payload, plainSize);
    writeInteger(payload, (tape.next[index] as number) - index);
    writeInteger(payload, tape.height[index] as number);
    writeInteger(payload, directory.size);
    payload.copy(directory.bytes, 0, directory.size);
    payload.copy(data.bytes, 0, data.size);
    const least = Math.ceil((plainSize - C.ALWAYS_ALLOWED) / MAX_EXPANSION);
    if (payload.size < least) payload.zeros(least - payload.size);
    return true;
  }

  /** Writes a column whose values may be containers in `levels` levels. */
  #column(rows: Int32Array, levels: number): void {
    const { out } = this;
    const tape = this.#tape;
    const n = rows.length;
    let size = 0;
    for (let i = 0; i < n; i++) size += tape.size(rows[i] as number);
    if (size < MIN_SIZE || levels === 0) {
      this.#plain(rows, size);
      return;
    }
    const first = tape.type[rows[0] as number] as number;
    if (n > 1 && this.#allEqual(rows)) {
      out.node(C.DICT);
      out.uint(1);
      this.#simple([]);
      this.#plain(rows.subarray(0, 1), tape.size(rows[0] as number));
      return;
    }
    if (n < 4 && first < T.ARRAY) {
      this.#plain(rows, size);
      return;
    }
    const [directory, data] = [out.directory.size, out.data.size];
    const counts = this.#countTypes(rows);
    const made =
      counts[first] === n
        ? this.#dictionary(rows, first, size, levels) || this.#byType(rows, first, levels)
        : this.#union(rows, counts, levels);
    if (made && out.size - directory - data < size + DROP) return;
    out.directory.size = directory;
    out.data.size = data;
    this.#plain(rows, size);
  }

  #allEqual(rows: Int32Array): boolean {
    const first = rows[0] as number;
    for (let i = 1; i < rows.length; i++) if (!this.#tape.equal(first, rows[i] as number)) return false;
    return true;
  }

  #plain(rows: Int32Array, size: number): void {
    const { out } = this;
    const { src, start } = this.#tape;
    out.node(C.PLAIN);
    out.uint(size);
    const n = rows.length;
    for (let i = 0; i < n; ) {
      const from = start[rows[i] as number] as number;
      let to = this.#tape.end(rows[i++] as number);
      // Values that follow each other in the message are copied at once.
      for (; i < n && start[rows[i] as number] === to; i++) to = this.#tape.end(rows[i] as number);
      out.data.copy(src, from, to);
    }
  }

  #simple(values: IntegerList): void {
    writeIntegers(this.out, values, { simple: true, unsigned: false });
  }

  #integers(values: IntegerList, unsigned = false): void {
    writeIntegers(this.out, values, { simple: false, unsigned });
  }

  #countTypes(rows: Int32Array): Int32Array {
    const counts = new Int32Array(T.TYPES);
    const { type } = this.#tape;
    for (let i = 0; i < rows.length; i++) {
      const t = type[rows[i] as number] as number;
      counts[t] = (counts[t] as number) + 1;
    }
    return counts;
  }

  #union(rows: Int32Array, counts: Int32Array, levels: number): boolean {
    const n = rows.length;
    if (n < MIN_ROWS) return false;
    const { type } = this.#tape;
    const tagOf = new Uint8Array(T.TYPES);
    const branches: Int32Array[] = [];
    for (let t = 0; t < T.TYPES; t++)
      if (counts[t] !== 0) {
        tagOf[t] = branches.length;
        branches.push(new Int32Array(counts[t] as number));
      }
    const tags = new Uint8Array(n);
    const next = new Int32Array(branches.length);
    for (let i = 0; i < n; i++) {
      const row = rows[i] as number;
      const tag = tagOf[type[row] as number] as number;
      tags[i] = tag;
      const at = next[tag] as number;
      (branches[tag] as Int32Array)[at] = row;
      next[tag] = at + 1;
    }
    const { out } = this;
    out.node(C.UNION);
    out.directory.byte(branches.length);
    for (const branch of branches) out.uint(branch.length);
    this.#simple(tags);
    for (const branch of branches) this.#column(branch, levels);
    return true;
  }

  #dictionary(rows: Int32Array, type: number, size: number, levels: number): boolean {
    const n = rows.length;
    const isNumber = type >= T.INTEGER && type <= T.FLOAT64;
    const isBytes = type === T.STRING || type === T.BINARY || type === T.EXTENSION;
    if (n < MIN_DICT || !(isNumber || isBytes)) return false;
    const indexes = new Int32Array(n);
    const most = isNumber ? Math.min(n >> 3, MAX_NUMBERS) : n >> 1;
    const entries = this.#distinct(rows, most, indexes);
    if (entries === null) return false;
    let bytes = 0;
    for (const entry of entries) bytes += this.#tape.size(entry);
    const width = entries.length <= 0x100 ? 1 : entries.length <= 0x10000 ? 2 : 4;
    const sum = bytes + n * width + 16;
    if (8 * sum > (isNumber ? 5 : 7) * size) return false;
    const { out } = this;
    out.node(C.DICT);
    out.uint(entries.length);
    this.#integers(indexes);
    this.#column(entries, levels);
    return true;
  }

  /** Returns the first row of each distinct value, and fills in which one each row has; null if they are too many. */
  #distinct(rows: Int32Array, most: number, indexes: Int32Array): Int32Array | null {
    const table = this.#table;
    const { src, start } = this.#tape;
    const entries: number[] = [];
    table.clear();
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const index = table.indexOf(src, start[row] as number, this.#tape.end(row));
      indexes[i] = index;
      if (index < entries.length) continue;
      const count = entries.push(row);
      if (count > most || (i < FIRST_ROWS && rows.length > FIRST_ROWS && count > FIRST_VALUES)) return null;
    }
    return Int32Array.from(entries);
  }

  #byType(rows: Int32Array, type: number, levels: number): boolean {
    switch (type) {
      case T.INTEGER:
        return this.#integerColumn(rows);
      case T.FLOAT32:
        this.#floats32(rows);
        return true;
      case T.FLOAT64:
        this.#floats(rows);
        return true;
      case T.STRING:
        return this.#strings(rows);
      case T.BINARY:
        return this.#binaries(rows);
      case T.EXTENSION:
        return this.#exts(rows);
      case T.ARRAY:
        this.#arrays(rows, levels);
        return true;
      case T.MAPPING:
        return this.#maps(rows, levels);
      default:
        return false;
    }
  }

  #integerColumn(rows: Int32Array): boolean {
    const values = this.#integersOf(rows);
    let unsigned = false;
    if (typeof values[0] === 'bigint') {
      const wide = values as readonly bigint[];
      unsigned = wide.some((value) => value >= 2n ** 63n);
      if (unsigned && wide.some((value) => value < 0n)) return false;
    }
    this.#integers(values, unsigned);
    return true;
  }

  /** Returns integers: as numbers if all are safe, else as bigints. */
  #integersOf(rows: Int32Array): IntegerList {
    const { view, start } = this.#tape;
    const n = rows.length;
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const value = safeIntegerAt(view, start[rows[i] as number] as number);
      if (Number.isNaN(value)) return Array.from(rows, (row) => BigInt(integerAt(view, start[row] as number)));
      values[i] = value;
    }
    return values;
  }

  #floats32(rows: Int32Array): void {
    const { out } = this;
    const { view, start } = this.#tape;
    out.node(C.FLOAT, 2);
    const at = out.data.take(4 * rows.length);
    for (let i = 0; i < rows.length; i++) {
      const bits = view.getUint32((start[rows[i] as number] as number) + 1);
      out.data.view.setUint32(at + 4 * i, bits, true);
    }
  }

  #floats(rows: Int32Array): void {
    const n = rows.length;
    const { out } = this;
    const { view, start } = this.#tape;
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = view.getFloat64((start[rows[i] as number] as number) + 1);
    const scaled = scale(values);
    if (scaled !== null) {
      out.node(C.SCALED);
      out.directory.byte(scaled.exponent);
      this.#integers(scaled.mantissas);
      return;
    }
    out.node(C.FLOAT);
    const at = out.data.take(8 * n);
    const to = out.data.view;
    // Bit by bit: the bits of a NaN are lost in a number.
    for (let i = 0; i < n; i++) {
      const p = (start[rows[i] as number] as number) + 1;
      to.setUint32(at + 8 * i, view.getUint32(p + 4), true);
      to.setUint32(at + 8 * i + 4, view.getUint32(p), true);
    }
  }

  #payloadSizes(rows: Int32Array): Float64Array {
    const sizes = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      sizes[i] = this.#tape.end(row) - this.#tape.body(row);
    }
    return sizes;
  }

  #strings(rows: Int32Array): boolean {
    const sizes = this.#payloadSizes(rows);
    if (allSame(sizes)) {
      this.#bodies(C.STR, rows, sizes);
      return true;
    }
    if (rows.length < MIN_ROWS) return false;
    if (!this.#terminated(rows, sizes)) this.#bodies(C.STR, rows, sizes);
    return true;
  }

  /** Writes strings with a byte 00 after each; returns false, with nothing written, if one has such a byte. */
  #terminated(rows: Int32Array, sizes: Float64Array): boolean {
    const { out } = this;
    const { src } = this.#tape;
    const total = sum(sizes) + rows.length;
    const at = out.data.take(total);
    const { bytes } = out.data;
    let to = at;
    let zeros = false;
    for (let i = 0; i < rows.length && !zeros; i++) {
      const from = this.#tape.body(rows[i] as number);
      const end = from + (sizes[i] as number);
      if (end - from < FEW_BYTES) {
        for (let p = from; p < end; p++) {
          const byte = src[p] as number;
          if (byte === 0) zeros = true;
          bytes[to++] = byte;
        }
      } else {
        const body = src.subarray(from, end);
        bytes.set(body, to);
        to += end - from;
        zeros = body.includes(0);
      }
      bytes[to++] = 0;
    }
    if (zeros) {
      out.data.size = at;
      return false;
    }
    out.node(C.BYTES, C.TERMINATED);
    out.uint(total);
    return true;
  }

  #bodies(mode: number, rows: Int32Array, sizes: Float64Array, type = 0): void {
    const { out } = this;
    const { src } = this.#tape;
    out.node(C.BYTES, mode);
    if (mode === C.EXT) out.directory.byte(type);
    out.uint(sum(sizes));
    for (let i = 0; i < rows.length; i++) {
      const from = this.#tape.body(rows[i] as number);
      out.data.copy(src, from, from + (sizes[i] as number));
    }
    this.#simple(sizes);
  }

  #binaries(rows: Int32Array): boolean {
    const sizes = this.#payloadSizes(rows);
    if (rows.length < MIN_ROWS && !allSame(sizes)) return false;
    this.#bodies(C.BIN, rows, sizes);
    return true;
  }

  #exts(rows: Int32Array): boolean {
    const times = timesOf(this.#tape, rows);
    if (times !== null) {
      this.out.node(C.TIME);
      this.out.directory.byte(times.digits);
      this.#integers(times.values);
      return true;
    }
    const n = rows.length;
    const type = extType(this.#tape, rows[0] as number);
    for (let i = 1; i < n; i++) if (extType(this.#tape, rows[i] as number) !== type) return false;
    const sizes = this.#payloadSizes(rows);
    if ((n < MIN_DICT && !allSame(sizes)) || sum(sizes) > MAX_EXT * n) return false;
    this.#bodies(C.EXT, rows, sizes, type);
    return true;
  }

  #arrays(rows: Int32Array, levels: number): void {
    const lengths = Float64Array.from(rows, (row) => this.#tape.entries(row));
    const items = this.#children(rows, sum(lengths));
    this.out.node(C.LIST);
    this.out.uint(items.length);
    this.#simple(lengths);
    this.#column(items, levels - 1);
  }

  /** Returns the `count` values that are directly in containers. */
  #children(rows: Int32Array, count: number): Int32Array {
    const { next } = this.#tape;
    const children = new Int32Array(count);
    let n = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const end = next[row] as number;
      for (let child = row + 1; child < end; child = next[child] as number) children[n++] = child;
    }
    return children;
  }

  #maps(rows: Int32Array, levels: number): boolean {
    const lengths = Float64Array.from(rows, (row) => this.#tape.entries(row));
    const cells = sum(lengths);
    const struct = this.#structOf(rows, cells);
    if (struct !== null) {
      this.#struct(rows, struct, levels);
      return true;
    }
    if (rows.length > 1 && cells < 2 * rows.length) return false;
    const { out } = this;
    const both = this.#children(rows, 2 * cells);
    out.node(C.MAP);
    out.uint(cells);
    this.#simple(lengths);
    this.#column(every(both, 0, 2), levels - 1);
    this.#column(every(both, 1, 2), levels - 1);
    return true;
  }

  /** Returns the keys and shapes of maps; null if they are too different. */
  #structOf(rows: Int32Array, cells: number): Struct | null {
    const lists = this.#lists;
    const { next } = this.#tape;
    const n = rows.length;
    const keys: number[] = [];
    const counts: number[] = [];
    const shapes: number[][] = [];
    const rowsOf: number[] = [];
    const keyIndexes = new Map<string, number>();
    const shapeIndexes = new Map<number, number>();
    const shapeOf = new Float64Array(n);
    let before = NO_LIST;
    let shape = 0;
    let inShapes = 0;
    for (let i = 0; i < n; i++) {
      const list = lists.of[rows[i] as number] as number;
      if (list === NO_LIST || !lists.distinct[list]) return null;
      if (list !== before) {
        before = list;
        const known = shapeIndexes.get(list);
        if (known !== undefined) shape = known;
        else {
          shape = shapes.length;
          shapeIndexes.set(list, shape);
          let key = lists.firstKey(list);
          const indexes = lists.bytesOf(list).map((bytes) => {
            const index = keyIndexes.get(bytes) ?? keys.length;
            if (index === keys.length) {
              keyIndexes.set(bytes, index);
              keys.push(key);
              counts.push(0);
            }
            key = next[key + 1] as number;
            return index;
          });
          shapes.push(indexes);
          rowsOf.push(0);
          inShapes += indexes.length;
          if (shapes.length > MAX_SHAPES || keys.length > MAX_KEYS) return null;
        }
      }
      shapeOf[i] = shape;
      rowsOf[shape] = (rowsOf[shape] as number) + 1;
    }
    if (cells < 8 * keys.length || 3 * inShapes > cells) return null;
    shapes.forEach((indexes, s) => {
      for (const key of indexes) counts[key] = (counts[key] as number) + (rowsOf[s] as number);
    });
    return { keys, shapes, shapeOf, counts };
  }

  #struct(rows: Int32Array, { keys, shapes, shapeOf, counts }: Struct, levels: number): void {
    const { out } = this;
    const { src, start, next } = this.#tape;
    const columns = counts.map((count) => new Int32Array(count));
    const ends = new Int32Array(keys.length);
    for (let i = 0; i < rows.length; i++) {
      let key = (rows[i] as number) + 1;
      const shape = shapes[shapeOf[i] as number] as readonly number[];
      for (let j = 0; j < shape.length; j++) {
        const index = shape[j] as number;
        const at = ends[index] as number;
        (columns[index] as Int32Array)[at] = key + 1;
        ends[index] = at + 1;
        key = next[key + 1] as number;
      }
    }
    out.node(C.STRUCT);
    out.uint(keys.length);
    for (const key of keys) out.directory.copy(src, start[key] as number, start[key + 1] as number);
    out.uint(shapes.length);
    if (shapes.length > 1) {
      for (const shape of shapes) {
        out.uint(shape.length);
        for (const key of shape) out.uint(key);
      }
      for (const count of counts) out.uint(count);
      this.#integers(shapeOf);
    }
    for (const column of columns) this.#column(column, levels - 1);
  }
}

function every(rows: Int32Array, first: number, step: number): Int32Array {
  const found = new Int32Array(rows.length / step);
  for (let i = 0; i < found.length; i++) found[i] = rows[first + i * step] as number;
  return found;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i] as number;
  return total;
}

function allSame(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}
