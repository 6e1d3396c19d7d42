/** The functions of @msgpack/msgpack. Without options they share one encoder and one decoder. */
import { type Input, type InputStream, MsgpackDecoder } from './MsgpackDecoder.ts';
import { MsgpackEncoder } from './MsgpackEncoder.ts';
import type { DecoderOptions, EncoderOptions, SplitUndefined } from './options.ts';

/** Makes an instance for options, unless those of the last call were the same but for the context. */
function recent<Options extends object, T>(make: (options: Options) => T): (options: Options) => T {
  let last: [string, unknown][] | undefined;
  let instance: T;
  return (options) => {
    const known = options as Record<string, unknown>;
    if (last?.every(([name, value]) => known[name] === value) && lengthOf(options) === last.length)
      return instance;
    const { context: _, ...others } = known;
    last = undefined;
    instance = make(others as Options);
    last = Object.entries(others);
    return instance;
  };
}

/** Returns the number of options, the context left out. */
function lengthOf(options: object): number {
  return Object.keys(options).length - ('context' in options ? 1 : 0);
}

const recentEncoder = /* @__PURE__ */ recent(
  (options: EncoderOptions<unknown>) => new MsgpackEncoder(options),
);
const recentDecoder = /* @__PURE__ */ recent(
  (options: DecoderOptions<unknown>) => new MsgpackDecoder(options),
);
let encoder: MsgpackEncoder | undefined;
let decoder: MsgpackDecoder | undefined;

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
): Uint8Array<ArrayBuffer> {
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
  decoder ??= new MsgpackDecoder();
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
