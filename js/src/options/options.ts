import type { Int64Type, Reviver } from '../decode/DecodeConfig.ts';
import type { ReadFeatures } from '../decode/features.ts';
import type { Replacer } from '../encode/EncodeConfig.ts';
import type { EncodeFeatures } from '../encode/EncodeFeatures.ts';
import type { Extension } from '../ext/extension.ts';
import type { SharingOptions, Structures } from '../record/structures.ts';
import type { SchemaFeature } from '../schema/schema.ts';

/** What instances are given in addition to options. */
interface Featured {
  /** What options need that the entry point does not have, such as `checks` of `packord/unpack`. */
  readonly features?: readonly Feature[] | undefined;
}

/**
 * Options for reading. spec/defaults.md defines their defaults, spec/limits.md the limits.
 *
 * @example
 * new Unpackr({ maxDepth: 64, maxStrLen: 10_000, duplicateKey: 'error' });
 */
export interface UnpackrOptions extends Featured {
  /**
   * Reads and writes records (spec/records.md); a function chooses the objects that become some.
   * Default: false, unless there are shared structures.
   */
  records?: boolean | ((value: object) => boolean) | Feature | undefined;
  /** The shared structures. Packing adds to this list in place. */
  structures?: Structures | undefined;
  /** Loads the shared structures when they are first needed, and again for an unknown id. */
  getStructures?: (() => Structures | null | undefined) | undefined;
  /** Keeps definitions from one message to the next. Default: false; true in the streams. */
  sequential?: boolean | undefined;
  /** A one-byte record id without a definition. Default 'integer'. */
  undefinedRecord?: 'integer' | 'error' | undefined;
  /**
   * Reads and writes values that are stored by column (ext 92, spec/columns.md). Nothing is written by
   * column with `canonical`, or a function as `records`. In `packord` it takes the value `columns` of
   * `packord/columns`. Default: false, an ext as others.
   */
  columns?: boolean | Feature | undefined;
  /** Maximum size of such a value, as plain MessagePack, in sizes of its payload. Default: 16. */
  maxExpansion?: number | undefined;
  /**
   * Reads and writes what has no type in MessagePack as ext: Set, typed arrays, bigints of any size, Error,
   * RegExp, {@link Decimal}, {@link Ratio}, {@link Uuid}, {@link LocalDate}, {@link LocalTime},
   * {@link Duration}. Default: false.
   */
  rich?: boolean | Feature | undefined;
  /**
   * Reads and writes bigints of any size (ext 0x42); with `int64` 'auto', those that a number holds exactly
   * are numbers. Default: the value of `rich`.
   */
  bigint?: boolean | undefined;
  /**
   * Reads and writes the canonical encoding only (spec/format.md 4.2); records are off. No option for numbers
   * changes it.
   */
  canonical?: boolean | undefined;
  /** Reads maps as objects where all keys are str, or each as a Map. Default 'auto'. */
  maps?: 'auto' | 'map' | undefined;
  /**
   * The type of 64-bit integers. Default 'auto': a number from -(2^53 - 1) to 2^53 - 1, the range in
   * which no two integers become the same number, else a bigint. 'bigint' reads each as a bigint, and writes
   * numbers of more than 32 bits as float 64 (not with `canonical`): both types are kept.
   */
  int64?: Int64Type | undefined;
  /** Reads timestamps as Date, those that it can't hold as {@link Timestamp}; or all so. Default 'native'. */
  timestamps?: 'native' | 'timestamp' | undefined;
  /** A key that occurs twice in a map: the last one wins, or an error. Default 'last'. */
  duplicateKey?: 'last' | 'error' | undefined;
  /**
   * A str that is not UTF-8: an error, U+FFFD for each ill-formed sequence, or the bytes. Default 'error'.
   * If 'error' is given, a string with a lone surrogate is an error in writing too.
   */
  utf8?: 'error' | 'replace' | 'raw' | undefined;
  /** An ext type that is not registered. Default 'keep', as {@link ExtData}. */
  unknownExt?: 'keep' | 'error' | undefined;
  /** Bytes after the message in `unpack`. Default 'error'. */
  trailing?: 'error' | 'allow' | undefined;
  /** Extensions of this instance alone. */
  extensions?: readonly Extension[] | undefined;
  /** Passed to the functions of extensions. */
  context?: unknown;
  /**
   * Called for each value with its key, those within it first, as in `JSON.parse`; returns the value
   * in its place, or undefined to remove the entry. Not by a View.
   */
  reviver?: Reviver | null | undefined;
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
  /** Maximum number of open containers, reading and writing. Default 1024. */
  maxDepth?: number | undefined;
  /** Maximum size of a str in bytes. Default: none. */
  maxStrLen?: number | undefined;
  /** Maximum size of a bin in bytes. Default: none. */
  maxBinLen?: number | undefined;
  /** Maximum size of an ext payload in bytes. Default: none. */
  maxExtLen?: number | undefined;
  /** Maximum number of elements of an array. Default: none. */
  maxArrayLen?: number | undefined;
  /** Maximum number of entries of a map. Default: none. */
  maxMapLen?: number | undefined;
  /** Maximum number of values of a message, keys included. Default: none. */
  maxNodes?: number | undefined;
  /** Maximum number of keys of a structure that a message defines, reading and writing. Default 1024. */
  maxRecordKeys?: number | undefined;
  /** Maximum size in bytes of a message in a stream. Default 64 MiB. */
  maxBuffer?: number | undefined;
}

/**
 * Options for writing and reading.
 *
 * @example
 * new Packr({ structures: [], skipNil: true, float32: true });
 */
export interface Options extends UnpackrOptions {
  /** Saves the list of shared structures after it grew. Returns false to decline: the value is packed again. */
  saveStructures?: SharingOptions['saveStructures'];
  /** Returns whether a structure is added to the shared list. Default: each is. */
  shouldShareStructure?: ((keys: string[]) => boolean) | undefined;
  /** Maximum number of shared structures, up to 8160. Default: 32 when structures are shared, else 0. */
  maxSharedStructures?: number | undefined;
  /** Maximum number of own structures, up to 8192 less the shared. Default: 32 when structures are shared, else 64. */
  maxOwnStructures?: number | undefined;
  /** Writes floats with 32 bits where that is exact. Default: false. */
  float32?: boolean | undefined;
  /** Writes maps in the order of their keys' UTF-8, keys that are not str after them. Default: false. */
  sortKeys?: boolean | undefined;
  /** Omits entries whose value is null. Default: false. */
  skipNil?: boolean | undefined;
  /**
   * Called for each value with its key before it is written, as in `JSON.stringify`; returns the
   * value in its place, or undefined to omit the entry. Or the keys of objects that are written.
   */
  replacer?: Replacer | null | undefined;
}

/**
 * A part of packing, of unpacking or of both, such as `records`. Entry points preset some and instances are
 * given others, so that a bundle has those alone that are used.
 */
export interface Feature extends EncodeFeatures, ReadFeatures, SchemaFeature {}

/** What an entry point presets for its instances. */
export interface Preset {
  readonly features?: Feature | undefined;
  /** Returns what an option of another package is here, as the end of a message. */
  readonly elsewhere?: ((name: string) => string) | undefined;
}
