/** What msgpackr's options mean, and its defaults. */

import type { DecodeConfig } from '../../decode/DecodeConfig.ts';
import { checks, extensions, paths, records, reviver, types } from '../../decode/features.ts';
import { objectKeys } from '../../decode/object-keys.ts';
import { references } from '../../decode/references.ts';
import type { EncodeConfig } from '../../encode/EncodeConfig.ts';
import { ENCODE_FEATURES } from '../../encode/features.ts';
import { C1, type Extension, ExtensionRegistry, register } from '../../ext/extension.ts';
import { DIALECT, type Dialect, type InternalOptions } from '../../options/dialect.ts';
import type { Feature } from '../../options/options.ts';
import { schemas } from '../../schema/schema.ts';
import { roundFloat32 } from '../../wire/floats.ts';
import type { MsgpackrOptions } from './options.ts';
import { PeerEncoder } from './PeerEncoder.ts';

/** What msgpackr reads although the format forbids it, and its numbers. */
const peer: Feature = {
  peer: {
    readReserved(decoder, markerOffset) {
      if (decoder.bundle === null) return C1;
      const value = decoder.bundle.take(decoder.read());
      if (value === undefined) throw decoder.fail('invalid_ext', markerOffset);
      return value;
    },
    anyOption: true,
    // It takes 2^53 for exact as well.
    isExact: (value, low) => Math.abs(value) <= 2 ** 53 - (low === 0 ? 0 : 1),
    dateOf: (length) => (length === 1 ? new Date(Number.NaN) : undefined),
  },
};

const features: Feature = /* @__PURE__ */ Object.assign(
  {},
  ENCODE_FEATURES,
  records,
  types,
  checks,
  reviver,
  paths,
  schemas,
  extensions,
  objectKeys,
  references,
  peer,
);

const globalExtensions: ExtensionRegistry = /* @__PURE__ */ new ExtensionRegistry();

/**
 * Registers an extension with all instances and functions. Those of an instance come first.
 *
 * @example
 * addExtension({ Class: Point, type: 5, pack: (p) => Uint8Array.of(p.x, p.y) });
 */
export function addExtension(extension: Extension): void {
  register(globalExtensions, extension);
}

/** The options that packord does not have, those that are called with the instance as `this` first. */
const CALLBACKS = ['onInvalidDate', 'writeFunction', 'mapKeyConverter'];
export const OTHER_NAMES: readonly string[] = [
  ...CALLBACKS,
  ...['useRecords', 'mapsAsObjects', 'objectsAsMaps', 'int64AsType', 'int64AsNumber', 'moreTypes'],
  ...['structuredClone', 'bundleStrings', 'useBigIntExtension', 'useFloat32', 'keyDecoder'],
  ...['allowArraysInMapKeys', 'maxIncompleteBufferSize', 'variableMapSize', 'largeBigIntToFloat'],
  ...['largeBigIntToString', 'forceIntegerToFloat', 'useToJSON', 'encodeUndefinedAsNil'],
  ...['ignoreUndefined', 'skipValues', 'coercibleKeyAsNumber', 'useTimestamp32'],
  ...['mapAsEmptyObject', 'setAsEmptyObject'],
];

function encode(options: MsgpackrOptions): Partial<EncodeConfig> {
  const canonical = options.canonical ?? false;
  // What is sorted is written before its place is known, and a reference is a place.
  if ((canonical || options.sortKeys) && options.structuredClone)
    throw new TypeError('canonical and sortKeys need structuredClone to be off');
  const moreTypes = options.moreTypes ?? options.structuredClone ?? false;
  const { useRecords } = options;
  return {
    records: !canonical && useRecords !== false && options.objectsAsMaps !== true,
    chooseRecord: typeof useRecords === 'function' ? useRecords : undefined,
    maxRecordKeys: options.maxRecordKeys ?? Number.POSITIVE_INFINITY,
    skipValues: options.skipValues,
    omission: options.ignoreUndefined ? { met: false } : null,
    strictText: canonical,
    bigInts: options.useBigIntExtension ?? moreTypes,
    typedArrays: moreTypes ? 'ext' : 'bin',
    float32: canonical ? 0 : Number(options.useFloat32 ?? 0),
    largeAsFloat: !canonical,
    refuses: false,
    useToJSON: options.useToJSON ?? true,
    moreTypes,
    structuredClone: options.structuredClone,
    bundleStrings: options.bundleStrings,
    numericKeys: options.coercibleKeyAsNumber,
    msgpackrBytes: !canonical,
  };
}

function decode(options: MsgpackrOptions): Partial<DecodeConfig> {
  const moreTypes = options.moreTypes ?? true;
  const { useRecords, objectsAsMaps, columns } = options;
  const asObjects = options.mapsAsObjects ?? objectsAsMaps ?? (useRecords === false || columns);
  const maxBuffer = options.maxBuffer ?? options.maxIncompleteBufferSize;
  return {
    records: !options.canonical && objectsAsMaps !== true,
    maps: asObjects ? 'object' : 'map',
    int64: options.int64AsNumber ? 'number' : (options.int64AsType ?? 'bigint'),
    moreTypes,
    structuredClone: options.structuredClone ?? true,
    bundleStrings: options.bundleStrings ?? true,
    bigInts: options.useBigIntExtension ?? moreTypes,
    roundFloat32: Number(options.useFloat32 ?? 0) > 2 ? roundFloat32 : null,
    allowArraysInMapKeys: options.allowArraysInMapKeys ?? false,
    keyDecoder: options.keyDecoder,
    mapKeyConverter: options.mapKeyConverter,
    timestamps: options.timestamps === 'timestamp' ? 'timestamp' : 'date',
    utf8: options.utf8 ?? 'replace',
    ...(maxBuffer === undefined ? {} : { maxBuffer }),
    // As many as msgpackr writes.
    maxRecordKeys: options.maxRecordKeys ?? Number.POSITIVE_INFINITY,
  };
}

const MSGPACKR: Dialect = {
  extensions: () => new ExtensionRegistry(globalExtensions),
  callbacks: CALLBACKS,
  features,
  anyOption: true,
  oneChunkEach: true,
  encode,
  decode,
  newEncoder: (config, given, ids, options) => new PeerEncoder(config, given, ids, options),
};

/** Returns msgpackr's options with what they mean. */
export function internal({ timestamps, ...options }: MsgpackrOptions = {}): InternalOptions {
  return {
    // A sequential packer of msgpackr has a shared list, and with it the lower maximum.
    maxOwnStructures: options.sequential ? 32 : undefined,
    ...options,
    timestamps: timestamps === 'timestamp' ? timestamps : undefined,
    [DIALECT]: MSGPACKR,
  };
}
