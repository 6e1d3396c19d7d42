/** The functions of `packord`, with the features and options of its classes. */
import type { Packed } from '../wire/platform.ts';
import type { Options, UnpackrOptions } from './options.ts';
import { PackrClass } from './Packr.ts';
import { optionsIn, perOptions } from './per-options.ts';
import { isSchema, type StandardSchema } from './schema.ts';
import { UnpackrClass } from './Unpackr.ts';
import type { ForEach, Placed, Source, UnpackOptions } from './unpack-arguments.ts';

let packr: PackrClass | undefined;
let unpackr: UnpackrClass | undefined;

const packrFor = /* @__PURE__ */ perOptions((options: Options) => new PackrClass(options));
const unpackrFor = /* @__PURE__ */ perOptions(
  (options: UnpackrOptions) => new UnpackrClass(options),
);

/**
 * Packs a value. The options are those of `Packr`; an instance is faster than options that differ from those
 * of the last call.
 *
 * @throws MsgpackEncodeError
 * @example
 * pack({ id: 1 }); // 81 a2 69 64 01
 * pack({ b: 1, a: 2 }, { sortKeys: true }); // 82 a1 61 02 a1 62 01
 */
export function pack(value: unknown, options?: Options): Packed;
/** As the function of `values.map(pack)`. */
export function pack(value: unknown, index: number, array: readonly unknown[]): Packed;
export function pack(value: unknown, given?: Options | number, array?: readonly unknown[]): Packed {
  const options = optionsIn(given, array);
  if (options !== undefined) return packrFor(options).pack(value);
  packr ??= new PackrClass();
  return packr.pack(value);
}

/**
 * Unpacks the one message in the bytes. The options are those of `Unpackr`; an instance is faster than
 * options that differ from those of the last call. The value has to satisfy a schema, if there is one: that of
 * any library with the interface Standard Schema.
 *
 * @throws MsgpackDecodeError
 * @example
 * unpack(pack({ id: 1 })); // { id: 1 }
 * unpack(bytes, { maxDepth: 4, start: 10 });
 * unpack(pack({ id: 1 }), z.object({ id: z.number() })).id; // 1
 */
export function unpack<Output>(source: Source, schema: StandardSchema<Output>): Output;
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export function unpack<T = any>(
  source: Source,
  options?: UnpackOptions | (Placed & UnpackrOptions),
): T;
export function unpack(
  source: Source,
  given?: UnpackOptions | (Placed & UnpackrOptions) | StandardSchema,
): unknown {
  if (typeof given !== 'object' || given === null || isSchema(given)) {
    unpackr ??= new UnpackrClass();
    return unpackr.unpack(source, given as UnpackOptions);
  }
  const { start, end, schema, ...options } = given as Placed & UnpackrOptions;
  return unpackrFor(options).unpack(source, { start, end, schema } as UnpackOptions);
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
// biome-ignore lint/suspicious/noExplicitAny: as unpack
export function unpackMultiple(source: Source, forEach?: ForEach): any[] | undefined {
  unpackr ??= new UnpackrClass();
  return unpackr.unpackMultiple(source, forEach as ForEach) as unknown as unknown[] | undefined;
}
