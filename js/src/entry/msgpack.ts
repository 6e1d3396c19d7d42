/**
 * `packord/msgpack`: the names, options and bytes of @msgpack/msgpack 3, so that a program changes
 * one import.
 *
 * @example
 * import { decode, encode } from 'packord/msgpack';
 * decode(encode({ id: 1 })); // { id: 1 }
 */

export {
  CodecExt as ExtData,
  ExtensionCodec,
  type ExtensionCodecType,
  type ExtensionDecoderType,
  type ExtensionEncoderType,
} from '../compat/msgpack/ExtensionCodec.ts';
export { DecodeError } from '../compat/msgpack/errors.ts';
export {
  decode,
  decodeArrayStream,
  decodeAsync,
  decodeMulti,
  decodeMultiStream,
  encode,
} from '../compat/msgpack/functions.ts';
export { NamedDecoder as Decoder } from '../compat/msgpack/MsgpackDecoder.ts';
export { NamedEncoder as Encoder } from '../compat/msgpack/MsgpackEncoder.ts';
export type { DecoderOptions, EncoderOptions } from '../compat/msgpack/options.ts';
export {
  decodeTimestampExtension,
  decodeTimestampToTimeSpec,
  EXT_TIMESTAMP,
  encodeDateToTimeSpec,
  encodeTimeSpecToTimestamp,
  encodeTimestampExtension,
} from '../compat/msgpack/timestamp.ts';
export type { KeyDecoder } from '../decode/DecodeConfig.ts';
export { type ErrorKind, MsgpackDecodeError, MsgpackEncodeError } from '../errors/errors.ts';
