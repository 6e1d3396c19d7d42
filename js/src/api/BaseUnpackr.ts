import { type DecodeConfig, needsChecks } from '../decode/DecodeConfig.ts';
import { Decoder } from '../decode/Decoder.ts';
import { explain } from '../decode/explain.ts';
import type { ReadFeatures } from '../decode/features.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import type { Extension } from '../ext/extension.ts';
import type { SharedStructures } from '../record/SharedStructures.ts';
import type { Structures } from '../record/structures.ts';
import { bytesIn } from '../wire/memory.ts';
import { decodeConfig } from './decode-options.ts';
import { COMPATIBLE, DIALECT, type InternalOptions } from './dialect.ts';
import { bindCallbacks, checkNames, exposeOptions } from './option-names.ts';
import { isSchema, type SchemaFeature, type StandardSchema } from './schema.ts';

/** Bytes to unpack. */
export type Source = Uint8Array | ArrayBuffer | ArrayBufferView;

/** Where the message is in the bytes; a number is its end. A schema may validate what is read. */
export type UnpackOptions = number | { start?: number; end?: number; schema?: StandardSchema };

/** Called with each value of `unpackMultiple`, its start and its end; returns false to stop. */
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export type ForEach = (value: any, start?: number, end?: number) => unknown;

/** @internal */
export function bytesOf(source: Source): Uint8Array {
  const bytes = bytesIn(source);
  if (bytes !== undefined) return bytes;
  throw new TypeError('The source to unpack must be a Uint8Array, a Buffer or an ArrayBuffer');
}

/** What an entry point adds to the unpacking of plain values. */
export type UnpackFeatures = ReadFeatures & SchemaFeature;

/** What unpacks, with the features of its entry point. */
export class BaseUnpackr {
  static {
    exposeOptions(BaseUnpackr.prototype, (instance: BaseUnpackr) => instance.options);
  }

  protected readonly shared: SharedStructures | null;
  /** The options of the constructor, with its callbacks bound to the instance. */
  protected readonly options: InternalOptions;
  readonly #features: UnpackFeatures;
  readonly #config: DecodeConfig;
  readonly #decoder: Decoder;
  #busy = false;

  constructor(given: InternalOptions, features: UnpackFeatures) {
    this.#features = features;
    const compatible = given[COMPATIBLE] ?? false;
    // Users of msgpackr pass their own options along.
    if (!compatible) checkNames(given);
    const options = bindCallbacks(given, this);
    this.options = options;
    const shared = features.records?.newShared(options) ?? null;
    this.shared = shared;
    this.#config = decodeConfig(options, compatible, options[DIALECT]?.extensions);
    const hasList = options.structures !== undefined || options.saveStructures !== undefined;
    if (shared !== null) {
      if (this.#config.records && (hasList || shared.canLoad))
        this.#config.sharedList = () => shared.list;
      if (shared.canLoad) this.#config.loadShared = () => shared.reload();
    }
    this.#decoder = this.#newDecoder();
    // So that they can be taken out of the instance, unless a subclass has its own. Calls of
    // functions made by `bind` take longer.
    const methods = BaseUnpackr.prototype;
    if (this.unpack === methods.unpack)
      this.unpack = (source: Source, options?: UnpackOptions | StandardSchema) =>
        this.#unpack(source, options) as never;
    if (this.decode === methods.decode) this.decode = this.unpack;
    const { unpackMultiple } = this;
    if (unpackMultiple === methods.unpackMultiple)
      this.unpackMultiple = unpackMultiple.bind(this) as typeof unpackMultiple;
  }

  #newDecoder(): Decoder {
    const newDecoder = this.options[DIALECT]?.newDecoder;
    if (newDecoder !== undefined) return newDecoder(this.#config, this.#features);
    const { checks } = this.#features;
    return needsChecks(this.#config) && checks !== undefined
      ? checks.newDecoder(this.#config, this.#features)
      : new Decoder(this.#config, this.#features);
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
    return this.#unpack(source, options);
  }

  #unpack(source: Source, options?: UnpackOptions | StandardSchema): unknown {
    const bytes = bytesOf(source);
    let start = 0;
    let end = bytes.length;
    let schema: StandardSchema | undefined;
    if (typeof options === 'number') {
      if (options > -1 && options < end) end = options;
    } else if (isSchema(options)) schema = options;
    else if (options !== undefined && options !== null) {
      schema = options.schema;
      start = options.start ?? 0;
      end = Math.min(options.end ?? end, end);
      if (!(start >= 0 && end >= 0))
        throw new RangeError(`start and end must be numbers from 0 up, not ${start} and ${end}`);
    }
    const decoder = this.#busy ? this.#newDecoder() : this.#decoder;
    const nested = this.#busy;
    this.#busy = true;
    let value: unknown;
    let read = bytes;
    try {
      decoder.open(bytes, start, end);
      value = decoder.message(!this.#config.allowTrailing);
      read = decoder.source;
    } catch (error) {
      // The program may have overwritten its bytes, of which the decoder then has a copy.
      throw explain(error, decoder, decoder.source, start, end);
    } finally {
      decoder.close();
      this.#busy = nested;
    }
    if (schema === undefined) return value;
    const { schemas } = this.#features;
    if (schemas === undefined) throw new TypeError('A schema needs the feature schemas');
    return schemas.validated(value, schema, read, start, end, decoder);
  }

  /** The same as {@link unpack}. */
  decode<Output>(source: Source, schema: StandardSchema<Output>): Output;
  // biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
  decode(source: Source, options?: UnpackOptions): any;
  // biome-ignore lint/suspicious/noExplicitAny: as unpack
  decode(source: Source, options?: UnpackOptions | StandardSchema): any {
    return this.unpack(source, options as UnpackOptions);
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
    const bytes = bytesOf(source);
    const decoder = this.#busy ? this.#newDecoder() : this.#decoder;
    const nested = this.#busy;
    this.#busy = true;
    const values: unknown[] = [];
    let start = 0;
    try {
      decoder.open(bytes, 0, bytes.length);
      decoder.hold = !this.#config.sequential;
      do {
        start = decoder.pos - decoder.base;
        const value = decoder.message();
        if (forEach === undefined) values.push(value);
        else if (forEach(value, start, decoder.pos - decoder.base) === false) return undefined;
      } while (decoder.pos < decoder.end);
      return forEach === undefined ? values : undefined;
    } catch (error) {
      const explained = explain(error, decoder, decoder.source, start, bytes.length);
      if (explained instanceof MsgpackDecodeError) {
        explained.lastPosition = start;
        explained.values = values;
      }
      throw explained;
    } finally {
      decoder.hold = false;
      if (!this.#config.sequential) decoder.structures?.rollback();
      decoder.close();
      this.#busy = nested;
    }
  }

  /**
   * Registers an extension with this instance alone.
   *
   * @throws TypeError when it has no valid type or lacks functions
   * @example
   * unpackr.addExtension({ type: 5, unpack: (bytes) => new Point(bytes[0], bytes[1]) });
   */
  addExtension(extension: Extension): void {
    this.#config.extensions.add(extension);
  }

  /** The extensions of this instance, for packing. */
  protected get extensions(): DecodeConfig['extensions'] {
    return this.#config.extensions;
  }

  /** The options for reading, with every default filled in. */
  get config(): DecodeConfig {
    return this.#config;
  }

  /** Makes a decoder with these options and structures, for a stream. @internal */
  newDecoder(): Decoder {
    return this.#newDecoder();
  }
}
