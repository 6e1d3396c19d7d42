import { CheckedReader } from '../decode/checked.ts';
import { explain } from '../decode/locate.ts';
import { Reader } from '../decode/reader.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import type { Extension } from '../ext/extension.ts';
import { SharedStructures } from '../record/shared.ts';
import { type DecodeConfig, decodeConfig, needsChecks } from './decode-config.ts';
import type { Options, Structures } from './options.ts';

/** Bytes to unpack. */
export type Source = Uint8Array | ArrayBuffer | ArrayBufferView;

/** Where the message lies in the bytes; a number is its end. */
export type UnpackOptions = number | { start?: number; end?: number };

/** Called with each value of `unpackMultiple` and where it lies; false stops. */
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export type ForEach = (value: any, start?: number, end?: number) => unknown;

/** @internal */
export function bytesOf(source: Source): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (
    source instanceof ArrayBuffer ||
    Object.prototype.toString.call(source) === '[object ArrayBuffer]'
  )
    return new Uint8Array(source as ArrayBuffer);
  throw new TypeError('The source to unpack is a Uint8Array, a Buffer or an ArrayBuffer');
}

/** Key of the defaults of `packord/msgpackr` among the options. */
export const COMPATIBLE: unique symbol = Symbol('compatible with msgpackr');

/** Options as constructors get them. */
export type InternalOptions = Options & { [COMPATIBLE]?: boolean };

/**
 * Unpacks messages, and keeps what helps with further ones: structures and generated
 * readers. It may be used again while it is at work, as within an extension.
 *
 * Every fault of the bytes is a {@link MsgpackDecodeError}.
 *
 * @example
 * const unpackr = new Unpackr({ useRecords: false, maxDepth: 64 });
 * unpackr.unpack(bytes);
 */
export class UnpackrClass {
  protected readonly shared: SharedStructures;
  readonly #config: DecodeConfig;
  readonly #reader: Reader;
  #busy = false;

  constructor(options: InternalOptions = {}) {
    this.shared = new SharedStructures(options);
    this.#config = decodeConfig(options, options[COMPATIBLE] ?? false);
    if (this.#config.records && (options.structures !== undefined || this.shared.canLoad))
      this.#config.sharedList = () => this.shared.list;
    if (this.shared.canLoad) this.#config.loadShared = () => this.shared.reload();
    this.#reader = this.#newReader();
  }

  #newReader(): Reader {
    return needsChecks(this.#config) ? new CheckedReader(this.#config) : new Reader(this.#config);
  }

  /** The shared structures: the list given, loaded or filled by packing. */
  get structures(): Structures {
    return this.shared.list;
  }

  set structures(list: Structures) {
    this.shared.list = list;
  }

  /**
   * Unpacks the one message that the bytes hold.
   *
   * @param source the bytes
   * @param options where the message lies in them: its end, or start and end
   * @throws MsgpackDecodeError
   * @example
   * unpackr.unpack(frame, { start: 4, end: 4 + length });
   */
  // biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
  unpack(source: Source, options?: UnpackOptions): any {
    const bytes = source instanceof Uint8Array ? source : bytesOf(source);
    let start = 0;
    let end = bytes.length;
    if (typeof options === 'number') {
      if (options > -1 && options < end) end = options;
    } else if (options !== undefined && options !== null) {
      start = options.start ?? 0;
      end = Math.min(options.end ?? end, end);
    }
    const reader = this.#busy ? this.#newReader() : this.#reader;
    const nested = this.#busy;
    this.#busy = true;
    try {
      reader.open(bytes, start, end);
      return reader.message(!this.#config.allowTrailing);
    } catch (error) {
      throw explain(error, reader, bytes, start, end);
    } finally {
      reader.close();
      this.#busy = nested;
    }
  }

  /** The same as {@link unpack}. */
  // biome-ignore lint/suspicious/noExplicitAny: as unpack
  decode(source: Source, options?: UnpackOptions): any {
    return this.unpack(source, options);
  }

  /**
   * Unpacks the messages that stand one after another in the bytes. Records that one of
   * them defines are known to those that follow.
   *
   * @param forEach called with each value, its start and its end; false stops
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
    const reader = this.#busy ? this.#newReader() : this.#reader;
    const nested = this.#busy;
    this.#busy = true;
    const values: unknown[] = [];
    let start = 0;
    try {
      reader.open(bytes, 0, bytes.length);
      reader.hold = !this.#config.sequential;
      do {
        start = reader.pos - reader.base;
        const value = reader.message();
        if (forEach === undefined) values.push(value);
        else if (forEach(value, start, reader.pos - reader.base) === false) return undefined;
      } while (reader.pos < reader.end);
      return forEach === undefined ? values : undefined;
    } catch (error) {
      const explained = explain(error, reader, bytes, start, bytes.length);
      if (explained instanceof MsgpackDecodeError) {
        explained.lastPosition = start;
        explained.values = values;
      }
      throw explained;
    } finally {
      reader.close();
      this.#busy = nested;
    }
  }

  /**
   * Makes an extension known to this instance alone.
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

  /** Reading options with every default filled in. */
  get config(): DecodeConfig {
    return this.#config;
  }

  /** A reader of its own with these options and structures, for a stream. @internal */
  newReader(): Reader {
    return this.#newReader();
  }
}
