/** Columns as arrays of Arrow (spec/columns.md section 7). */
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DenseUnion,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  Map_,
  makeData,
  makeVector,
  Null,
  Struct,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import type { ColumnData } from '../columns/read/column-data.ts';
import { dataOfValues } from './values.ts';

type Kind<K extends ColumnData['kind']> = Extract<ColumnData, { kind: K }>;
type Numbers = Kind<'numbers'>['values'] | Int32Array;

/** Which rows have a value: value i belongs to the i-th of them. Null if all have. */
type Mask = Uint8Array | null;

/** Returns an array of `n` rows. Rows without a value are null. Numbers without null are used in place. */
export function arrowData(data: ColumnData, n: number, mask: Mask = null): Data {
  switch (data.kind) {
    case 'numbers':
      return numbers(data, n, mask);
    case 'times':
      return times(data, n, mask);
    case 'bytes': {
      const type = data.type === 'str' ? new Utf8() : new Binary();
      const valueOffsets = spreadOffsets(data.offsets, n, mask);
      return makeData({ type, ...validity(n, mask), valueOffsets, data: data.bytes } as never);
    }
    case 'dictionary':
      return dictionary(data, n, mask);
    case 'lists': {
      const child = arrowData(data.items, data.offsets.at(-1) as number);
      const type = new List(new Field('item', child.type, true));
      const valueOffsets = spreadOffsets(data.offsets, n, mask);
      return makeData({ type, ...validity(n, mask), valueOffsets, child });
    }
    case 'structs':
      return structs(data, n, mask);
    case 'maps':
      return maps(data, n, mask);
    case 'union':
      return union(data, n, mask);
    default:
      if (isNil(data)) return makeData({ type: new Null(), length: n });
      return arrowData(dataOfValues(data.values), n, mask);
  }
}

/** Returns the length and the bitmap of null, lowest bit first. */
function validity(n: number, mask: Mask): { length: number; nullCount: number; nullBitmap?: Uint8Array } {
  if (mask === null) return { length: n, nullCount: 0 };
  const nullBitmap = new Uint8Array((n + 7) >> 3);
  let nullCount = 0;
  for (let i = 0; i < n; i++)
    if (mask[i] === 0) nullCount++;
    else nullBitmap[i >> 3] = (nullBitmap[i >> 3] as number) | (1 << (i & 7));
  return { length: n, nullCount, nullBitmap };
}

/** Returns values with a place for each null. */
function spread<T extends Numbers>(values: T, n: number, mask: Mask): T {
  if (mask === null) return values;
  const found = new (values.constructor as new (length: number) => T)(n);
  let next = 0;
  for (let i = 0; i < n; i++) if (mask[i] !== 0) found[i] = values[next++] as never;
  return found;
}

/** Returns offsets in which nulls are empty. */
function spreadOffsets(offsets: Int32Array, n: number, mask: Mask): Int32Array {
  if (mask === null) return offsets;
  const found = new Int32Array(n + 1);
  let next = 0;
  for (let i = 0; i < n; i++) {
    if (mask[i] !== 0) next++;
    found[i + 1] = offsets[next] as number;
  }
  return found;
}

function wide(values: Numbers): BigInt64Array | BigUint64Array {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) return values;
  const found = new BigInt64Array(values.length);
  for (let i = 0; i < found.length; i++) found[i] = BigInt(values[i] as number);
  return found;
}

/** Returns them as those of 32 bits where these hold all: programs read them as numbers. */
function narrow(values: Float64Array): Int32Array | Uint32Array | BigInt64Array | BigUint64Array {
  let min = 0;
  let max = 0;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min >= -0x80000000 && max <= 0x7fffffff) return Int32Array.from(values);
  return min === 0 && max <= 0xffffffff ? Uint32Array.from(values) : wide(values);
}

