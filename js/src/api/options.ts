import type { Int64Type, KeyDecoder } from '../decode/DecodeConfig.ts';
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
  /** Floats are always 64 bits. */
  NEVER: 0,
  /** Floats are written with 32 bits whatever is lost. */
  ALWAYS: 1,
  /** As ALWAYS; when read, rounded to the decimal digits that 32 bits can hold. */
  DECIMAL_ROUND: 3,
  /** 32 bits where the decimal digits fit, 64 otherwise; rounded when read. */
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
 * Options that reading takes. Limits count as spec/limits.md says.
 *
 * @example
 * new Unpackr({ useRecords: false, maxDepth: 64, maxStrLen: 10_000, duplicateKey: 'error' });
 */
export interface UnpackrOptions {
  /** Read records (spec/records.md). Default: true for instances, false for the functions. */
  useRecords?: boolean | ((value: object) => boolean) | undefined;
  /** The shared structures; the list is filled in place while packing. */
  structures?: Structures | undefined;
  /** Loads the shared structures when they are first needed, and again when an id is unknown. */
  getStructures?: (() => Structures | null | undefined) | undefined;
  /** Keep definitions from one message to the next. Default: false; true in the streams. */
  sequential?: boolean | undefined;
  /**
   * Maps become objects rather than `Map`. Default: true when `useRecords` is false; else
   * only the empty map is an object, because `{}` is written as a map.
   */
  mapsAsObjects?: boolean | undefined;
  /** Older name of `useRecords: false` with `mapsAsObjects: true`. */
  objectsAsMaps?: boolean | undefined;
  /** What 64-bit integers become. Default 'auto': a number where it is exact, else a bigint. */
  int64AsType?: Int64Type | undefined;
  /** @deprecated `int64AsType: 'number'` */
  int64AsNumber?: boolean | undefined;
  /** Read Set, RegExp, Error, typed arrays and bigints of any size. Default: false. */
  moreTypes?: boolean | undefined;
  /** Keep object identity and cycles; implies `moreTypes`. Default: false. */
  structuredClone?: boolean | undefined;
  /** Read strings that were bundled at the end of the message. Default: false. */
  bundleStrings?: boolean | undefined;
  /** Read bigints of more than 64 bits (ext 0x42). Default: the value of `moreTypes`. */
  useBigIntExtension?: boolean | undefined;
  /** See {@link FLOAT32_OPTIONS}. Default: NEVER. */
  useFloat32?: Float32Option | boolean | undefined;
  /** Bytes are copied out of the input rather than being a view of it. Default: false. */
  copyBuffers?: boolean | undefined;
  /**
   * Strings may be slices of a copy of the message of at most 16 kB, which stays in
   * memory as long as one of them does. Default: true; false where a few short strings
   * of many messages are kept for long.
   */
  sliceStrings?: boolean | undefined;
  /** Freeze what is read. Default: false. */
  freezeData?: boolean | undefined;
  /** Arrays as keys of objects become text. Default: false, an error. */
  allowArraysInMapKeys?: boolean | undefined;
  /** Reads the keys of maps, and its own writes to `null` where it does not know. */
  keyDecoder?: KeyDecoder | null | undefined;
  /** Turns keys that are not strings into keys of objects. */
  mapKeyConverter?: ((key: unknown) => string | number) | undefined;
  /** Timestamps become `Date` or {@link Timestamp} with nanoseconds. Default 'date'. */
  timestamps?: 'date' | 'timestamp' | undefined;
  /** Extensions of this instance alone. */
  extensions?: readonly Extension[] | undefined;
  /** Handed to the functions of extensions. */
  context?: unknown;
  /** All str values become Uint8Array. Default: false. */
  rawStrings?: boolean | undefined;
  /** A str that is not UTF-8: an error, U+FFFD in place of what is wrong, or the bytes. Default 'error'. */
  utf8?: 'error' | 'replace' | 'raw' | undefined;
  /** Bytes after the message in `unpack`. Default 'error'. */
  trailing?: 'error' | 'allow' | undefined;
  /** A key twice in a map. Default 'last'. */
  duplicateKey?: 'last' | 'error' | undefined;
  /** An ext type that nobody registered. Default 'keep', as {@link ExtData}. */
  unknownExt?: 'keep' | 'error' | undefined;
  /** A one-byte record id without a definition. Default 'integer'. */
  undefinedRecord?: 'integer' | 'error' | undefined;
  /** Accept and write the canonical encoding only (spec/format.md 4.2); records are off. */
  canonical?: boolean | undefined;
  /** Open containers at once, reading and writing. Default 1024. */
  maxDepth?: number | undefined;
  /** Bytes of a str. Default: none. `maxStrLength` is the same. */
  maxStrLen?: number | undefined;
  maxStrLength?: number | undefined;
  /** Bytes of a bin. Default: none. `maxBinLength` is the same. */
  maxBinLen?: number | undefined;
  maxBinLength?: number | undefined;
  /** Bytes of an ext. Default: none. `maxExtLength` is the same. */
  maxExtLen?: number | undefined;
  maxExtLength?: number | undefined;
  /** Elements of an array. Default: none. `maxArrayLength` is the same. */
  maxArrayLen?: number | undefined;
  maxArrayLength?: number | undefined;
  /** Entries of a map. Default: none. `maxMapLength` is the same. */
  maxMapLen?: number | undefined;
  maxMapLength?: number | undefined;
  /** Values of a message, keys included. Default: none. */
  maxNodes?: number | undefined;
  /** Keys of a record structure that a message defines, reading and writing. Default 1024. */
  maxRecordKeys?: number | undefined;
  /** Bytes of one message that a stream keeps. Default 64 MiB. */
  maxBuffer?: number | undefined;
  /** msgpackr's name of `maxBuffer`. */
  maxIncompleteBufferSize?: number | undefined;
}

