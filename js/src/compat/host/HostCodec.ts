import { RESET_BUFFER_MODE } from '../../api/modes.ts';
import { PackrClass } from '../../api/Packr.ts';
import type { Source } from '../../api/Unpacking.ts';
import { ExtensionRegistry } from '../../ext/extension.ts';
import { DIALECT, type InternalOptions } from '../../options/dialect.ts';
import type { Options } from '../../options/options.ts';
import { decodeChunks, decodeSync } from '../../stream/chunks.ts';
import { type Chunk, Feed } from '../../stream/Feed.ts';
import { MessagePasser } from '../../stream/MessagePasser.ts';
import type { OwnBytes } from '../../wire/platform.ts';
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
  readonly #packr: PackrClass;

  /** The options are those of `Packr`; the ones that choose types of JavaScript have no effect. */
  constructor(host: Host, options: Options) {
    const packrOptions: InternalOptions = {
      ...options,
      copyBuffers: true,
      [DIALECT]: {
        extensions: () => new ExtensionRegistry(),
        encode: () => ({ useToJSON: false }),
        newEncoder: (config, features, ids) => new HostEncoder(config, features, ids, host),
        newDecoder: (config, features) => new HostDecoder(config, features, host),
      },
    };
    this.#packr = new PackrClass(packrOptions);
  }

  /**
   * Packs a value. The bytes have memory of their own.
   *
   * @throws MsgpackEncodeError with kind and path
   */
  pack(value: unknown): OwnBytes {
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
    return decodeSync(chunks, new Feed(this.#packr.newDecoder(), MessagePasser));
  }

  /** As {@link unpackAll}, for chunks that arrive later. */
  unpackAsync(chunks: AsyncIterable<Chunk> | ReadableStream<Chunk> | Blob): AsyncIterableIterator<unknown> {
    return decodeChunks(chunks, new Feed(this.#packr.newDecoder(), MessagePasser));
  }
}
