import { type KeyDecoder, NO_LIMIT } from '../../decode/DecodeConfig.ts';
import type { ExtensionCodecType } from './ExtensionCodec.ts';

/** A context type with its undefined left out, unless it is nothing else. */
export type SplitUndefined<T> = [T] extends [undefined] ? T : Exclude<T, undefined>;

/** The option `context`, which a codec with a context needs. */
export type ContextOf<ContextType> = ContextType extends undefined
  ? object
  : {
      /** Passed to the functions of the codec. */
      context: ContextType;
    };

interface EncoderSettings<ContextType> {
  /** The ext types. Default: timestamps. */
  readonly extensionCodec?: ExtensionCodecType<ContextType> | undefined;
  /** Writes bigints with 64 bits, and numbers of more than 32 bits as float 64. Default: false. */
  readonly useBigInt64?: boolean | undefined;
  /** Maximum depth of a value; that of the message is 1. Default 100. */
  readonly maxDepth?: number | undefined;
  /** Not needed: memory grows with the message. */
  readonly initialBufferSize?: number | undefined;
  /** Writes the keys of objects in the order of their UTF-8. Default: false. */
  readonly sortKeys?: boolean | undefined;
  /** Writes floats with 32 bits, even where precision is lost. Default: false. */
  readonly forceFloat32?: boolean | undefined;
  /** Omits entries of objects whose value is `undefined`. Default: false. */
  readonly ignoreUndefined?: boolean | undefined;
  /** Writes integers as floats. Default: false. */
  readonly forceIntegerToFloat?: boolean | undefined;
}

interface DecoderSettings<ContextType> {
  /** The ext types. Default: timestamps. */
  readonly extensionCodec?: ExtensionCodecType<ContextType> | undefined;
  /** Reads 64-bit integers as bigints. Default: false, numbers that may lose precision. */
  readonly useBigInt64?: boolean | undefined;
  /** Reads each str, apart from keys, as Uint8Array. Default: false. */
  readonly rawStrings?: boolean | undefined;
  /** Maximum number of open containers. Default 1024. */
  readonly maxDepth?: number | undefined;
  /** Maximum size of a str in bytes. Default: none. With `rawStrings`, `maxBinLength` applies. */
  readonly maxStrLength?: number | undefined;
  /** Maximum size of a bin in bytes. Default: none. */
  readonly maxBinLength?: number | undefined;
  /** Maximum number of elements of an array. Default: none. */
  readonly maxArrayLength?: number | undefined;
  /** Maximum number of entries of a map. Default: none. */
  readonly maxMapLength?: number | undefined;
  /** Maximum size of an ext payload in bytes. Default: none. */
  readonly maxExtLength?: number | undefined;
  /** Reads the bytes of keys. A cache of keys does not need it. */
  readonly keyDecoder?: KeyDecoder | null | undefined;
  /** Converts keys that are not strings. Default: numbers are kept, others are an error. */
  readonly mapKeyConverter?: ((key: unknown) => string | number) | undefined;
}

/** The options of an Encoder and of `encode`. */
export type EncoderOptions<ContextType = undefined> = EncoderSettings<ContextType> & ContextOf<ContextType>;

/** The options of a Decoder and of the functions that decode. */
export type DecoderOptions<ContextType = undefined> = DecoderSettings<ContextType> & ContextOf<ContextType>;

/** Returns the value of an option that is a maximum; throws a TypeError for one that would be none. */
export function limitOf(name: string, value: unknown, preset: number = NO_LIMIT): number {
  if (value === undefined) return preset;
  if (typeof value === 'number' && value >= 0) return value;
  throw new TypeError(`${name} must be a number from 0 up, not ${String(value)}`);
}
