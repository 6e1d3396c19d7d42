import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import type { Decoder } from '../decode/Decoder.ts';
import { decoderFor, extensions } from '../decode/features.ts';
import { decodeConfig } from '../options/config.ts';
import { DIALECT, type InternalOptions } from '../options/dialect.ts';
import type { Preset } from '../options/options.ts';
import { checkFeatures } from '../options/table.ts';
import type { StandardSchema } from '../schema/schema.ts';
import { Instance } from './Instance.ts';
import { type ForEach, readAll, type Source, Unpacking, type UnpackOptions } from './Unpacking.ts';

const PRESET: Preset = { features: extensions };

/**
 * Unpacks messages, and keeps structures and generated decoders for further ones. It may be
 * used while it is in use, as within an extension.
 *
 * Every fault in the bytes is thrown as a {@link MsgpackDecodeError}.
 *
 * @example
 * const unpackr = new Unpackr({ maxDepth: 64 });
 * unpackr.unpack(bytes);
 */
export class Unpacker extends Instance {
  #unpacking: Unpacking;

  /** @throws TypeError for an option that does not exist, or whose feature is not there */
  constructor(given: InternalOptions = {}, preset: Preset = PRESET) {
    super(given, preset);
    this.#unpacking = this.#configured();
    const { unpackMultiple } = this;
    if (unpackMultiple === Unpacker.prototype.unpackMultiple)
      this.unpackMultiple = unpackMultiple.bind(this) as typeof unpackMultiple;
  }

  protected override configure(): void {
    super.configure();
    this.#unpacking = this.#configured();
  }

  #configured(): Unpacking {
    const { options, features, shared } = this;
    checkFeatures(options, features, 'read');
    const config = decodeConfig(options, this.registry);
    const hasList = options.structures !== undefined || options.saveStructures !== undefined;
    if (shared !== null) {
      if (config.records && (hasList || shared.canLoad)) config.sharedList = () => shared.list;
      if (shared.canLoad) config.loadShared = () => shared.reload();
    }
    const unpacking = new Unpacking(config, features, options[DIALECT]?.newDecoder ?? decoderFor);
    // So that it can be taken out of the instance, unless a subclass has its own. Calls of
    // functions made by `bind` take longer.
    if (Object.getPrototypeOf(this).unpack === Unpacker.prototype.unpack)
      this.unpack = (source: Source, options?: UnpackOptions | StandardSchema) =>
        unpacking.unpack(source, options) as never;
    return unpacking;
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
  unpack<T = any>(source: Source, options?: UnpackOptions): T;
  unpack(source: Source, options?: UnpackOptions | StandardSchema): unknown {
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
  unpackMultiple(source: Source, forEach?: ForEach): unknown[] | undefined {
    return readAll(this.#unpacking, source, forEach);
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
