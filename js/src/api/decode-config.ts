import { ExtensionRegistry, globalExtensions } from '../ext/extension.ts';
import { MAX_KEYS } from '../record/structures.ts';
import { roundFloat32 } from '../wire/float32.ts';
import type { Int64Type, KeyDecoder, Structures, UnpackrOptions } from './options.ts';

/** Options of reading with every default filled in. */
export interface DecodeConfig {
  readonly records: boolean;
  readonly sequential: boolean;
  /** The shared list, where there is one. */
  sharedList: (() => Structures) | null;
  /** Asks the user for a newer shared list. */
  loadShared: (() => Structures) | null;
  readonly mapsAsObjects: boolean;
  /** The empty map is `{}`: records have at least one key, so that it may have been an object. */
  readonly emptyMapAsObject: boolean;
  readonly int64: Int64Type;
  readonly moreTypes: boolean;
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
  readonly exactTimestamps: boolean;
  /** Reads what msgpackr writes although the format forbids it. */
  readonly compatible: boolean;
  readonly extensions: ExtensionRegistry;
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

const NONE = Number.POSITIVE_INFINITY;

function limit(name: string, ...given: (number | undefined)[]): number {
  const value = given.find((number) => number !== undefined) ?? NONE;
  if (typeof value !== 'number' || !(value >= 0))
    throw new TypeError(`${name} is a number from 0, not ${String(value)}`);
  return value;
}

function choice<T extends string>(name: string, value: T | undefined, first: T, ...others: T[]): T {
  if (value === undefined) return first;
  if (value !== first && !others.includes(value))
    throw new TypeError(`${name} is one of ${[first, ...others].join(', ')}, not ${String(value)}`);
  return value;
}

/** Whether maps become objects: unless records tell objects from maps. */
export function mapsAsObjects(options: UnpackrOptions): boolean {
  return options.mapsAsObjects ?? options.objectsAsMaps ?? options.useRecords === false;
}

/** Fills in the defaults and checks what was given. */
export function decodeConfig(options: UnpackrOptions, compatible: boolean): DecodeConfig {
  const structuredClone = options.structuredClone ?? compatible;
  const moreTypes = options.moreTypes ?? (compatible || structuredClone);
  const extensions = new ExtensionRegistry(globalExtensions);
  for (const extension of options.extensions ?? []) extensions.add(extension);
  const canonical = options.canonical ?? false;
  const recordsOff =
    options.objectsAsMaps === true || (options.useRecords === false && !compatible);
  return {
    records: !canonical && !recordsOff,
    sequential: options.sequential ?? false,
    sharedList: null,
    loadShared: null,
    mapsAsObjects: mapsAsObjects(options),
    emptyMapAsObject: options.mapsAsObjects === undefined && !compatible,
    int64: options.int64AsNumber
      ? 'number'
      : choice(
          'int64AsType',
          options.int64AsType,
          compatible ? 'bigint' : 'auto',
          'auto',
          'bigint',
          'number',
          'string',
        ),
    moreTypes,
    structuredClone,
    bundleStrings: options.bundleStrings ?? compatible,
    bigInts: options.useBigIntExtension ?? moreTypes,
    roundFloat32: Number(options.useFloat32 ?? 0) > 2 ? roundFloat32 : null,
    copyBuffers: options.copyBuffers ?? false,
    sliceStrings: options.sliceStrings ?? true,
    freezeData: options.freezeData ?? false,
    allowArraysInMapKeys: options.allowArraysInMapKeys ?? false,
    keyDecoder: options.keyDecoder,
    mapKeyConverter: options.mapKeyConverter,
    exactTimestamps: choice('timestamps', options.timestamps, 'date', 'timestamp') === 'timestamp',
    compatible,
    extensions,
    context: options.context,
    rawStrings: options.rawStrings ?? false,
    utf8: choice('utf8', options.utf8, compatible ? 'replace' : 'error', 'error', 'replace', 'raw'),
    allowTrailing: choice('trailing', options.trailing, 'error', 'allow') === 'allow',
    uniqueKeys: choice('duplicateKey', options.duplicateKey, 'last', 'error') === 'error',
    unknownExt: choice('unknownExt', options.unknownExt, 'keep', 'error'),
    undefinedRecord: choice('undefinedRecord', options.undefinedRecord, 'integer', 'error'),
    canonical,
    maxDepth: options.maxDepth ?? 1024,
    maxStrLen: limit('maxStrLen', options.maxStrLen, options.maxStrLength),
    maxBinLen: limit('maxBinLen', options.maxBinLen, options.maxBinLength),
    maxExtLen: limit('maxExtLen', options.maxExtLen, options.maxExtLength),
    maxArrayLen: limit('maxArrayLen', options.maxArrayLen, options.maxArrayLength),
    maxMapLen: limit('maxMapLen', options.maxMapLen, options.maxMapLength),
    maxNodes: limit('maxNodes', options.maxNodes),
    maxRecordKeys: limit('maxRecordKeys', options.maxRecordKeys, MAX_KEYS),
    maxBuffer: limit('maxBuffer', options.maxBuffer, options.maxIncompleteBufferSize, 0x4000000),
  };
}

/** Whether an option asks to look at every value, which generated readers don't. */
export function needsChecks(config: DecodeConfig): boolean {
  return (
    config.uniqueKeys ||
    config.canonical ||
    config.rawStrings ||
    config.maxStrLen !== NONE ||
    config.maxBinLen !== NONE ||
    config.maxExtLen !== NONE ||
    config.maxArrayLen !== NONE ||
    config.maxMapLen !== NONE ||
    config.maxNodes !== NONE
  );
}
