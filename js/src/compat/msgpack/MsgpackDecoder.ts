import { named } from '../../api/callable.ts';
import { MsgpackDecodeError } from '../../errors/errors.ts';
import { type Chunks, chunksOf, decodeChunks, decodeElements, decodeOne, decodeSync } from '../../stream/chunks.ts';
import { Feed } from '../../stream/Feed.ts';
import * as M from '../../wire/markers.ts';
import { translated } from './errors.ts';
import { bytesOf, type Input, MessageDecoder, translating } from './MessageDecoder.ts';

/** A source of chunks. */
export type InputStream = AsyncIterable<Input> | ReadableStream<Input>;

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

async function* translatingEach(values: AsyncIterable<unknown>): AsyncGenerator<unknown, void, undefined> {
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
export class MsgpackDecoder<ContextType = undefined> extends MessageDecoder<ContextType> {
  #feed(): Feed {
    return new Feed(this.unpacking.newDecoder());
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
