/**
 * `packord/msgpackr`: the same functions and classes with the defaults and bytes of msgpackr:
 * objects as maps with a header of 16 bits, integers of more than 32 bits as floats, bigints
 * with 64 bits. The ext types that msgpackr reads by default are read by default.
 *
 * @example
 * import { pack } from 'packord/msgpackr';
 * pack({ a: 1 }); // de 00 01 a1 61 01
 */

import { type Callable, callable } from '../api/callable.ts';
import { decodeBy, encodeBy, type ManyValues } from '../api/iterate.ts';
import { type Packs, packs } from '../api/packs.ts';
import { Unpacker } from '../api/Unpacker.ts';
import type { ForEach, Source, UnpackOptions } from '../api/Unpacking.ts';
import type { StandardSchema } from '../schema/schema.ts';

export { RESERVE_START_SPACE, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from '../api/modes.ts';
export { addExtension } from '../compat/msgpackr/dialect.ts';
export {
  ALWAYS,
  DECIMAL_FIT,
  DECIMAL_ROUND,
  FLOAT32_OPTIONS,
  type MsgpackrOptions as Options,
  mapsAsObjects,
  NEVER,
  useRecords,
} from '../compat/msgpackr/options.ts';
export { type ErrorKind, MsgpackDecodeError, MsgpackEncodeError } from '../errors/errors.ts';
export { C1, type Extension } from '../ext/extension.ts';
export type { Structures } from '../record/structures.ts';

import { internal, OTHER_NAMES } from '../compat/msgpackr/dialect.ts';
import type { MsgpackrOptions } from '../compat/msgpackr/options.ts';
import type { Chunks } from '../stream/chunks.ts';
import type { Packed } from '../wire/platform.ts';

export { roundFloat32 } from '../wire/floats.ts';
export type { Packed };

/** Does nothing, as no source is kept between calls. */
export function clearSource(): void {}

/** Always false, as packord needs no native add-on. */
export const isNativeAccelerationEnabled = false;

class CompatibleUnpackr extends Unpacker {
  /** The same as `unpack`. */
  decode: Unpacker['unpack'] = this.unpack;

  constructor(options?: MsgpackrOptions) {
    super(internal(options));
    // Callbacks find there what else the program passed.
    for (const [name, value] of Object.entries(options ?? {}))
      if (!(name in this)) Object.assign(this, { [name]: value });
  }

  /** Takes another value of an option, as programs set options of msgpackr later. @internal */
  setOption(name: string, value: unknown): void {
    const options = this.options as Record<string, unknown>;
    options[name] = typeof value === 'function' ? value.bind(this) : value;
    this.configure();
  }

  protected override configure(): void {
    super.configure();
    this.decode = this.unpack;
  }
}

const PackingUnpackr: new (options?: MsgpackrOptions) => CompatibleUnpackr & Packs =
  /* @__PURE__ */ packs(CompatibleUnpackr);

class CompatiblePackr extends PackingUnpackr {
  /** The same as `pack`. */
  encode: Packs['pack'] = this.pack;

  /** Number of shared structures. */
  get lastNamedStructuresLength(): number {
    return this.structures.length;
  }

  protected override configure(): void {
    super.configure();
    this.encode = this.pack;
  }
}

/** Unpacks as msgpackr does. May be called without `new`. */
export type Unpackr = CompatibleUnpackr;
export const Unpackr: Callable<typeof CompatibleUnpackr> = /* @__PURE__ */ callable(
  CompatibleUnpackr,
  'Unpackr',
  OTHER_NAMES,
);

/** Packs as msgpackr does. May be called without `new`. */
export type Packr = CompatiblePackr;
export const Packr: Callable<typeof CompatiblePackr> = /* @__PURE__ */ callable(CompatiblePackr, 'Packr', OTHER_NAMES);

export { Packr as Encoder, Unpackr as Decoder };

let packr: CompatiblePackr | undefined;

function common(): CompatiblePackr {
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
export function unpack<T = any>(source: Source, options?: UnpackOptions): T;
export function unpack(source: Source, options?: UnpackOptions | StandardSchema): unknown {
  return common().unpack(source, options as UnpackOptions);
}

/** Unpacks all messages in the bytes. */
// biome-ignore lint/suspicious/noExplicitAny: as unpack
export function unpackMultiple(source: Source): any[];
export function unpackMultiple(source: Source, forEach: ForEach): void;
export function unpackMultiple(source: Source, forEach?: ForEach): unknown[] | undefined {
  return common().unpackMultiple(source, forEach as ForEach) as unknown as unknown[] | undefined;
}

export { pack as encode, unpack as decode };

/** Unpacks the messages of a stream that arrives in chunks. */
export function decodeIter(
  source: Chunks,
  options: MsgpackrOptions = {},
): IterableIterator<unknown> | AsyncIterableIterator<unknown> {
  return decodeBy(source, new CompatibleUnpackr(options));
}

/** Packs the values of an iterable, or of an async iterable or a promise of one. */
export function encodeIter(
  source: ManyValues,
  options: MsgpackrOptions = {},
): IterableIterator<Packed> | AsyncIterableIterator<Packed> {
  return encodeBy(source, new CompatiblePackr(options));
}
