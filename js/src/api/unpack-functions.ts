import type { UnpackrOptions } from './options.ts';
import { perOptions } from './per-options.ts';
import { isSchema, type StandardSchema } from './schema.ts';
import { UnpackrClass } from './Unpackr.ts';
import type { ForEach, Placed, Source, UnpackOptions } from './unpack-arguments.ts';

let unpackr: UnpackrClass | undefined;

const unpackrFor = /* @__PURE__ */ perOptions(
  (options: UnpackrOptions) => new UnpackrClass(options),
);

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
export function unpack(source: Source, options?: UnpackOptions | (Placed & UnpackrOptions)): any;
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
