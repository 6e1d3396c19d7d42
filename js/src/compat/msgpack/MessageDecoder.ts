import { decodeConfig } from '../../api/decode-options.ts';
import { Unpacking } from '../../api/Unpacking.ts';
import type { DecodeConfig } from '../../decode/DecodeConfig.ts';
import { decoderFor, limits, paths, prediction } from '../../decode/features.ts';
import { objectKeys } from '../../decode/object-keys.ts';
import { bytesIn } from '../../wire/memory.ts';
import { CodecRegistry } from './CodecRegistry.ts';
import { ExtensionCodec, type ExtensionCodecType } from './ExtensionCodec.ts';
import { translated } from './errors.ts';
import type { DecoderOptions } from './options.ts';

const features = /* @__PURE__ */ Object.assign({}, prediction, limits, paths, objectKeys);

/** Bytes to decode. */
export type Input = ArrayLike<number> | ArrayBufferView | ArrayBufferLike;

/** Returns the bytes of what there is to decode. */
export function bytesOf(input: Input): Uint8Array {
  return bytesIn(input) ?? Uint8Array.from(input as ArrayLike<number>);
}

/** Calls a function, and throws its errors as those of @msgpack/msgpack. */
export function translating<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw translated(error);
  }
}

/** Unpacks single messages that are in memory: what `decode` needs. */
export class MessageDecoder<ContextType = undefined> {
  /** @internal */
  readonly unpacking: Unpacking;
  readonly #codec: CodecRegistry;

  constructor(options?: DecoderOptions<ContextType>) {
    const given = (options ?? {}) as DecoderOptions<unknown>;
    const codec = given.extensionCodec ?? ExtensionCodec.defaultCodec;
    this.#codec = new CodecRegistry(codec as ExtensionCodecType<unknown>, given.context);
    const settings = {
      int64: given.useBigInt64 ? 'bigint' : 'number',
      utf8: 'replace',
      maxDepth: given.maxDepth,
      maxStrLen: given.rawStrings ? given.maxBinLength : given.maxStrLength,
      maxBinLen: given.maxBinLength,
      maxArrayLen: given.maxArrayLength,
      maxMapLen: given.maxMapLength,
      maxExtLen: given.maxExtLength,
    } as const;
    const config: DecodeConfig = {
      ...decodeConfig(settings, this.#codec),
      maps: 'object',
      strictKeys: true,
      timestamps: 'date',
      rawStrings: given.rawStrings ?? false,
      keyDecoder: given.keyDecoder,
      mapKeyConverter: given.mapKeyConverter,
    };
    this.unpacking = new Unpacking(config, features, decoderFor);
  }

  /**
   * Unpacks the one message in the bytes.
   *
   * @throws DecodeError for a fault
   * @throws RangeError for bytes that are too few or too many
   */
  decode(buffer: Input): unknown {
    return translating(() => this.unpacking.unpack(bytesOf(buffer)));
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
}