/**
 * Options that writing takes, and reading.
 *
 * @example
 * new Packr({ structures: [], ignoreUndefined: true, useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT });
 */
export interface Options extends Omit<UnpackrOptions, never> {
  /** Called with the grown list of shared structures; false declines, and the value is packed again. */
  saveStructures?: SharingOptions['saveStructures'];
  /** Whether a structure goes into the shared list. */
  shouldShareStructure?: ((keys: string[]) => boolean) | undefined;
  /** Default: 32 when structures are shared, else 0; at most 8160. */
  maxSharedStructures?: number | undefined;
  /** Default: 32 when structures are shared, else 64; with the shared ones at most 8192. */
  maxOwnStructures?: number | undefined;
  /** Maps of objects have the smallest header. Default: true. */
  variableMapSize?: boolean | undefined;
  /** Bigints beyond 64 bits become floats. Default: false, an error. */
  largeBigIntToFloat?: boolean | undefined;
  /** Bigints beyond 64 bits become text. Default: false, an error. */
  largeBigIntToString?: boolean | undefined;
  /** Floats are 32 bits where that loses nothing. Default: false. */
  float32?: boolean | undefined;
  /** Integers are written as floats. Default: false. */
  forceIntegerToFloat?: boolean | undefined;
  /** `toJSON` of class instances is used. Default: true. */
  useToJSON?: boolean | undefined;
  /** `undefined` is nil. Default: false, ext 0. */
  encodeUndefinedAsNil?: boolean | undefined;
  /** Entries of objects whose value is `undefined` are left out. Default: false. */
  ignoreUndefined?: boolean | undefined;
  /** Entries of objects with one of these values are left out. */
  skipValues?: readonly unknown[] | undefined;
  /** Keys of objects are written in the order of their UTF-8. Default: false. */
  sortKeys?: boolean | undefined;
  /** Keys of objects that are numbers are written as such. Default: false. */
  coercibleKeyAsNumber?: boolean | undefined;
  /** Dates lose their milliseconds. Default: false. */
  useTimestamp32?: boolean | undefined;
  /** The value in place of an invalid Date. Default: an error. */
  onInvalidDate?: (() => unknown) | undefined;
  /** A Map is written as an empty object. Default: false. */
  mapAsEmptyObject?: boolean | undefined;
  /** A Set is written as an empty object. Default: false. */
  setAsEmptyObject?: boolean | undefined;
  /** The value in place of a function. Default: undefined is written. */
  writeFunction?: ((fn: (...args: never[]) => unknown) => unknown) | undefined;
}
