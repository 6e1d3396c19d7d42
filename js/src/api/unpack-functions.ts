import { type Extension, globalExtensions, register } from '../ext/extension.ts';
import type { StandardSchema } from './schema.ts';
import { UnpackrClass } from './Unpackr.ts';
import type { ForEach, Source, UnpackOptions } from './unpack-arguments.ts';

let unpackr: UnpackrClass | undefined;

/**
 * Unpacks the one message in the bytes. Maps become objects, records are off. The value has to
 * satisfy a schema, if there is one: that of any library with the interface Standard Schema.
 *
 * @throws MsgpackDecodeError
 * @example
 * unpack(pack({ id: 1 })); // { id: 1 }
 * unpack(pack({ id: 1 }), z.object({ id: z.number() })).id; // 1
 */
export function unpack<Output>(source: Source, schema: StandardSchema<Output>): Output;
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export function unpack(source: Source, options?: UnpackOptions): any;
// biome-ignore lint/suspicious/noExplicitAny: as above
export function unpack(source: Source, options?: UnpackOptions | StandardSchema): any {
  unpackr ??= new UnpackrClass({ useRecords: false });
  return unpackr.unpack(source, options as UnpackOptions);
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
  unpackr ??= new UnpackrClass({ useRecords: false });
  return unpackr.unpackMultiple(source, forEach as ForEach) as unknown as unknown[] | undefined;
}

/**
 * Registers an extension with all instances and functions. Those of an instance come first.
 *
 * @example
 * addExtension({ Class: Point, type: 5, pack: (p) => Uint8Array.of(p.x, p.y) });
 */
export function addExtension(extension: Extension): void {
  register(globalExtensions, extension);
}

/** Does nothing, as no source is kept between calls. It exists for programs that use msgpackr. */
export function clearSource(): void {}

/** Always false, as packord needs no native add-on. It exists for programs that use msgpackr. */
export const isNativeAccelerationEnabled = false;
