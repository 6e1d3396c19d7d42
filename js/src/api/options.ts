import type { Int64Type, KeyDecoder, Reviver } from '../decode/DecodeConfig.ts';
import type { Replacer } from '../encode/EncodeConfig.ts';
import type { Extension } from '../ext/extension.ts';
import type { SharingOptions } from '../record/SharedStructures.ts';
import type { Structures } from '../record/structures.ts';

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

/**
 * Options for reading. spec/limits.md defines the limits.
 *
 * @example
 * new Unpackr({ useRecords: false, maxDepth: 64, maxStrLen: 10_000, duplicateKey: 'error' });
 */
export interface UnpackrOptions {
  /** Reads records (spec/records.md). Default: true for instances, false for the functions. */
  useRecords?: boolean | ((value: object) => boolean) | undefined;
  /** The shared structures. Packing adds to this list in place. */
  structures?: Structures | undefined;
  /** Loads the shared structures when they are first needed, and again for an unknown id. */
  getStructures?: (() => Structures | null | undefined) | undefined;
  /** Keeps definitions from one message to the next. Default: false; true in the streams. */
  sequential?: boolean | undefined;
  /**
   * Reads maps as objects rather than `Map`. Default: true when `useRecords` is false. Otherwise
   * objects are records, the empty one too.
   */
  mapsAsObjects?: boolean | undefined;
  /** Older name of `useRecords: false` with `mapsAsObjects: true`. */
  objectsAsMaps?: boolean | undefined;
  /**
   * The type of 64-bit integers. Default 'auto': a number from -(2^53 - 1) to 2^53 - 1, the range in
   * which no two integers become the same number, else a bigint; in `packord/msgpackr` to 2^53.
   * 'bigint' reads each as a bigint, and writes numbers of more than 32 bits as float 64 (not with
   * `canonical`): both types are kept.
   */
  int64AsType?: Int64Type | undefined;
  /** Reads every integer as a bigint, of any size; keys of objects stay strings. Default: false. */
  integersAsBigInt?: boolean | undefined;
  /** @deprecated `int64AsType: 'number'` */
  int64AsNumber?: boolean | undefined;
  /** Reads Set, RegExp, Error, typed arrays and bigints of any size. Default: false. */
  moreTypes?: boolean | undefined;
  /** Preserves object identity and cycles; implies `moreTypes`. Default: false. */
  structuredClone?: boolean | undefined;
  /** Reads strings that were bundled at the end of the message. Default: false. */
  bundleStrings?: boolean | undefined;
  /**
   * Reads and writes values that are stored by column (ext 92, spec/columns.md). Maps become objects,
   * unless `mapsAsObjects` is false. Nothing is written by column with `canonical`, `structuredClone`,
   * `bundleStrings`, or a function as `useRecords`. Default: false, an ext as others.
   */
  columns?: boolean | undefined;
  /** Maximum size of such a value, as plain MessagePack, in sizes of its payload. Default: 16. */
  maxExpansion?: number | undefined;
  /**
   * Reads bigints of any size (ext 0x42); with `int64AsType` 'auto', those that a number holds exactly as
   * numbers. Default: the value of `moreTypes`.
   */
  useBigIntExtension?: boolean | undefined;
  /** See {@link FLOAT32_OPTIONS}. Default: NEVER. */
  useFloat32?: Float32Option | boolean | undefined;
  /** Copies the payload of bin and ext, rather than returning views of the input. Default: false. */
  copyBuffers?: boolean | undefined;
  /**
   * Allows strings to be slices of a copy of at most 16 kB of the message, which stays in memory
   * as long as one of them. Default: true. Set it to false if a program keeps a few short
   * strings of many messages.
   */
  sliceStrings?: boolean | undefined;
  /** Freezes the objects and arrays that are read. Default: false. */
  freezeData?: boolean | undefined;
  /** Converts arrays as keys of objects to strings. Default: false, an error. */
  allowArraysInMapKeys?: boolean | undefined;
  /** Reads the keys of maps, as in @msgpack/msgpack; not needed for a cache of keys. */
  keyDecoder?: KeyDecoder | null | undefined;
  /** Converts keys that are not strings to keys of objects. */
  mapKeyConverter?: ((key: unknown) => string | number) | undefined;
  /**
   * The keys of objects: 'all' of str, numbers, bigints, booleans and nil, or 'strict', with an error
   * for keys other than str and numbers, and for `__proto__`. Default 'all'.
   */
  objectKeys?: 'all' | 'strict' | undefined;
  /**
   * Called for each value with its key, those within it first, as in `JSON.parse`; returns the value
   * in its place, or undefined to remove the entry. Not by a View.
   */
  reviver?: Reviver | null | undefined;
  /** Reads timestamps as `Date`, or as {@link Timestamp} with nanoseconds. Default 'date'. */
  timestamps?: 'date' | 'timestamp' | undefined;
  /** Extensions of this instance alone. */
  extensions?: readonly Extension[] | undefined;
  /** Passed to the functions of extensions. */
  context?: unknown;
  /** Reads every str as Uint8Array. Default: false. */
  rawStrings?: boolean | undefined;
  /** A str that is not UTF-8: an error, U+FFFD for each ill-formed sequence, or the bytes. Default 'error'. */
  utf8?: 'error' | 'replace' | 'raw' | undefined;
  /** Bytes after the message in `unpack`. Default 'error'. */
  trailing?: 'error' | 'allow' | undefined;
  /** A key that occurs twice in a map: the last one wins, or an error. Default 'last'. */
  duplicateKey?: 'last' | 'error' | undefined;
  /** An ext type that is not registered. Default 'keep', as {@link ExtData}. */
  unknownExt?: 'keep' | 'error' | undefined;
  /** A one-byte record id without a definition. Default 'integer'. */
  undefinedRecord?: 'integer' | 'error' | undefined;
  /**
   * Reads and writes the canonical encoding only (spec/format.md 4.2); records are off. No option for numbers
   * or headers changes it.
   */
  canonical?: boolean | undefined;
  /** Maximum number of open containers, reading and writing. Default 1024. */
  maxDepth?: number | undefined;
  /** Maximum size of a str in bytes. Default: none. */
  maxStrLen?: number | undefined;
  /** The same as `maxStrLen`, as in @msgpack/msgpack. */
  maxStrLength?: number | undefined;
  /** Maximum size of a bin in bytes. Default: none. */
  maxBinLen?: number | undefined;
  /** The same as `maxBinLen`, as in @msgpack/msgpack. */
  maxBinLength?: number | undefined;
  /** Maximum size of an ext payload in bytes. Default: none. */
  maxExtLen?: number | undefined;
  /** The same as `maxExtLen`, as in @msgpack/msgpack. */
  maxExtLength?: number | undefined;
  /** Maximum number of elements of an array. Default: none. */
  maxArrayLen?: number | undefined;
  /** The same as `maxArrayLen`, as in @msgpack/msgpack. */
  maxArrayLength?: number | undefined;
  /** Maximum number of entries of a map. Default: none. */
  maxMapLen?: number | undefined;
  /** The same as `maxMapLen`, as in @msgpack/msgpack. */
  maxMapLength?: number | undefined;
  /** Maximum number of values of a message, keys included. Default: none. */
  maxNodes?: number | undefined;
  /** Maximum number of keys of a structure that a message defines, reading and writing. Default 1024. */
  maxRecordKeys?: number | undefined;
  /** Maximum size in bytes of a message in a stream. Default 64 MiB. */
  maxBuffer?: number | undefined;
  /** The same as `maxBuffer`, as in msgpackr. */
  maxIncompleteBufferSize?: number | undefined;
}

