/** The kinds of nodes (spec/columns.md section 2). */
export const PLAIN = 0;
export const INT = 1;
export const FLOAT = 2;
export const SCALED = 3;
export const TIME = 4;
export const BYTES = 5;
export const DICT = 6;
export const LIST = 7;
export const STRUCT = 8;
export const MAP = 9;
export const UNION = 10;

/** The modes of BYTES. */
export const STR = 0;
export const BIN = 1;
export const EXT = 2;
export const TERMINATED = 4;

/** The elements of INT that have no size of their own. */
export const NONE = 0;
export const BIT = 1;

/** The flags in the form of INT. */
export const DELTA = 0x10;
export const HAS_BASE = 0x20;
export const UNSIGNED = 0x40;

/** The version of the layout, the first byte of a payload. */
export const VERSION = 1;
/** Bytes of a value that `maxExpansion` always allows. */
export const ALWAYS_ALLOWED = 4096;

/** Powers of ten that are exact as floats. */
export const POWERS: readonly number[] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/** The values of a column in order: an array, or numbers in a typed array. */
export type Values = ArrayLike<unknown>;

/** Integers that all are safe, as numbers. */
export type SafeIntegers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Integers of which one is not safe, or could not be. */
export type WideIntegers = BigInt64Array | BigUint64Array;

export type Integers = SafeIntegers | WideIntegers;

/** A node of the directory: a column of `n` values, with its parameters, section and children. */
export class ColumnNode {
  readonly kind: number;
  readonly mode: number;
  /** Number of values. */
  readonly n: number;
  readonly children: ColumnNode[] = [];
  /** The kind's own byte: the form of INT, k of SCALED, the unit of TIME, the type of ext BYTES. */
  form = 0;
  /** Those of INT: numbers where they are safe integers. */
  base: number | bigint = 0;
  first: number | bigint = 0;
  /** The keys of STRUCT, and their size in bytes. */
  readonly keys: string[] = [];
  readonly keySizes: number[] = [];
  /** The shapes of STRUCT, each as indexes of keys; none if all rows have all keys in order. */
  readonly shapes: number[][] = [];
  /** The size of the section, and its position. */
  size = 0;
  at = 0;
  /** The values of INT, once they were needed. */
  integers: Integers | undefined;

  constructor(kind: number, mode: number, n: number) {
    this.kind = kind;
    this.mode = mode;
    this.n = n;
  }

  child(index: number): ColumnNode {
    return this.children[index] as ColumnNode;
  }
}
