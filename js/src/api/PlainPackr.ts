import type { EncodeFeatures } from '../encode/EncodeFeatures.ts';
import { type Extension, ExtensionRegistry, register } from '../ext/extension.ts';
import type { SharedStructures } from '../record/SharedStructures.ts';
import type { Structures } from '../record/structures.ts';
import type { Packed } from '../wire/platform.ts';
import { type Callable, callable } from './callable.ts';
import { encodeConfig } from './encode-options.ts';
import { bindCallbacks, checkFeatures, checkNames, exposeOptions } from './option-names.ts';
import type { Options } from './options.ts';
import { Packing } from './Packing.ts';

/** A part of packing that a plain packer lacks, such as `records`. */
export type PackFeature = EncodeFeatures;

/** The options of a plain packer: those of `Packr`, and the features that they need. */
export interface PlainOptions extends Options {
  features?: readonly PackFeature[] | undefined;
}

/** The options that need a feature, by its name. */
const NEEDS: Partial<Record<keyof EncodeFeatures, readonly (keyof Options)[]>> = {
  records: ['records', 'structures', 'getStructures', 'saveStructures'],
  selection: ['canonical', 'sortKeys', 'skipNil', 'utf8'],
  floats: ['float32'],
  rich: ['rich', 'bigint'],
  replacer: ['replacer'],
  columns: ['columns'],
};

/**
 * Packs values as plain MessagePack, and with the features that it is given as `Packr` of
 * `packord` does. It has no decoder.
 *
 * @example
 * const packr = new Packr({ features: [records], records: true });
 * packr.pack([{ x: 1 }, { x: 2 }]);
 */
export class PlainPackrClass {
  static {
    exposeOptions(PlainPackrClass.prototype, (instance: PlainPackrClass) => instance.#options);
  }

  /**
   * Packs a value. The bytes share memory with other messages, as small Buffers do.
   *
   * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
   * @throws MsgpackEncodeError
   */
  readonly pack: (value: unknown, options?: number) => Packed;
  readonly #options: Options;
  readonly #extensions: ExtensionRegistry = new ExtensionRegistry();
  readonly #shared: SharedStructures | null;
  readonly #packing: Packing;

  /** @throws TypeError for an option that does not exist, or whose feature is not given */
  constructor({ features: given = [], ...others }: PlainOptions = {}) {
    checkNames(others);
    const features: EncodeFeatures = Object.assign({}, ...given);
    const options = bindCallbacks(others, this);
    checkFeatures(options, features, NEEDS);
    this.#options = options;
    for (const extension of options.extensions ?? []) register(this.#extensions, extension);
    this.#shared = features.records?.newShared(options) ?? null;
    const config = encodeConfig(options, this.#extensions);
    this.#packing = new Packing(config, features, this.#shared, options);
    this.pack = this.#packing.pack;
  }

  /** The shared structures: the list that was passed, loaded or filled by packing. */
  get structures(): Structures | undefined {
    return this.#shared?.list;
  }

  /** Offset in memory after the last message, as in msgpackr. */
  get offset(): number {
    return this.#packing.offset;
  }

  /** Offset in memory at which the next message may begin. */
  get position(): number {
    return this.#packing.position;
  }

  set position(value: number) {
    this.#packing.position = value;
  }

  /** Writes the next messages into this memory, and overwrites its content. */
  useBuffer(buffer: Uint8Array): void {
    this.#packing.useBuffer(buffer);
  }

  /** Registers an extension with this instance alone. */
  addExtension(extension: Extension): void {
    register(this.#extensions, extension);
  }
}

/** Packs; see {@link PlainPackrClass}. May be called without `new`. */
export type PlainPackr = PlainPackrClass;
export const PlainPackr: Callable<typeof PlainPackrClass> = /* @__PURE__ */ callable(
  PlainPackrClass,
  'Packr',
);