/**
 * Options for writing and reading.
 *
 * @example
 * new Packr({ structures: [], ignoreUndefined: true, useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT });
 */
export interface Options extends Omit<UnpackrOptions, never> {
  /** Saves the list of shared structures after it grew. Returns false to decline: the value is packed again. */
  saveStructures?: SharingOptions['saveStructures'];
  /** Returns whether a structure is added to the shared list. Default: each is. */
  shouldShareStructure?: ((keys: string[]) => boolean) | undefined;
  /** Maximum number of shared structures, up to 8160. Default: 32 when structures are shared, else 0. */
  maxSharedStructures?: number | undefined;
  /** Maximum number of own structures, up to 8192 less the shared ones. Default: 32 when structures are shared, else 64. */
  maxOwnStructures?: number | undefined;
  /** Writes objects as maps with the smallest header. Default: true. */
  variableMapSize?: boolean | undefined;
  /** Writes bigints of more than 64 bits as floats. Default: false, an error. */
  largeBigIntToFloat?: boolean | undefined;
  /** Writes bigints of more than 64 bits as strings. Default: false, an error. */
  largeBigIntToString?: boolean | undefined;
  /** Writes floats with 32 bits where that is exact. Default: false. */
  float32?: boolean | undefined;
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
  /** Writes the keys of objects in the order of their UTF-8. Default: false. */
  sortKeys?: boolean | undefined;
  /**
   * Called for each value with its key before it is written, as in `JSON.stringify`; returns the
   * value in its place, or undefined to omit the entry. Or the keys of objects that are written.
   */
  replacer?: Replacer | null | undefined;
  /** Writes keys of objects that are numbers as numbers. Default: false. */
  coercibleKeyAsNumber?: boolean | undefined;
  /** Writes dates without their milliseconds. Default: false. */
  useTimestamp32?: boolean | undefined;
  /** Returns the value that is written for an invalid Date. Default: an error. */
  onInvalidDate?: (() => unknown) | undefined;
  /** Writes a Map as an empty object. Default: false. */
  mapAsEmptyObject?: boolean | undefined;
  /** Writes a Set as an empty object. Default: false. */
  setAsEmptyObject?: boolean | undefined;
  /** Returns the value that is written for a function. Default: undefined. */
  writeFunction?: ((fn: (...args: never[]) => unknown) => unknown) | undefined;
}