function typeOf(values: Numbers, isFloat: boolean): DataType {
  if (isFloat) return values instanceof Float32Array ? new Float32() : new Float64();
  if (values instanceof Uint8Array) return new Uint8();
  if (values instanceof Uint16Array) return new Uint16();
  if (values instanceof Uint32Array) return new Uint32();
  if (values instanceof Int32Array) return new Int32();
  return values instanceof BigUint64Array ? new Uint64() : new Int64();
}

function numbers({ type, values }: Kind<'numbers'>, n: number, mask: Mask): Data {
  const isFloat = type !== 'int';
  const found = !isFloat && values instanceof Float64Array ? narrow(values) : values;
  return makeData({
    type: typeOf(found, isFloat),
    ...validity(n, mask),
    data: spread(found, n, mask),
  } as never);
}

/** The types of timestamps with 0, 3, 6 and 9 digits. */
const TIMES = [TimestampSecond, TimestampMillisecond, TimestampMicrosecond, TimestampNanosecond] as const;

function times({ digits, values }: Kind<'times'>, n: number, mask: Mask): Data {
  const type = new (TIMES[digits / 3] as (typeof TIMES)[0])();
  return makeData({ type, ...validity(n, mask), data: spread(wide(values), n, mask) } as never);
}

/** Returns the values that were read as they are; undefined for others. */
function plainValues(data: ColumnData): ArrayLike<unknown> | undefined {
  return data.kind === 'values' ? data.values : undefined;
}

function dictionary({ indexes, entries }: Kind<'dictionary'>, n: number, mask: Mask): Data {
  const values = plainValues(entries);
  if (values !== undefined && isAll(values, (value) => typeof value === 'boolean'))
    return booleans(
      Array.from(indexes, (index) => values[index] === true),
      n,
      mask,
    );
  if (isNil(entries)) return arrowData(entries, n);
  const child = arrowData(entries, entryCount(entries));
  const type = new Dictionary(child.type, new Int32());
  const data = spread(Int32Array.from(indexes), n, mask);
  return makeData({ type, ...validity(n, mask), data, dictionary: makeVector(child) });
}

function booleans(values: readonly boolean[], n: number, mask: Mask): Data {
  const data = new Uint8Array((n + 7) >> 3);
  let next = 0;
  for (let i = 0; i < n; i++)
    if (mask?.[i] !== 0 && values[next++]) data[i >> 3] = (data[i >> 3] as number) | (1 << (i & 7));
  return makeData({ type: new Bool(), ...validity(n, mask), data });
}

function isAll(values: ArrayLike<unknown>, holds: (value: unknown) => boolean): boolean {
  for (let i = 0; i < values.length; i++) if (!holds(values[i])) return false;
  return true;
}

function isNil(data: ColumnData): boolean {
  if (data.kind === 'dictionary') return isNil(data.entries);
  const values = plainValues(data);
  return values !== undefined && isAll(values, (value) => value === null);
}

function entryCount(data: ColumnData): number {
  switch (data.kind) {
    case 'numbers':
    case 'times':
    case 'values':
      return data.values.length;
    case 'bytes':
    case 'lists':
    case 'maps':
      return data.offsets.length - 1;
    case 'dictionary':
      return data.indexes.length;
    case 'structs':
      return data.n;
    default:
      return data.tags.length;
  }
}

function structs({ keys, shapes, shapeOf, columns }: Kind<'structs'>, n: number, mask: Mask): Data {
  const children = columns.map((column, key) => {
    if (shapeOf === null) return arrowData(column, n, mask);
    const has = shapes.map((shape) => shape.includes(key));
    const own = new Uint8Array(n);
    let next = 0;
    for (let i = 0; i < n; i++) if (mask?.[i] !== 0 && has[shapeOf[next++] as number]) own[i] = 1;
    return arrowData(column, n, own);
  });
  const fields = children.map((child, i) => new Field(keys[i] as string, child.type, true));
  return makeData({ type: new Struct(fields), ...validity(n, mask), children });
}

