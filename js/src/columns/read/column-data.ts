/** How a column stores its values: the arrays that columnar programs work with. */
import { invalidAt, isContinuation } from '../../wire/utf8.ts';
import type { ColumnNode, SafeIntegers, WideIntegers } from '../ColumnNode.ts';
import * as C from '../ColumnNode.ts';
import { need, oneError } from '../malformed.ts';
import { checkNode, type OpenPayload, readNode } from './columns.ts';
import { floats, integers, scaled, smallIntegers } from './numbers.ts';

/**
 * The values of a column, by their type. Arrays with `offsets` have one more than values: value i is
 * from offset i to offset i + 1.
 */
export type ColumnData =
  /** Integers and floats; a view of the message where its bytes allow that. */
  | {
      readonly kind: 'numbers';
      readonly type: 'int' | 'float64' | 'float32';
      readonly values: SafeIntegers | WideIntegers | Float32Array;
    }
  /** Timestamps in units of 10^-digits seconds; digits are 0, 3, 6 or 9. */
  | {
      readonly kind: 'times';
      readonly digits: number;
      readonly values: SafeIntegers | WideIntegers;
    }
  /** Payloads of str, bin or ext. */
  | {
      readonly kind: 'bytes';
      readonly type: 'str' | 'bin' | 'ext';
      readonly extType: number;
      readonly bytes: Uint8Array;
      readonly offsets: Int32Array;
    }
  /** Each value is the entry with its index. */
  | { readonly kind: 'dictionary'; readonly indexes: SafeIntegers; readonly entries: ColumnData }
  | { readonly kind: 'lists'; readonly offsets: Int32Array; readonly items: ColumnData }
  /**
   * Maps with keys that are str. `shapes` are the keys of each shape, as indexes of `keys`, and
   * `shapeOf` is the shape of each row; without shapes all rows have all keys. Column k has one value
   * for each row with key k.
   */
  | {
      readonly kind: 'structs';
      readonly n: number;
      readonly keys: readonly string[];
      readonly shapes: readonly (readonly number[])[];
      readonly shapeOf: SafeIntegers | null;
      readonly columns: readonly ColumnData[];
    }
  | {
      readonly kind: 'maps';
      readonly offsets: Int32Array;
      readonly keys: ColumnData;
      readonly values: ColumnData;
    }
  /** Each value is the next one of the branch with its tag. */
  | {
      readonly kind: 'union';
      readonly tags: SafeIntegers;
      readonly branches: readonly ColumnData[];
    }
  /** Any values, which were read. */
  | { readonly kind: 'values'; readonly values: ArrayLike<unknown> };

export function dataOf(payload: OpenPayload, node: ColumnNode): ColumnData {
  return oneError(payload.decoder, payload.markerOffset, () => {
    checkNode(payload, node, 'some');
    return data(payload, node);
  });
}

function data(payload: OpenPayload, node: ColumnNode): ColumnData {
  const { src } = payload.decoder;
  const { kind, n, children } = node;
  const all = (from: number) => children.slice(from).map((child) => data(payload, child));
  switch (kind) {
    case C.INT:
      return { kind: 'numbers', type: 'int', values: integers(src, node) };
    case C.FLOAT: {
      const type = node.mode === 0 ? 'float64' : 'float32';
      return { kind: 'numbers', type, values: floats(src, node) };
    }
    case C.SCALED:
      return { kind: 'numbers', type: 'float64', values: scaled(src, node) };
    case C.TIME:
      return { kind: 'times', digits: node.form, values: integers(src, node.child(0)) };
    case C.BYTES:
      return node.mode === C.TERMINATED ? terminated(payload, node) : bodies(payload, node);
    case C.DICT: {
      const indexes = smallIntegers(src, node.child(0));
      return { kind: 'dictionary', indexes, entries: data(payload, node.child(1)) };
    }
    case C.LIST: {
      const offsets = offsetsOf(smallIntegers(src, node.child(0)));
      return { kind: 'lists', offsets, items: data(payload, node.child(1)) };
    }
    case C.STRUCT: {
      const { keys, shapes } = node;
      const shaped = shapes.length > 0;
      const shapeOf = shaped ? smallIntegers(src, node.child(0)) : null;
      return { kind: 'structs', n, keys, shapes, shapeOf, columns: all(shaped ? 1 : 0) };
    }
    case C.MAP: {
      const offsets = offsetsOf(smallIntegers(src, node.child(0)));
      const [keys, values] = all(1) as [ColumnData, ColumnData];
      return { kind: 'maps', offsets, keys, values };
    }
    case C.UNION:
      return { kind: 'union', tags: smallIntegers(src, node.child(0)), branches: all(1) };
    default:
      return { kind: 'values', values: readNode(payload, node, 'some') };
  }
}

/** Returns where each value begins, and where the last one ends. The sum of the sizes is below 2^31. */
export function offsetsOf(sizes: ArrayLike<number>): Int32Array {
  const offsets = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) offsets[i + 1] = (offsets[i] as number) + (sizes[i] as number);
  return offsets;
}

const TYPES = ['str', 'bin', 'ext'] as const;

function bodies({ decoder }: OpenPayload, node: ColumnNode): ColumnData {
  const { src } = decoder;
  const { at, size, mode, form } = node;
  const offsets = offsetsOf(smallIntegers(src, node.child(0)));
  if (mode === C.STR) {
    need(invalidAt(src, at, at + size) < 0);
    for (const offset of offsets) need(offset === size || !isContinuation(src[at + offset]));
  }
  const bytes = src.subarray(at, at + size);
  return { kind: 'bytes', type: TYPES[mode] as 'str', extType: form, bytes, offsets };
}

/** Strings that end with a byte 00, which is left out. */
function terminated({ decoder }: OpenPayload, { n, at, size }: ColumnNode): ColumnData {
  const { src } = decoder;
  need(invalidAt(src, at, at + size) < 0);
  const bytes = new Uint8Array(size - n);
  const offsets = new Int32Array(n + 1);
  let to = 0;
  let row = 0;
  for (let p = at; p < at + size; p++) {
    const byte = src[p] as number;
    if (byte !== 0) bytes[to++] = byte;
    else offsets[++row] = to;
  }
  need(row === n);
  return { kind: 'bytes', type: 'str', extType: 0, bytes, offsets };
}
