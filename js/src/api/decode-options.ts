import { type DecodeConfig, NO_LIMIT } from '../decode/DecodeConfig.ts';
import { ExtensionRegistry, register } from '../ext/extension.ts';
import { MAX_KEYS } from '../record/structures.ts';
import { DIALECT, type InternalOptions } from './dialect.ts';
import { hasRecords, limit } from './encode-options.ts';
import type { UnpackrOptions } from './options.ts';

/** Returns the value of an option with a few values, the first of which is the default. */
function choice<T extends string>(
  options: UnpackrOptions,
  name: keyof UnpackrOptions,
  values: [T, ...T[]],
): T {
  const { [name]: value = values[0] } = options;
  if (!values.includes(value as T))
    throw new TypeError(`${name} must be one of ${values.join(', ')}, not ${String(value)}`);
  return value as T;
}

/** Returns the extensions of options. */
export function registryOf(options: UnpackrOptions): ExtensionRegistry {
  const registry = new ExtensionRegistry();
  for (const extension of options.extensions ?? []) register(registry, extension);
  return registry;
}

/** Checks the options for reading and fills in the defaults. */
export function decodeConfig(
  options: InternalOptions,
  extensions: ExtensionRegistry = registryOf(options),
): DecodeConfig {
  const canonical = options.canonical ?? false;
  const rich = Boolean(options.rich);
  if (options.reviver && options.freezeData)
    throw new TypeError('A reviver needs freezeData to be off');
  return {
    records: hasRecords(options),
    sequential: options.sequential ?? false,
    sharedList: null,
    loadShared: null,
    maps: choice(options, 'maps', ['auto', 'map']),
    int64: choice(options, 'int64', ['auto', 'bigint', 'number', 'string']),
    integersAsBigInt: false,
    rich,
    moreTypes: rich,
    columns: Boolean(options.columns) && !canonical,
    maxExpansion: limit(options, 'maxExpansion', 16),
    structuredClone: false,
    bundleStrings: false,
    bigInts: options.bigint ?? rich,
    roundFloat32: null,
    copyBuffers: options.copyBuffers ?? false,
    sliceStrings: options.sliceStrings ?? true,
    freezeData: options.freezeData ?? false,
    allowArraysInMapKeys: false,
    keyDecoder: undefined,
    mapKeyConverter: undefined,
    strictKeys: false,
    reviver: options.reviver ?? null,
    timestamps: choice(options, 'timestamps', ['native', 'timestamp']),
    compatible: false,
    extensions,
    context: options.context,
    rawStrings: false,
    utf8: choice(options, 'utf8', ['error', 'replace', 'raw']),
    allowTrailing: choice(options, 'trailing', ['error', 'allow']) === 'allow',
    uniqueKeys: choice(options, 'duplicateKey', ['last', 'error']) === 'error',
    unknownExt: choice(options, 'unknownExt', ['keep', 'error']),
    undefinedRecord: choice(options, 'undefinedRecord', ['integer', 'error']),
    canonical,
    maxDepth: limit(options, 'maxDepth', 1024),
    maxStrLen: limit(options, 'maxStrLen', NO_LIMIT),
    maxBinLen: limit(options, 'maxBinLen', NO_LIMIT),
    maxExtLen: limit(options, 'maxExtLen', NO_LIMIT),
    maxArrayLen: limit(options, 'maxArrayLen', NO_LIMIT),
    maxMapLen: limit(options, 'maxMapLen', NO_LIMIT),
    maxNodes: limit(options, 'maxNodes', NO_LIMIT),
    maxRecordKeys: limit(options, 'maxRecordKeys', MAX_KEYS),
    maxBuffer: limit(options, 'maxBuffer', 0x4000000),
    ...options[DIALECT]?.decode?.(options as never),
  };
}
