/** Values that were read one by one, as columns. */
import { type ColumnData, offsetsOf } from '../columns/read/column-data.ts';
import { ExtData } from '../ext/extension.ts';
import { Timestamp } from '../ext/Timestamp.ts';
import { joined } from '../wire/platform.ts';
import { utf8Bytes } from '../wire/utf8.ts';

/** From here on, an integer needs 64 bits without a sign. */
const TWO_63 = 2n ** 63n;

/** The types of values, in the order of the branches of a union. */
const TYPES = ['nil', 'bool', 'number', 'bigint', 'large', 'str', 'bytes', 'array', 'time', 'map'] as const;
type ValueType = (typeof TYPES)[number];

function typeOf(value: unknown): ValueType {
  if (value === null || value === undefined) return 'nil';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
      return 'number';
    case 'bigint':
      return value < TWO_63 ? 'bigint' : 'large';
    case 'string':
      return 'str';
  }
  if (value instanceof Uint8Array || value instanceof ExtData) return 'bytes';
  if (Array.isArray(value)) return 'array';
  return value instanceof Date ? 'time' : 'map';
}

/** Whether a value is a map: not an array, bytes, a time or an ext. */
export function isMap(value: unknown): boolean {
  return typeOf(value) === 'map';
}

/** Returns values as a column: of one type, or as a union of several. */
export function dataOfValues(values: ArrayLike<unknown>): ColumnData {
  const all = Array.from(values);
  const types = all.map(typeOf);
  const present = TYPES.filter((type) => types.includes(type));
  if (present.length === 1) return dataOfType(present[0] as ValueType, all);
  const branches = present.map((type) =>
    dataOfType(
      type,
      all.filter((_, i) => types[i] === type),
    ),
  );
  return { kind: 'union', tags: Uint8Array.from(types, (type) => present.indexOf(type)), branches };
}

function dataOfType(type: ValueType, values: readonly unknown[]): ColumnData {
  switch (type) {
    case 'nil':
      return { kind: 'values', values };
    case 'bool': {
      const indexes = Uint8Array.from(values, (value) => (value === true ? 1 : 0));
      return { kind: 'dictionary', indexes, entries: { kind: 'values', values: [false, true] } };
    }
    case 'number': {
      const isInt = values.every((value) => Number.isSafeInteger(value) && !Object.is(value, -0));
      const numbers = Float64Array.from(values as number[]);
      return { kind: 'numbers', type: isInt ? 'int' : 'float64', values: numbers };
    }
    case 'bigint':
      return { kind: 'numbers', type: 'int', values: BigInt64Array.from(values as bigint[]) };
    case 'large':
      return { kind: 'numbers', type: 'int', values: BigUint64Array.from(values as bigint[]) };
    case 'str':
      return bytesOf('str', (values as string[]).map(utf8Bytes));
    case 'bytes':
      return bytesOf(
        'bin',
        values.map((value) => (value instanceof ExtData ? value.data : (value as Uint8Array))),
      );
    case 'time':
      return timesOf(values as Date[]);
    case 'array': {
      const arrays = values as unknown[][];
      return {
        kind: 'lists',
        offsets: offsetsOf(arrays.map((array) => array.length)),
        items: dataOfValues(arrays.flat(1)),
      };
    }
    default:
      return mapsOf(values as object[]);
  }
}

function bytesOf(type: 'str' | 'bin', parts: readonly Uint8Array[]): ColumnData {
  const bytes = joined(parts);
  if (bytes.length > 0x7fffffff) throw new RangeError('A column of Arrow has at most 2^31 - 1 bytes');
  const offsets = offsetsOf(parts.map((part) => part.length));
  return { kind: 'bytes', type, extType: 0, bytes, offsets };
}

function timesOf(values: readonly Date[]): ColumnData {
  const nanoseconds = values.map((value) =>
    value instanceof Timestamp
      ? value.seconds * 1_000_000_000n + BigInt(value.nanoseconds)
      : BigInt(value.getTime()) * 1_000_000n,
  );
  const digits = nanoseconds.every((value) => value % 1_000_000n === 0n) ? 3 : 9;
  const unit = digits === 3 ? 1_000_000n : 1n;
  return {
    kind: 'times',
    digits,
    values: BigInt64Array.from(nanoseconds, (value) => value / unit),
  };
}

function mapsOf(values: readonly object[]): ColumnData {
  const entries = values.map((value) =>
    value instanceof Map ? [...value] : (Object.entries(value) as [unknown, unknown][]),
  );
  if (entries.some((row) => row.some(([key]) => typeof key !== 'string'))) {
    const all = entries.flat(1);
    return {
      kind: 'maps',
      offsets: offsetsOf(entries.map((row) => row.length)),
      keys: dataOfValues(all.map(([key]) => key)),
      values: dataOfValues(all.map(([, value]) => value)),
    };
  }
  const indexOf = new Map<string, number>();
  const cells: unknown[][] = [];
  const shapes = entries.map((row) =>
    row.map(([key, value]) => {
      const index = indexOf.get(key as string) ?? cells.push([]) - 1;
      indexOf.set(key as string, index);
      (cells[index] as unknown[]).push(value);
      return index;
    }),
  );
  const keys = [...indexOf.keys()];
  const columns = cells.map(dataOfValues);
  const shapeOf = Float64Array.from(shapes.keys());
  return { kind: 'structs', n: values.length, keys, shapes, shapeOf, columns };
}
