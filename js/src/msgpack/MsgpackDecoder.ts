import { named } from '../api/callable.ts';
import { DIALECT, type InternalOptions } from '../api/dialect.ts';
import { Unpacker } from '../api/Unpacker.ts';
import { checks, paths, prediction } from '../decode/features.ts';
import { objectKeys } from '../decode/object-keys.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import {
  type Chunks,
  chunksOf,
  decodeChunks,
  decodeElements,
  decodeOne,
  decodeSync,
} from '../stream/chunks.ts';
import { Feed } from '../stream/Feed.ts';
import * as M from '../wire/markers.ts';
import { bytesIn } from '../wire/memory.ts';
import { CodecRegistry } from './CodecRegistry.ts';
import { ExtensionCodec, type ExtensionCodecType } from './ExtensionCodec.ts';
import { translated } from './errors.ts';
import type { DecoderOptions } from './options.ts';

const features = /* @__PURE__ */ Object.assign({}, prediction, checks, paths, objectKeys);

/** Bytes to decode. */
export type Input = ArrayLike<number> | ArrayBufferView | ArrayBufferLike;

/** A source of chunks. */
export type InputStream = AsyncIterable<Input> | ReadableStream<Input>;

function bytesOf(input: Input): Uint8Array {
  return bytesIn(input) ?? Uint8Array.from(input as ArrayLike<number>);
}

/** Calls a function, and throws its errors as those of @msgpack/msgpack. */
function translating<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw translated(error);
  }
}

async function* chunksIn(stream: InputStream): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const input of chunksOf(stream)) yield bytesOf(input);
}

/** Yields the chunks of a stream whose one message is an array. */
async function* arrayIn(stream: InputStream): AsyncGenerator<Uint8Array, void, undefined> {
  let first = true;
  for await (const bytes of chunksIn(stream)) {
    const marker = bytes[0];
    if (first && marker !== undefined) {
      first = false;
      if (!M.isArray(marker))
        throw new MsgpackDecodeError('type_mismatch', 0, {
          path: '$',
          detail: 'expected an array',
        });
    }
    yield bytes;
  }
}

async function* translatingEach(
  values: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* values;
  } catch (error) {
    throw translated(error);
  }
}

/**
 * Unpacks values as the Decoder of @msgpack/msgpack does.
 *
 * @example
 * new Decoder({ maxStrLength: 1000 }).decode(bytes);
 */
export class MsgpackDecoder<ContextType = undefined> {
  readonly #unpackr: Unpacker;
  readonly #codec: CodecRegistry;

  constructor(options?: DecoderOptions<ContextType>) {
    const given = (options ?? {}) as DecoderOptions<unknown>;
    const codec = given.extensionCodec ?? ExtensionCodec.defaultCodec;
    this.#codec = new CodecRegistry(codec as ExtensionCodecType<unknown>, given.context);
    const unpackrOptions: InternalOptions = {
      int64: given.useBigInt64 ? 'bigint' : 'number',
      utf8: 'replace',
      maxDepth: given.maxDepth,
      maxStrLen: given.rawStrings ? given.maxBinLength : given.maxStrLength,
      maxBinLen: given.maxBinLength,
      maxArrayLen: given.maxArrayLength,
      maxMapLen: given.maxMapLength,
      maxExtLen: given.maxExtLength,
      [DIALECT]: {
        extensions: () => this.#codec,
        features,
        decode: () => ({
          maps: 'object',
          strictKeys: true,
          timestamps: 'date',
          rawStrings: given.rawStrings ?? false,
          keyDecoder: given.keyDecoder,
          mapKeyConverter: given.mapKeyConverter,
        }),
      },
    };
    this.#unpackr = new Unpacker(unpackrOptions);
  }

  /**
   * Unpacks the one message in the bytes.
   *
   * @throws DecodeError for a fault
   * @throws RangeError for bytes that are too few or too many
   */
  decode(buffer: Input): unknown {
    return translating(() => this.#unpackr.unpack(bytesOf(buffer)));
  }

  #feed(): Feed {
    return new Feed(this.#unpackr.newDecoder());
  }

  /** Unpacks with another context. @internal */
  decodeIn(context: unknown, buffer: Input): unknown {
    const before = this.#codec.context;
    this.#codec.context = context;
    try {
      return this.decode(buffer);
    } finally {
      this.#codec.context = before;
    }
  }

  /** Unpacks the messages in the bytes. */
  *decodeMulti(buffer: Input): Generator<unknown, void, unknown> {
    const values = decodeSync([bytesOf(buffer)], this.#feed());
    for (;;) {
      const { done, value } = translating(() => values.next());
      if (done) return;
      yield value;
    }
  }

  /** Unpacks the one message of a stream. */
  async decodeAsync(stream: InputStream): Promise<unknown> {
    try {
      return await decodeOne(chunksIn(stream) as Chunks, this.#feed(), false);
    } catch (error) {
      throw translated(error);
    }
  }

  /** Unpacks the elements of the array in a stream, each as soon as it has arrived. */
  decodeArrayStream(stream: InputStream): AsyncGenerator<unknown, void, unknown> {
    return translatingEach(decodeElements(arrayIn(stream) as Chunks, this.#feed()));
  }

  /** Unpacks the messages of a stream. */
  decodeStream(stream: InputStream): AsyncGenerator<unknown, void, unknown> {
    return translatingEach(decodeChunks(chunksIn(stream) as Chunks, this.#feed()));
  }
}

/** See {@link MsgpackDecoder}. */
export type NamedDecoder<ContextType = undefined> = MsgpackDecoder<ContextType>;
export const NamedDecoder: typeof MsgpackDecoder = /* @__PURE__ */ named(MsgpackDecoder, 'Decoder');
