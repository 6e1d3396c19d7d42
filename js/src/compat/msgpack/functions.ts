/** The functions of @msgpack/msgpack. Without options they share one encoder and one decoder. */

import { perOptions } from '../../options/per-options.ts';
import type { OwnBytes } from '../../wire/platform.ts';
import { type Input, MessageDecoder } from './MessageDecoder.ts';
import { type InputStream, MsgpackDecoder } from './MsgpackDecoder.ts';
import { MsgpackEncoder } from './MsgpackEncoder.ts';
import type { DecoderOptions, EncoderOptions, SplitUndefined } from './options.ts';

const recentEncoder = /* @__PURE__ */ perOptions(
  (options: EncoderOptions<unknown>) => new MsgpackEncoder(options),
  'context',
);
const recentDecoder = /* @__PURE__ */ perOptions(
  (options: DecoderOptions<unknown>) => new MessageDecoder(options),
  'context',
);
let encoder: MsgpackEncoder | undefined;
let decoder: MessageDecoder | undefined;

/**
 * Packs a value. The bytes have memory of their own.
 *
 * @throws MsgpackEncodeError with kind and path
 * @example
 * encode({ id: 1 }); // 81 a2 69 64 01
 */
export function encode<ContextType = undefined>(
  value: unknown,
  options?: EncoderOptions<SplitUndefined<ContextType>>,
): OwnBytes {
  if (options !== undefined && options !== null) {
    const given = options as EncoderOptions<unknown>;
    return recentEncoder(given).encodeIn(given.context, value);
  }
  encoder ??= new MsgpackEncoder();
  return encoder.encode(value);
}

/**
 * Unpacks the one message in the bytes.
 *
 * @throws DecodeError for a fault
 * @throws RangeError for bytes that are too few or too many
 * @example
 * decode(encode({ id: 1 })); // { id: 1 }
 */
export function decode<ContextType = undefined>(
  buffer: Input,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): unknown {
  if (options !== undefined && options !== null) {
    const given = options as DecoderOptions<unknown>;
    return recentDecoder(given).decodeIn(given.context, buffer);
  }
  decoder ??= new MessageDecoder();
  return decoder.decode(buffer);
}

/** Unpacks the messages in the bytes, one after another. */
export function decodeMulti<ContextType = undefined>(
  buffer: Input,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): Generator<unknown, void, unknown> {
  return new MsgpackDecoder(options).decodeMulti(buffer);
}

/** Unpacks the one message of a stream. */
export function decodeAsync<ContextType = undefined>(
  stream: InputStream,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): Promise<unknown> {
  return new MsgpackDecoder(options).decodeAsync(stream);
}

/** Unpacks the elements of the array in a stream, each as soon as it has arrived. */
export function decodeArrayStream<ContextType = undefined>(
  stream: InputStream,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): AsyncGenerator<unknown, void, unknown> {
  return new MsgpackDecoder(options).decodeArrayStream(stream);
}

/** Unpacks the messages of a stream. */
export function decodeMultiStream<ContextType = undefined>(
  stream: InputStream,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): AsyncGenerator<unknown, void, unknown> {
  return new MsgpackDecoder(options).decodeStream(stream);
}
