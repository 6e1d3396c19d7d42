import { DIALECT, type InternalOptions } from '../api/dialect.ts';
import { decodeIter } from '../api/iterate.ts';
import type { Options } from '../api/options.ts';
import { RESET_BUFFER_MODE } from '../api/Packing.ts';
import { PackrClass } from '../api/Packr.ts';
import type { Source } from '../api/unpack-arguments.ts';
import { ExtensionRegistry } from '../ext/extension.ts';
import type { Chunk } from '../stream/Feed.ts';
import type { Host } from './Host.ts';
import { HostDecoder } from './HostDecoder.ts';
import { HostEncoder } from './HostEncoder.ts';

/**
 * Packs and unpacks the data of another language that compiles to JavaScript.
 *
 * @example
 * new HostCodec(host, { maxDepth: 64 }).unpack(bytes);
 */
export class HostCodec {
  readonly #options: InternalOptions;
  readonly #packr: PackrClass;

  /** The options are those of `Packr`; the ones that choose types of JavaScript have no effect. */
  constructor(host: Host, options: Options) {
    this.#options = {
      ...options,
      copyBuffers: true,
      [DIALECT]: {
        extensions: () => new ExtensionRegistry(),
        encode: () => ({ useToJSON: false, undefinedAsNil: true }),
        newEncoder: (config, features, ids) => new HostEncoder(config, features, ids, host),
        newDecoder: (config, features) => new HostDecoder(config, features, host),
      },
    };
    this.#packr = new PackrClass(this.#options);
  }

  /**
   * Packs a value. The bytes have memory of their own.
   *
   * @throws MsgpackEncodeError with kind and path
   */
  pack(value: unknown): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#packr.pack(value, RESET_BUFFER_MODE));
  }

  /**
   * Unpacks the one message that the bytes hold.
   *
   * @throws MsgpackDecodeError with kind, offset and path
   */
  unpack(source: Source): unknown {
    return this.#packr.unpack(source);
  }

  /** Unpacks the messages of a stream, which is cut into chunks anywhere. */
  unpackAll(chunks: Iterable<Chunk>): IterableIterator<unknown> {
    return decodeIter(chunks, this.#options);
  }

  /** As {@link unpackAll}, for chunks that arrive later. */
  unpackAsync(
    chunks: AsyncIterable<Chunk> | ReadableStream<Chunk> | Blob,
  ): AsyncIterableIterator<unknown> {
    return decodeIter(chunks, this.#options);
  }
}