function maps({ offsets, keys, values }: Kind<'maps'>, n: number, mask: Mask): Data {
  const count = offsets.at(-1) as number;
  const children = [arrowData(keys, count), arrowData(values, count)] as [Data, Data];
  const fields = [new Field('key', children[0].type, false), new Field('value', children[1].type, true)];
  const entries = new Struct<{ key: DataType; value: DataType }>(fields as never);
  const child = makeData({ type: entries, length: count, nullCount: 0, children });
  const type = new Map_(new Field('entries', entries, false) as never);
  return makeData({
    type,
    ...validity(n, mask),
    valueOffsets: spreadOffsets(offsets, n, mask),
    child,
  });
}

function union(data: Kind<'union'>, n: number, mask: Mask): Data {
  const { tags, branches } = data;
  const nil = branches.findIndex(isNil);
  const rows = rowTags(tags, n, mask, nil);
  const others = branches.map((_, tag) => tag).filter((tag) => tag !== nil);
  const nullable = rows.includes(NONE) ? Uint8Array.from(rows, (tag) => (tag === NONE ? 0 : 1)) : null;
  if (others.length === 1) return arrowData(branches[others[0] as number] as ColumnData, n, nullable);
  const merged = mergedNumbers(branches, rows);
  if (merged !== undefined) return numbers({ kind: 'numbers', type: 'float64', values: merged }, n, nullable);
  // A union has no bitmap: null is a branch of its own.
  const children = others.map((tag) => {
    const branch = branches[tag] as ColumnData;
    return arrowData(branch, entryCount(branch));
  });
  const typeIds = Int8Array.from(rows, (tag) => (tag === NONE ? others.length : others.indexOf(tag)));
  const next = new Int32Array(others.length + 1);
  const valueOffsets = Int32Array.from(typeIds, (id) => {
    const offset = next[id] as number;
    next[id] = offset + 1;
    return offset;
  });
  if (nullable !== null) children.push(makeData({ type: new Null(), length: next.at(-1) as number }));
  const fields = children.map((child, i) => new Field(String(i), child.type, true));
  const type = new DenseUnion(
    fields.map((_, i) => i),
    fields,
  );
  return makeData({ type, length: n, typeIds, valueOffsets, children } as never);
}

/** The tag of a row that is null. */
const NONE = 255;

function rowTags(tags: ArrayLike<number>, n: number, mask: Mask, nil: number): Uint8Array {
  const rows = new Uint8Array(n).fill(NONE);
  let next = 0;
  for (let i = 0; i < n; i++) {
    if (mask?.[i] === 0) continue;
    const tag = tags[next++] as number;
    if (tag !== nil) rows[i] = tag;
  }
  return rows;
}

/** Returns the numbers of all branches in the order of the rows, if a float of 64 bits holds each. */
function mergedNumbers(branches: readonly ColumnData[], rows: Uint8Array): Float64Array | undefined {
  const all: (ArrayLike<number> | undefined)[] = branches.map((branch) =>
    branch.kind === 'numbers' && !(branch.values instanceof BigInt64Array || branch.values instanceof BigUint64Array)
      ? branch.values
      : smallNumbers(branch),
  );
  const present = new Set(rows);
  if (all.some((values, tag) => values === undefined && present.has(tag))) return undefined;
  const next = new Uint32Array(branches.length);
  const merged: number[] = [];
  for (const tag of rows) {
    if (tag === NONE) continue;
    const at = next[tag] as number;
    next[tag] = at + 1;
    merged.push((all[tag] as ArrayLike<number>)[at] as number);
  }
  return Float64Array.from(merged);
}

/** Returns few numbers that were stored one by one. */
function smallNumbers(branch: ColumnData): number[] | undefined {
  const values = plainValues(branch);
  return values !== undefined && isAll(values, (value) => typeof value === 'number')
    ? (Array.from(values) as number[])
    : undefined;
}
