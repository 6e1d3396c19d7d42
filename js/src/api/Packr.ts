import { columns } from '../columns/write.ts';
import type { EncodeFeatures } from '../encode/EncodeFeatures.ts';
import { ENCODE_FEATURES } from '../encode/features.ts';
import type { Packed } from '../wire/platform.ts';
import { type Callable, callable } from './callable.ts';
import { DIALECT, type InternalOptions } from './dialect.ts';
import { encodeConfig } from './encode-options.ts';
import type { Options } from './options.ts';
import { Packing } from './Packing.ts';
import { optionsIn, perOptions } from './per-options.ts';
import { UnpackrClass } from './Unpackr.ts';

/** All features of packing. */
export const PACK_FEATURES: EncodeFeatures = /* @__PURE__ */ Object.assign(
  {},
  ENCODE_FEATURES,
  columns,
);

/**
 * Packs values, and unpacks them as {@link UnpackrClass} does. With the option `records`, objects of
 * the same keys are written as records.
 *
 * @example
 * const packr = new Packr({ records: true });
 * const bytes = packr.pack([{ x: 1 }, { x: 2 }]);
 * packr.unpack(bytes); // [{ x: 1 }, { x: 2 }]
 */
export class PackrClass extends UnpackrClass {
  /**
   * Packs a value. The bytes share memory with other messages, as small Buffers do.
   *
   * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
   * @throws MsgpackEncodeError
   * @example
   * packr.pack({ x: 1 }, RESERVE_START_SPACE + 4); // four bytes are free before the message
   */
  readonly pack: (value: unknown, options?: number) => Packed;
  /** @internal */
  readonly packing: Packing;

  constructor(given: InternalOptions = {}) {
    super(given);
    const { options } = this;
    const config = encodeConfig(options, this.extensions);
    const features = options[DIALECT]?.packFeatures ?? PACK_FEATURES;
    this.packing = new Packing(config, features, this.shared, options);
    this.pack = this.packing.pack;
  }

  /** Offset in memory after the last message, as in msgpackr. */
  get offset(): number {
    return this.packing.offset;
  }

  /** Offset in memory at which the next message may begin. */
  get position(): number {
    return this.packing.position;
  }

  set position(value: number) {
    this.packing.position = value;
  }

  /**
   * Writes the next messages into this memory, and overwrites its content.
   *
   * @example
   * packr.useBuffer(Buffer.alloc(65_536));
   */
  useBuffer(buffer: Uint8Array): void {
    this.packing.useBuffer(buffer);
  }

  /** Reuses the memory of all messages that were packed, which must no longer be in use. */
  resetMemory(): void {
    this.packing.position = 0;
  }

  /** Replaces the shared structures by an empty list. */
  clearSharedData(): void {
    this.shared.clear();
  }
}

/** Packs and unpacks; see {@link PackrClass}. May be called without `new`. */
export type Packr = PackrClass;
export const Packr: Callable<typeof PackrClass> = /* @__PURE__ */ callable(PackrClass, 'Packr');

let packr: PackrClass | undefined;

const packrFor = /* @__PURE__ */ perOptions((options: Options) => new PackrClass(options));

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
