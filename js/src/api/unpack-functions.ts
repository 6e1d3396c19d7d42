import { type Extension, globalExtensions } from '../ext/extension.ts';
import { type ForEach, type Source, type UnpackOptions, UnpackrClass } from './unpackr.ts';

let unpackr: UnpackrClass | undefined;

/**
 * Unpacks the one message that the bytes hold; maps become objects, records are off.
 *
 * @throws MsgpackDecodeError
 * @example
 * unpack(pack({ id: 1 })); // { id: 1 }
 */
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export function unpack(source: Source, options?: UnpackOptions): any {
  unpackr ??= new UnpackrClass({ useRecords: false });
  return unpackr.unpack(source, options);
}

/**
 * Unpacks the messages that stand one after another in the bytes.
 *
 * @param forEach called with each value, its start and its end; false stops
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
 * Makes an extension known to all instances and functions. Those of an instance come first.
 *
 * @example
 * addExtension({ Class: Point, type: 5, pack: (p) => Uint8Array.of(p.x, p.y) });
 */
export function addExtension(extension: Extension): void {
  globalExtensions.add(extension);
}

/** Does nothing: no source is kept between calls. It is there for users of msgpackr. */
export function clearSource(): void {}

/** Always false: packord needs no native add-on. It is there for users of msgpackr. */
export const isNativeAccelerationEnabled = false;
