import { type DecodeConfig, NO_LIMIT } from '../decode/DecodeConfig.ts';
import { ExtensionRegistry, globalExtensions, register } from '../ext/extension.ts';
import { MAX_KEYS } from '../record/structures.ts';
import { roundFloat32 } from '../wire/float32.ts';
import type { UnpackrOptions } from './options.ts';

function limit(name: string, ...given: (number | undefined)[]): number {
  const value = given.find((number) => number !== undefined) ?? NO_LIMIT;
  if (typeof value !== 'number' || !(value >= 0))
    throw new TypeError(`${name} must be a number from 0 up, not ${String(value)}`);
  return value;
}

function choice<T extends string>(name: string, value: T | undefined, first: T, ...others: T[]): T {
  if (value === undefined) return first;
  if (value !== first && !others.includes(value))
    throw new TypeError(
      `${name} must be one of ${[first, ...others].join(', ')}, not ${String(value)}`,
    );
  return value;
}

/** Whether maps become objects: by default where records don't tell objects from maps. */
function readsMapsAsObjects(options: UnpackrOptions): boolean {
  return options.mapsAsObjects ?? options.objectsAsMaps ?? options.useRecords === false;
}

/** Checks the options for reading and fills in the defaults. */
export function decodeConfig(
  options: UnpackrOptions,
  compatible: boolean,
  extensions: ExtensionRegistry = new ExtensionRegistry(globalExtensions),
): DecodeConfig {
  const structuredClone = options.structuredClone ?? compatible;
  const moreTypes = options.moreTypes ?? (compatible || structuredClone);
  for (const extension of options.extensions ?? []) register(extensions, extension);
  const canonical = options.canonical ?? false;
  if (options.reviver && options.freezeData)
    throw new TypeError('A reviver needs freezeData to be off');
  const recordsOff =
    options.objectsAsMaps === true || (options.useRecords === false && !compatible);
  return {
    records: !canonical && !recordsOff,
    sequential: options.sequential ?? false,
    sharedList: null,
    loadShared: null,
    mapsAsObjects: readsMapsAsObjects(options),
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
    strictKeys: choice('objectKeys', options.objectKeys, 'all', 'strict') === 'strict',
    reviver: options.reviver ?? null,
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
