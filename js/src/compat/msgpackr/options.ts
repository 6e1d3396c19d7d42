import type { Int64Type, KeyDecoder } from '../../decode/DecodeConfig.ts';
import type { Options } from '../../options/options.ts';

/**
 * The values of `useFloat32`.
 *
 * @example
 * new Packr({ useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT }).pack(1.25); // ca 3f a0 00 00
 */
export const FLOAT32_OPTIONS = {
  /** Writes every float with 64 bits. */
  NEVER: 0,
  /** Writes every float with 32 bits, even where precision is lost. */
  ALWAYS: 1,
  /** As ALWAYS; rounds what is read to the decimal digits that 32 bits can hold. */
  DECIMAL_ROUND: 3,
  /** Writes 32 bits where the decimal digits fit, else 64; rounds what is read. */
  DECIMAL_FIT: 4,
} as const;

/** One of the values of {@link FLOAT32_OPTIONS}. */
export type Float32Option = (typeof FLOAT32_OPTIONS)[keyof typeof FLOAT32_OPTIONS];

/** See {@link FLOAT32_OPTIONS}. */
export const NEVER: typeof FLOAT32_OPTIONS.NEVER = FLOAT32_OPTIONS.NEVER;
/** See {@link FLOAT32_OPTIONS}. */
export const ALWAYS: typeof FLOAT32_OPTIONS.ALWAYS = FLOAT32_OPTIONS.ALWAYS;
/** See {@link FLOAT32_OPTIONS}. */
export const DECIMAL_ROUND: typeof FLOAT32_OPTIONS.DECIMAL_ROUND = FLOAT32_OPTIONS.DECIMAL_ROUND;
/** See {@link FLOAT32_OPTIONS}. */
export const DECIMAL_FIT: typeof FLOAT32_OPTIONS.DECIMAL_FIT = FLOAT32_OPTIONS.DECIMAL_FIT;

/** Whether the function `pack` writes records: it writes plain maps. */
export const useRecords = false;
/** Whether the function `unpack` reads maps as objects. */
export const mapsAsObjects = true;

/** The options that have another meaning or other values than those of packord. */
type Replaced = 'records' | 'maps' | 'int64' | 'rich' | 'bigint' | 'timestamps' | 'skipNil';

/** The options of msgpackr, and those of packord that it does not have. */
export interface MsgpackrOptions extends Omit<Options, Replaced> {
  /** Writes records; a function chooses them. Default: true for instances, false for the functions. */
  useRecords?: boolean | ((value: object) => boolean) | undefined;
  /**
   * Reads maps as objects rather than `Map`. Default: true when `useRecords` is false or `columns` is true.
   * Otherwise objects are records, the empty one too.
   */
  mapsAsObjects?: boolean | undefined;
  /** Older name of `useRecords: false` with `mapsAsObjects: true`. */
  objectsAsMaps?: boolean | undefined;
  /** The type of 64-bit integers. Default 'bigint'; 'auto' are numbers up to 2^53, beyond it bigints. */
  int64AsType?: Int64Type | undefined;
  /** @deprecated `int64AsType: 'number'` */
  int64AsNumber?: boolean | undefined;
  /** Writes Set, RegExp, Error and typed arrays as ext. They are read anyway. Default: false. */
  moreTypes?: boolean | undefined;
  /** Preserves object identity and cycles; implies `moreTypes`. Default: false. */
  structuredClone?: boolean | undefined;
  /** Moves strings to the end of the message. Default: false. */
  bundleStrings?: boolean | undefined;
  /** Writes bigints of any size as ext 0x42. Default: the value of `moreTypes`. */
  useBigIntExtension?: boolean | undefined;
  /** See {@link FLOAT32_OPTIONS}. Default: NEVER. */
  useFloat32?: Float32Option | boolean | undefined;
  /** Converts arrays as keys of objects to strings. Default: false, an error. */
  allowArraysInMapKeys?: boolean | undefined;
  /** Reads the keys of maps, as in @msgpack/msgpack. */
  keyDecoder?: KeyDecoder | null | undefined;
  /** Converts keys that are not strings to keys of objects. */
  mapKeyConverter?: ((key: unknown) => string | number) | undefined;
  /** Reads timestamps as `Date`, or as {@link Timestamp} with nanoseconds. Default 'date'. */
  timestamps?: 'date' | 'timestamp' | undefined;
  /** The same as `maxBuffer`. */
  maxIncompleteBufferSize?: number | undefined;
  /** Writes objects as maps with the smallest header. Default: false. */
  variableMapSize?: boolean | undefined;
  /** Writes bigints of more than 64 bits as floats. Default: false, an error. */
  largeBigIntToFloat?: boolean | undefined;
  /** Writes bigints of more than 64 bits as strings. Default: false, an error. */
  largeBigIntToString?: boolean | undefined;
  /** Writes integers as floats. Default: false. */
  forceIntegerToFloat?: boolean | undefined;
  /** Calls `toJSON` of class instances. Default: true. */
  useToJSON?: boolean | undefined;
  /** Writes `undefined` as nil. Default: false, as ext 0. */
  encodeUndefinedAsNil?: boolean | undefined;
  /** Omits entries of objects whose value is `undefined`. Default: false. */
  ignoreUndefined?: boolean | undefined;
  /** Omits entries of objects with one of these values. */
  skipValues?: readonly unknown[] | undefined;
  /** Writes keys of objects that are numbers as numbers. Default: false. */
  coercibleKeyAsNumber?: boolean | undefined;
  /** Writes dates from 1970 to 2106 without their milliseconds. Default: false. */
  useTimestamp32?: boolean | undefined;
  /** Returns the value that is written for an invalid Date. Default: the ext of an invalid one. */
  onInvalidDate?: (() => unknown) | undefined;
  /** Writes a Map as an empty object. Default: false. */
  mapAsEmptyObject?: boolean | undefined;
  /** Writes a Set as an empty object. Default: false. */
  setAsEmptyObject?: boolean | undefined;
  /** Returns the value that is written for a function. Default: undefined. */
  writeFunction?: ((fn: (...args: never[]) => unknown) => unknown) | undefined;
}
