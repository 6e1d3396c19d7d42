/**
 * The functions of `packord`. They have the options that need no further feature, and columns, so that a bundle of
 * them has nothing of records, of `rich` and of the canonical encoding: instances have these.
 */
import { decoderFor, extensions, limits, prediction as reading, paths as readPaths } from '../decode/features.ts';
import { extensions as writeExtensions, paths as writePaths, prediction as writing } from '../encode/features.ts';
import { decodeConfig, encodeConfig, registryOf } from '../options/config.ts';
import { elsewhere } from '../options/elsewhere.ts';
import type { Feature, Options, UnpackrOptions } from '../options/options.ts';
import { optionsIn, perOptions } from '../options/per-options.ts';
import { checkFeatures, checkNames, separated } from '../options/table.ts';
import { isSchema, type StandardSchema, schemas } from '../schema/schema.ts';
import type { Packed } from '../wire/platform.ts';
import { Packing } from './Packing.ts';
import { type ForEach, type Placed, readAll, type Source, Unpacking, type UnpackOptions } from './Unpacking.ts';

/** The options of `unpack` of `packord`. */
export type UnpackSettings = Pick<
  UnpackrOptions,
  | 'columns'
  | 'maxExpansion'
  | 'maps'
  | 'int64'
  | 'timestamps'
  | 'utf8'
  | 'unknownExt'
  | 'trailing'
  | 'extensions'
  | 'context'
  | 'copyBuffers'
  | 'sliceStrings'
  | 'freezeData'
  | 'maxDepth'
  | 'maxStrLen'
  | 'maxBinLen'
  | 'maxExtLen'
  | 'maxArrayLen'
  | 'maxMapLen'
  | 'maxNodes'
  | 'features'
>;

/** The options of `pack` of `packord`. */
export type PackSettings = Pick<Options, 'columns' | 'int64' | 'extensions' | 'context' | 'maxDepth' | 'features'>;

const PRESET: Feature = /* @__PURE__ */ Object.assign(
  {},
  writing,
  writePaths,
  writeExtensions,
  reading,
  readPaths,
  extensions,
  limits,
  schemas,
);

/** Returns options without features, and all features; throws for an option that does not exist or can't be here. */
function settled(given: Options, use: 'write' | 'read'): [Options, Feature] {
  checkNames(given, elsewhere);
  const [options, features] = separated(given, PRESET);
  checkFeatures(options, features, use, (name) => `is an option of Packr and Unpackr: { ${name} }`);
  return [options, features];
}

function newPacking(given: Options): Packing {
  const [options, features] = settled(given, 'write');
  return new Packing(encodeConfig(options, registryOf(options)), features);
}

function newUnpacking(given: UnpackrOptions): Unpacking {
  const [options, features] = settled(given, 'read');
  return new Unpacking(decodeConfig(options), features, decoderFor);
}

let packing: Packing | undefined;
let unpacking: Unpacking | undefined;

const packingFor = /* @__PURE__ */ perOptions(newPacking);
const unpackingFor = /* @__PURE__ */ perOptions(newUnpacking);

/**
 * Packs a value. An instance is faster than options that differ from those of the last call, and has more of them.
 *
 * @throws MsgpackEncodeError
 * @throws TypeError for an option that is one of `Packr` alone
 * @example
 * pack({ id: 1 }); // 81 a2 69 64 01
 * pack(rows, { columns });
 */
export function pack(value: unknown, options?: PackSettings): Packed;
/** As the function of `values.map(pack)`. */
export function pack(value: unknown, index: number, array: readonly unknown[]): Packed;
export function pack(value: unknown, given?: PackSettings | number, array?: readonly unknown[]): Packed {
  const options = optionsIn(given, array);
  if (options !== undefined) return packingFor(options).pack(value);
  packing ??= newPacking({});
  return packing.pack(value);
}

/**
 * Unpacks the one message in the bytes. An instance is faster than options that differ from those of the last call,
 * and has more of them. The value has to satisfy a schema, if there is one: that of any library with the interface
 * Standard Schema.
 *
 * @throws MsgpackDecodeError
 * @throws TypeError for an option that is one of `Unpackr` alone
 * @example
 * unpack(pack({ id: 1 })); // { id: 1 }
 * unpack(bytes, { maxDepth: 4, start: 10 });
 * unpack(pack({ id: 1 }), z.object({ id: z.number() })).id; // 1
 */
export function unpack<Output>(source: Source, schema: StandardSchema<Output>): Output;
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export function unpack<T = any>(source: Source, options?: UnpackOptions | (Placed & UnpackSettings)): T;
export function unpack(source: Source, given?: UnpackOptions | (Placed & UnpackSettings) | StandardSchema): unknown {
  if (typeof given !== 'object' || given === null || isSchema(given)) {
    unpacking ??= newUnpacking({});
    return unpacking.unpack(source, given as UnpackOptions);
  }
  const { start, end, schema, ...options } = given as Placed & UnpackSettings;
  return unpackingFor(options).unpack(source, { start, end, schema });
}

/**
 * Unpacks all messages in the bytes.
 *
 * @param forEach called with each value, its start and its end; returns false to stop
 * @throws MsgpackDecodeError
 * @example
 * unpackMultiple(Uint8Array.of(1, 2, 3)); // [1, 2, 3]
 */
// biome-ignore lint/suspicious/noExplicitAny: as unpack
export function unpackMultiple(source: Source): any[];
export function unpackMultiple(source: Source, forEach: ForEach): void;
export function unpackMultiple(source: Source, forEach?: ForEach): unknown[] | undefined {
  unpacking ??= newUnpacking({});
  return readAll(unpacking, source, forEach);
}
