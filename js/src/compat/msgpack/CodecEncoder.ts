import type { EncodeConfig } from '../../encode/EncodeConfig.ts';
import type { EncodeFeatures } from '../../encode/EncodeFeatures.ts';
import { Encoder } from '../../encode/Encoder.ts';
import * as M from '../../wire/markers.ts';
import { NO_BYTES } from '../../wire/platform.ts';
import type { ExtensionCodecType, ExtPayload } from './ExtensionCodec.ts';

/** What an encoder of @msgpack/msgpack does otherwise than packord's. */
export interface CodecOptions {
  /** Asked for each value that is not primitive; undefined for the default codec. */
  readonly codec: ExtensionCodecType<unknown> | undefined;
  readonly bigInts: boolean;
  readonly forceFloat32: boolean;
  readonly forceIntegerToFloat: boolean;
  /** Passed to the codec; that of the call, where encoders are used again. */
  context: unknown;
}

/** The encoder that asks an ExtensionCodec first. */
export class CodecEncoder extends Encoder {
  readonly #options: CodecOptions;

  constructor(config: EncodeConfig, features: EncodeFeatures, options: CodecOptions) {
    super(config, features, null);
    this.#options = options;
    if (options.forceIntegerToFloat) this.inline = 0;
  }

  override number(value: number): void {
    if (this.inline === 0) this.float(value);
    else super.number(value);
  }

  override bigint(value: bigint): void {
    if (BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value) this.integer64(value, value < 0n);
    else super.bigint(value);
  }

  override absence(): void {
    this.nil();
  }

  override write(value: unknown): void {
    const type = typeof value;
    const isValue = type === 'object' ? value !== null : type === 'function' || type === 'symbol';
    if (isValue || (type === 'bigint' && !this.#options.bigInts)) this.#codable(value, type);
    else super.write(value);
  }

  #codable(value: unknown, type: string): void {
    const { codec, context } = this.#options;
    const found = codec === undefined ? null : this.call(() => codec.tryToEncode(value, context));
    if (found !== null) {
      if (this.pos > this.limit) this.reserve(1);
      this.ext(found.type, found.data);
    } else if (type === 'object') super.write(value);
    else throw this.fail('unsupported_type', type === 'bigint' ? 'bigint; see useBigInt64' : type);
  }

  /** Writes an ext. A payload that depends on its position has a header of 32 bits. */
  override ext(type: number, payload: ExtPayload): void {
    if (typeof payload !== 'function') {
      super.ext(type, payload);
      return;
    }
    this.complete();
    // Where only the path of a failure is looked for, the payload has no part in it.
    const bytes = this.trail === null ? payload(this.pos - this.start + 6) : NO_BYTES;
    this.reserve(6 + bytes.length);
    this.buf[this.pos] = M.EXT32;
    this.view.setUint32(this.pos + 1, bytes.length);
    this.view.setInt8(this.pos + 5, type);
    this.pos += 6;
    this.raw(bytes);
  }

  /** Counts the depth of values, where packord's encoder counts containers. */
  override enter(container: object): void {
    super.enter(container);
    if (this.depth === this.maxDepth && !this.#isEmpty(container)) throw this.fail('depth_limit');
  }

  #isEmpty(container: object): boolean {
    if (container instanceof Map) return container.size === 0;
    const values = Object.values(container);
    // Of an array, nothing is left out.
    return this.config.omission !== null && !Array.isArray(container)
      ? values.every((value) => value === undefined)
      : (Array.isArray(container) ? container : values).length === 0;
  }

  override float(value: number): void {
    if (!this.#options.forceFloat32) {
      super.float(value);
      return;
    }
    this.float32(value);
  }
}
