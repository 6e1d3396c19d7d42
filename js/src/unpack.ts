/**
 * `packord/unpack`: the decoder alone, for bundles that never pack.
 */
export { FLOAT32_OPTIONS, type Options, type UnpackrOptions } from './api/options.ts';
export type { SchemaResult, StandardSchema } from './api/schema.ts';
export {
  type ForEach,
  type Source,
  type UnpackOptions,
  Unpackr,
  Unpackr as Decoder,
} from './api/Unpackr.ts';
export {
  addExtension,
  clearSource,
  isNativeAccelerationEnabled,
  unpack,
  unpack as decode,
  unpackMultiple,
} from './api/unpack-functions.ts';
export { View } from './api/View.ts';
export { type DecodeIssue, type ErrorKind, MsgpackDecodeError } from './errors/errors.ts';
export { C1, ExtData, type Extension } from './ext/extension.ts';
export { Timestamp } from './ext/Timestamp.ts';
export type { Structures } from './record/structures.ts';
export { roundFloat32 } from './wire/float32.ts';
