/**
 * `packord/msgpackr`: the same functions and classes with the defaults and bytes of msgpackr:
 * objects as maps with a header of 16 bits, integers of more than 32 bits as floats, bigints
 * with 64 bits. The ext types that msgpackr reads by default are read by default.
 *
 * @example
 * import { pack } from 'packord/msgpackr';
 * pack({ a: 1 }); // de 00 01 a1 61 01
 */

import { type Callable, callable } from './api/callable.ts';
import { COMPATIBLE } from './api/dialect.ts';
import { type Chunks, decodeIter as decodeAny, encodeIter as encodeAny } from './api/iterate.ts';
import type { Options } from './api/options.ts';
import { PackrClass } from './api/Packr.ts';
import type { StandardSchema } from './api/schema.ts';
import { UnpackrClass } from './api/Unpackr.ts';
import type { ForEach, Source, UnpackOptions } from './api/unpack-arguments.ts';

export {
  ALWAYS,
  DECIMAL_FIT,
  DECIMAL_ROUND,
  FLOAT32_OPTIONS,
  mapsAsObjects,
  NEVER,
  type Options,
  useRecords,
} from './api/options.ts';
export { RESERVE_START_SPACE, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from './api/Packing.ts';
export { addExtension, clearSource, isNativeAccelerationEnabled } from './api/unpack-functions.ts';
export { type ErrorKind, MsgpackDecodeError, MsgpackEncodeError } from './errors/errors.ts';
export { C1, type Extension } from './ext/extension.ts';
export type { Structures } from './record/structures.ts';

import type { Packed } from './wire/platform.ts';

export { roundFloat32 } from './wire/floats.ts';
export type { Packed };

class CompatibleUnpackr extends UnpackrClass {
  constructor(options: Options = {}) {
    super({ ...options, [COMPATIBLE]: true });
  }
}

class CompatiblePackr extends PackrClass {
  constructor(options: Options = {}) {
    super({ ...options, [COMPATIBLE]: true });
  }
}

/** Unpacks as msgpackr does. May be called without `new`. */
export type Unpackr = CompatibleUnpackr;
export const Unpackr: Callable<typeof CompatibleUnpackr> = /* @__PURE__ */ callable(
  CompatibleUnpackr,
  'Unpackr',
);

/** Packs as msgpackr does. May be called without `new`. */
export type Packr = CompatiblePackr;
export const Packr: Callable<typeof CompatiblePackr> = /* @__PURE__ */ callable(
  CompatiblePackr,
  'Packr',
);

export { Packr as Encoder, Unpackr as Decoder };

let packr: PackrClass | undefined;

function common(): PackrClass {
  packr ??= new CompatiblePackr({ useRecords: false });
  return packr;
}

/** Packs as {@link CompatiblePackr} without records. */
export function pack(value: unknown, options?: number): Packed {
  return common().pack(value, options);
}

/** Unpacks the one message in the bytes, and validates it if there is a schema. */
export function unpack<Output>(source: Source, schema: StandardSchema<Output>): Output;
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export function unpack(source: Source, options?: UnpackOptions): any;
// biome-ignore lint/suspicious/noExplicitAny: as above
export function unpack(source: Source, options?: UnpackOptions | StandardSchema): any {
  return common().unpack(source, options as UnpackOptions);
}

/** Unpacks all messages in the bytes. */
// biome-ignore lint/suspicious/noExplicitAny: as unpack
export function unpackMultiple(source: Source): any[];
export function unpackMultiple(source: Source, forEach: ForEach): void;
// biome-ignore lint/suspicious/noExplicitAny: as unpack
export function unpackMultiple(source: Source, forEach?: ForEach): any[] | undefined {
  return common().unpackMultiple(source, forEach as ForEach) as unknown as unknown[] | undefined;
}

export { pack as encode, unpack as decode };

/** Unpacks the messages of a stream that arrives in chunks. */
export function decodeIter(
  source: Chunks,
  options: Options = {},
): IterableIterator<unknown> | AsyncIterableIterator<unknown> {
  return decodeAny(source as Iterable<Uint8Array>, { ...options, [COMPATIBLE]: true } as Options);
}

/** Packs the values of an iterable, or of an async iterable or a promise of one. */
export function encodeIter(
  source: Iterable<unknown> | AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>,
  options: Options = {},
): IterableIterator<Packed> | AsyncIterableIterator<Packed> {
  return encodeAny(source as Iterable<unknown>, { ...options, [COMPATIBLE]: true } as Options);
}
