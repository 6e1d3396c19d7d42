import { type DecodeConfig, NO_LIMIT } from '../decode/DecodeConfig.ts';
import { ExtensionRegistry, globalExtensions, register } from '../ext/extension.ts';
import { MAX_KEYS } from '../record/structures.ts';
import { roundFloat32 } from '../wire/floats.ts';
import type { UnpackrOptions } from './options.ts';

type LimitName = Extract<keyof UnpackrOptions, `max${string}`>;

/** Returns a limit, which may have another name too: by default that of @msgpack/msgpack. */
function limit(
  options: UnpackrOptions,
  name: LimitName,
  preset: number = NO_LIMIT,
  other = `${name}gth` as LimitName,
): number {
  const given = options[name] === undefined ? options[other] : options[name];
  const value = given === undefined ? preset : given;
  if (typeof value !== 'number' || !(value >= 0))
    throw new TypeError(`${name} must be a number from 0 up, not ${String(value)}`);
  return value;
}

/** Returns the value of an option with a few values, the first of which is mostly the default. */
function choice<T extends string>(
  options: UnpackrOptions,
  name: keyof UnpackrOptions,
  values: [T, ...T[]],
  preset: T = values[0],
): T {
  const { [name]: value = preset } = options;
  if (!values.includes(value as T))
    throw new TypeError(`${name} must be one of ${values.join(', ')}, not ${String(value)}`);
  return value as T;
}

/**
 * Whether maps become objects: by default where records don't tell objects from maps, and with
 * columns, in which there are no records.
 */
function readsMapsAsObjects(options: UnpackrOptions): boolean {
  return (
    options.mapsAsObjects ??
    options.objectsAsMaps ??
    (options.useRecords === false || options.columns === true)
  );
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
  const integersAsBigInt = options.integersAsBigInt ?? false;
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
    int64: integersAsBigInt
      ? 'bigint'
      : options.int64AsNumber
        ? 'number'
        : choice(
            options,
            'int64AsType',
            ['auto', 'bigint', 'number', 'string'],
            compatible ? 'bigint' : 'auto',
          ),
    integersAsBigInt,
    moreTypes,
    columns: (options.columns ?? false) && !canonical,
    maxExpansion: limit(options, 'maxExpansion', 16),
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
    strictKeys: choice(options, 'objectKeys', ['all', 'strict']) === 'strict',
    reviver: options.reviver ?? null,
    exactTimestamps: choice(options, 'timestamps', ['date', 'timestamp']) === 'timestamp',
    compatible,
    extensions,
    context: options.context,
    rawStrings: options.rawStrings ?? false,
    utf8: choice(options, 'utf8', ['error', 'replace', 'raw'], compatible ? 'replace' : 'error'),
    allowTrailing: choice(options, 'trailing', ['error', 'allow']) === 'allow',
    uniqueKeys: choice(options, 'duplicateKey', ['last', 'error']) === 'error',
    unknownExt: choice(options, 'unknownExt', ['keep', 'error']),
    undefinedRecord: choice(options, 'undefinedRecord', ['integer', 'error']),
    canonical,
    maxDepth: options.maxDepth ?? 1024,
    maxStrLen: limit(options, 'maxStrLen'),
    maxBinLen: limit(options, 'maxBinLen'),
    maxExtLen: limit(options, 'maxExtLen'),
    maxArrayLen: limit(options, 'maxArrayLen'),
    maxMapLen: limit(options, 'maxMapLen'),
    maxNodes: limit(options, 'maxNodes'),
    maxRecordKeys: limit(options, 'maxRecordKeys', MAX_KEYS),
    maxBuffer: limit(options, 'maxBuffer', 0x4000000, 'maxIncompleteBufferSize'),
  };
}
