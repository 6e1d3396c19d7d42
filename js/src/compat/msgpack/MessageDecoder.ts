import { Unpacking } from '../../api/Unpacking.ts';
import { type DecodeConfig, NO_LIMIT } from '../../decode/DecodeConfig.ts';
import { decoderFor, extensions, limits, paths, prediction } from '../../decode/features.ts';
import { objectKeys } from '../../decode/object-keys.ts';
import { bytesIn } from '../../wire/platform.ts';
import { CodecRegistry, ExtensionCodec, type ExtensionCodecType } from './ExtensionCodec.ts';
import { translated } from './errors.ts';
import { type DecoderOptions, limitOf } from './options.ts';

const features = /* @__PURE__ */ Object.assign({}, prediction, extensions, limits, paths, objectKeys);

/** Bytes to decode. */
export type Input = ArrayLike<number> | ArrayBufferView | ArrayBufferLike;

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
    const { maxBinLength, maxStrLength } = given;
    const maxBinLen = limitOf('maxBinLength', maxBinLength);
    const maxStrLen = limitOf('maxStrLength', maxStrLength);
    // Without what is false, and what other features read. Defaults by `...` would take 200 times as long.
    const config: Partial<DecodeConfig> = {
      extensions: this.#codec,
      int64: given.useBigInt64 ? 'bigint' : 'number',
      utf8: 'replace',
      maxDepth: limitOf('maxDepth', given.maxDepth, 1024),
      maxStrLen: given.rawStrings ? maxBinLen : maxStrLen,
      maxBinLen,
      maxArrayLen: limitOf('maxArrayLength', given.maxArrayLength),
      maxMapLen: limitOf('maxMapLength', given.maxMapLength),
      maxExtLen: limitOf('maxExtLength', given.maxExtLength),
      maxNodes: NO_LIMIT,
      maxBuffer: 1 << 26,
      maps: 'object',
      strictKeys: true,
      timestamps: 'date',
      rawStrings: given.rawStrings ?? false,
      keyDecoder: given.keyDecoder,
      mapKeyConverter: given.mapKeyConverter,
      sharedList: null,
      roundFloat32: null,
      sliceStrings: true,
      reviver: null,
    };
    this.unpacking = new Unpacking(config as DecodeConfig, features, decoderFor);
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
