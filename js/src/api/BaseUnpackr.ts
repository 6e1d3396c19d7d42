import { type DecodeConfig, needsChecks } from '../decode/DecodeConfig.ts';
import type { Decoder } from '../decode/Decoder.ts';
import { type Extension, register } from '../ext/extension.ts';
import type { SharedStructures } from '../record/SharedStructures.ts';
import type { Structures } from '../record/structures.ts';
import { decodeConfig } from './decode-options.ts';
import { DIALECT, type InternalOptions } from './dialect.ts';
import { bindCallbacks, checkNames, exposeOptions } from './option-names.ts';
import type { StandardSchema } from './schema.ts';
import { readAll, Unpacking } from './Unpacking.ts';
import type { ForEach, Source, UnpackFeatures, UnpackOptions } from './unpack-arguments.ts';

/** What unpacks, with the features of its entry point. */
export class BaseUnpackr {
  static {
    exposeOptions(BaseUnpackr.prototype, (instance: BaseUnpackr) => instance.options);
  }

  protected readonly shared: SharedStructures | null;
  /** The options of the constructor, with its callbacks bound to the instance. */
  protected readonly options: InternalOptions;
  /** @internal */
  readonly features: UnpackFeatures;
  readonly #unpacking: Unpacking;

  /** @param elsewhere tells what an option of another package is here */
  constructor(
    given: InternalOptions,
    features: UnpackFeatures,
    elsewhere?: (name: string) => string,
  ) {
    const dialect = given[DIALECT];
    if (!dialect?.anyOption) checkNames(given, elsewhere);
    const options = bindCallbacks(given, this, dialect?.callbacks);
    this.options = options;
    this.features = features;
    const shared = features.records?.newShared(options) ?? null;
    this.shared = shared;
    const config = decodeConfig(options, dialect?.extensions?.());
    const hasList = options.structures !== undefined || options.saveStructures !== undefined;
    if (shared !== null) {
      if (config.records && (hasList || shared.canLoad)) config.sharedList = () => shared.list;
      if (shared.canLoad) config.loadShared = () => shared.reload();
    }
    const checker = needsChecks(config) ? features.checks?.newDecoder : undefined;
    const unpacking = new Unpacking(config, features, dialect?.newDecoder ?? checker);
    this.#unpacking = unpacking;
    // So that they can be taken out of the instance, unless a subclass has its own. Calls of
    // functions made by `bind` take longer.
    const methods = BaseUnpackr.prototype;
    if (this.unpack === methods.unpack)
      this.unpack = (source: Source, options?: UnpackOptions | StandardSchema) =>
        unpacking.unpack(source, options) as never;
    const { unpackMultiple } = this;
    if (unpackMultiple === methods.unpackMultiple)
      this.unpackMultiple = unpackMultiple.bind(this) as typeof unpackMultiple;
  }

  /** The shared structures: the list that was passed, loaded or filled by packing. */
  get structures(): Structures {
    return this.shared?.list ?? [];
  }

  set structures(list: Structures) {
    if (this.shared !== null) this.shared.list = list;
  }

  /**
   * Unpacks the one message that the bytes hold.
   *
   * @param source the bytes
   * @param options where the message is in them: its end, or start and end; or a schema that the
   * value has to satisfy, of any library with the interface Standard Schema
   * @throws MsgpackDecodeError
   * @example
   * unpackr.unpack(frame, { start: 4, end: 4 + length });
   * unpackr.unpack(bytes, z.object({ id: z.number() })).id;
   */
  unpack<Output>(source: Source, schema: StandardSchema<Output>): Output;
  // biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
  unpack(source: Source, options?: UnpackOptions): any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  unpack(source: Source, options?: UnpackOptions | StandardSchema): any {
    return this.#unpacking.unpack(source, options);
  }

  /**
   * Unpacks all messages in the bytes. Records that one of them defines are known to those
   * that follow.
   *
   * @param forEach called with each value, its start and its end; returns false to stop
   * @throws MsgpackDecodeError with the values before the fault
   * @example
   * unpackr.unpackMultiple(Uint8Array.of(1, 2, 3)); // [1, 2, 3]
   */
  // biome-ignore lint/suspicious/noExplicitAny: as unpack
  unpackMultiple(source: Source): any[];
  unpackMultiple(source: Source, forEach: ForEach): void;
  // biome-ignore lint/suspicious/noExplicitAny: as unpack
  unpackMultiple(source: Source, forEach?: ForEach): any[] | undefined {
    return readAll(this.#unpacking, source, forEach);
  }

  /**
   * Registers an extension with this instance alone.
   *
   * @throws TypeError when it has no valid type or lacks functions
   * @example
   * unpackr.addExtension({ type: 5, unpack: (bytes) => new Point(bytes[0], bytes[1]) });
   */
  addExtension(extension: Extension): void {
    register(this.config.extensions, extension);
  }

  /** The extensions of this instance, for packing. */
  protected get extensions(): DecodeConfig['extensions'] {
    return this.config.extensions;
  }

  /** The options for reading, with every default filled in. */
  get config(): DecodeConfig {
    return this.#unpacking.config;
  }

  /** Makes a decoder with these options and structures, for a stream. @internal */
  newDecoder(): Decoder {
    return this.#unpacking.newDecoder();
  }
}
