import { named } from '../../api/callable.ts';
import { Packing } from '../../api/Packing.ts';
import type { EncodeConfig } from '../../encode/EncodeConfig.ts';
import { paths, prediction, sorting } from '../../encode/features.ts';
import { DIALECT } from '../../options/dialect.ts';
import type { OwnBytes } from '../../wire/platform.ts';
import { CodecEncoder, type CodecOptions } from './CodecEncoder.ts';
import { CodecRegistry, ExtensionCodec, type ExtensionCodecType } from './ExtensionCodec.ts';
import { type EncoderOptions, limitOf } from './options.ts';

const features = /* @__PURE__ */ Object.assign({}, prediction, sorting, paths);

/**
 * Packs values as the Encoder of @msgpack/msgpack does.
 *
 * @example
 * new Encoder({ sortKeys: true }).encode({ b: 1, a: 2 }); // 82 a1 61 02 a1 62 01
 */
export class MsgpackEncoder<ContextType = undefined> {
  readonly #given: EncoderOptions<unknown>;
  readonly #codec: CodecOptions;
  readonly #packing: Packing;
  #busy = false;
  /** Packs while this one is in use, as codecs do. */
  #inner: MsgpackEncoder<unknown> | undefined;

  constructor(options?: EncoderOptions<ContextType>) {
    const given = (options ?? {}) as EncoderOptions<unknown>;
    const codec = (given.extensionCodec ?? ExtensionCodec.defaultCodec) as ExtensionCodecType<unknown>;
    this.#given = given;
    this.#codec = {
      // The default codec has no functions to ask: packord writes timestamps and ExtData itself.
      codec: codec === ExtensionCodec.defaultCodec ? undefined : codec,
      bigInts: given.useBigInt64 ?? false,
      forceFloat32: given.forceFloat32 ?? false,
      forceIntegerToFloat: given.forceIntegerToFloat ?? false,
      context: given.context,
    };
    // As for a decoder: without what is false, and what other features read.
    const config = {
      extensions: new CodecRegistry(codec, undefined),
      maxDepth: limitOf('maxDepth', given.maxDepth, 100),
      sortKeys: given.sortKeys ?? false,
      largeAsFloat: this.#codec.bigInts,
      omission: given.ignoreUndefined ? { met: false } : null,
      typedArrays: 'bin',
      refuses: false,
      float32: 0,
      useToJSON: false,
    } as Partial<EncodeConfig> as EncodeConfig;
    this.#packing = new Packing(config, features, null, {
      [DIALECT]: { newEncoder: () => new CodecEncoder(config, features, this.#codec) },
    });
  }

  /**
   * Packs a value. The bytes have memory of their own, which may be transferred.
   *
   * @throws MsgpackEncodeError with kind and path
   */
  encode(object: unknown): OwnBytes {
    return new Uint8Array(this.encodeSharedRef(object));
  }

  /**
   * Packs a value without a copy. The bytes share memory with those of other messages, none of
   * which overwrites them.
   *
   * @throws MsgpackEncodeError with kind and path
   */
  encodeSharedRef(object: unknown): OwnBytes {
    if (this.#busy) return this.#other().encodeSharedRef(object);
    this.#busy = true;
    try {
      const { buffer, byteOffset, length } = this.#packing.pack(object);
      return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
    } finally {
      this.#busy = false;
    }
  }

  /** Packs a value with another context. @internal */
  encodeIn(context: unknown, object: unknown): OwnBytes {
    if (this.#busy) return this.#other().encodeIn(context, object);
    this.#codec.context = context;
    try {
      return this.encode(object);
    } finally {
      this.#codec.context = undefined;
    }
  }

  /** Returns the encoder for packing while this one is in use. */
  #other(): MsgpackEncoder<unknown> {
    if (this.#inner === undefined || this.#inner.#busy)
      this.#inner = new MsgpackEncoder<unknown>({ ...this.#given, context: this.#codec.context });
    else this.#inner.#codec.context = this.#codec.context;
    return this.#inner;
  }
}

/** See {@link MsgpackEncoder}. */
export type NamedEncoder<ContextType = undefined> = MsgpackEncoder<ContextType>;
export const NamedEncoder: typeof MsgpackEncoder = /* @__PURE__ */ named(MsgpackEncoder, 'Encoder');
