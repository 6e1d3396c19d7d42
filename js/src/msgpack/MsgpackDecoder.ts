import { named } from '../api/callable.ts';
import { DIALECT, type InternalOptions } from '../api/dialect.ts';
import {
  type Chunks,
  decodeArrayStream,
  decodeAsync,
  decodeIter,
  decodeMultiStream,
} from '../api/iterate.ts';
import { UNPACK_FEATURES, UnpackrClass } from '../api/Unpackr.ts';
import { objectKeys } from '../decode/object-keys.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import * as M from '../wire/markers.ts';
import { bytesIn } from '../wire/memory.ts';
import { CodecRegistry } from './CodecRegistry.ts';
import { ExtensionCodec, type ExtensionCodecType } from './ExtensionCodec.ts';
import { translated } from './errors.ts';
import type { DecoderOptions } from './options.ts';

const unpackFeatures = /* @__PURE__ */ Object.assign({}, UNPACK_FEATURES, objectKeys);

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
  const iterable = stream as AsyncIterable<Input>;
  // Polyfills of ReadableStream have the property without a function.
  if (typeof iterable[Symbol.asyncIterator] === 'function') {
    for await (const input of iterable) yield bytesOf(input);
    return;
  }
  const reader = (stream as ReadableStream<Input>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield bytesOf(value);
    }
  } finally {
    reader.releaseLock();
  }
}

/** Yields the chunks of a stream whose one message is an array. */
async function* arrayIn(stream: InputStream): AsyncGenerator<Uint8Array, void, undefined> {
  let first = true;
  for await (const bytes of chunksIn(stream)) {
    const marker = bytes[0];
    if (first && marker !== undefined) {
      first = false;
      if (!(marker >= 0x90 && marker < 0xa0) && marker !== M.ARRAY16 && marker !== M.ARRAY32)
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
  readonly #options: InternalOptions;
  readonly #unpackr: UnpackrClass;
  readonly #codec: CodecRegistry;

  constructor(options?: DecoderOptions<ContextType>) {
    const given = (options ?? {}) as DecoderOptions<unknown>;
    const codec = given.extensionCodec ?? ExtensionCodec.defaultCodec;
    this.#codec = new CodecRegistry(codec as ExtensionCodecType<unknown>, given.context);
    this.#options = {
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
        unpackFeatures,
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
    this.#unpackr = new UnpackrClass(this.#options);
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
    const values = decodeIter([bytesOf(buffer)], this.#options);
    for (;;) {
      const { done, value } = translating(() => values.next());
      if (done) return;
      yield value;
    }
  }

  /** Unpacks the one message of a stream. */
  async decodeAsync(stream: InputStream): Promise<unknown> {
    try {
      return await decodeAsync(chunksIn(stream) as Chunks, this.#options);
    } catch (error) {
      throw translated(error);
    }
  }

  /** Unpacks the elements of the array in a stream, each as soon as it has arrived. */
  decodeArrayStream(stream: InputStream): AsyncGenerator<unknown, void, unknown> {
    return translatingEach(decodeArrayStream(arrayIn(stream) as Chunks, this.#options));
  }

  /** Unpacks the messages of a stream. */
  decodeStream(stream: InputStream): AsyncGenerator<unknown, void, unknown> {
    return translatingEach(decodeMultiStream(chunksIn(stream) as Chunks, this.#options));
  }
}

/** See {@link MsgpackDecoder}. */
export type NamedDecoder<ContextType = undefined> = MsgpackDecoder<ContextType>;
export const NamedDecoder: typeof MsgpackDecoder = /* @__PURE__ */ named(MsgpackDecoder, 'Decoder');
