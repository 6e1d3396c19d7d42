import type { Extension } from '../ext/extension.ts';
import type { TimestampType } from '../ext/Timestamp.ts';
import type { Structures } from '../record/structures.ts';

/** The values of `int64`. */
export type Int64Type = 'auto' | 'bigint' | 'number' | 'string';

/** Returns the value in place of one that was read, as in `JSON.parse`. */
export type Reviver = (this: unknown, key: unknown, value: unknown) => unknown;

/** Reads the bytes of a key, as in @msgpack/msgpack. */
export interface KeyDecoder {
  /** Whether {@link decode} accepts keys of this many bytes. */
  canBeCached(byteLength: number): boolean;
  decode(bytes: Uint8Array, inputOffset: number, byteLength: number): string;
}

/** The options for reading, with every default filled in. */
export interface DecodeConfig {
  readonly records: boolean;
  readonly sequential: boolean;
  sharedList: (() => Structures) | null;
  /** Asks the program for a newer shared list. */
  loadShared: (() => Structures) | null;
  /** Maps as objects where all keys are str; as Map; or as objects, with other keys as strings. */
  readonly maps: 'auto' | 'map' | 'object';
  readonly int64: Int64Type;
  readonly integersAsBigInt: boolean;
  /** Reads the ext types 83 to 89. */
  readonly rich: boolean;
  /** Reads typed arrays, and Set, Error and RegExp of msgpackr. */
  readonly moreTypes: boolean;
  readonly columns: boolean;
  readonly maxExpansion: number;
  readonly structuredClone: boolean;
  readonly bundleStrings: boolean;
  readonly bigInts: boolean;
  readonly roundFloat32: ((value: number) => number) | null;
  readonly copyBuffers: boolean;
  readonly sliceStrings: boolean;
  readonly freezeData: boolean;
  readonly allowArraysInMapKeys: boolean;
  readonly keyDecoder: KeyDecoder | null | undefined;
  readonly mapKeyConverter: ((key: unknown) => string | number) | undefined;
  /** Keys of objects other than str and numbers are an error, and so is `__proto__`. */
  readonly strictKeys: boolean;
  readonly reviver: Reviver | null;
  readonly timestamps: TimestampType;
  readonly extensions: { ofType(type: number): Extension | undefined };
  readonly context: unknown;
  readonly rawStrings: boolean;
  readonly utf8: 'error' | 'replace' | 'raw';
  readonly allowTrailing: boolean;
  readonly uniqueKeys: boolean;
  readonly unknownExt: 'keep' | 'error';
  readonly undefinedRecord: 'integer' | 'error';
  readonly canonical: boolean;
  readonly maxDepth: number;
  readonly maxStrLen: number;
  readonly maxBinLen: number;
  readonly maxExtLen: number;
  readonly maxArrayLen: number;
  readonly maxMapLen: number;
  readonly maxNodes: number;
  readonly maxRecordKeys: number;
  readonly maxBuffer: number;
}

export const NO_LIMIT: number = Number.POSITIVE_INFINITY;

/** Whether keys have to be compared, or the form of values with the canonical one. */
export function needsComparison(config: DecodeConfig): boolean {
  return config.uniqueKeys || config.canonical;
}

/** Whether an option needs the checked mode, because generated decoders don't apply it. */
export function needsChecks(config: DecodeConfig): boolean {
  return (
    needsComparison(config) ||
    config.rawStrings ||
    config.integersAsBigInt ||
    config.maxStrLen !== NO_LIMIT ||
    config.maxBinLen !== NO_LIMIT ||
    config.maxExtLen !== NO_LIMIT ||
    config.maxArrayLen !== NO_LIMIT ||
    config.maxMapLen !== NO_LIMIT ||
    config.maxNodes !== NO_LIMIT
  );
}
