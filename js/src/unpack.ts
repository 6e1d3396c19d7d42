/**
 * `packord/unpack`: the decoder alone, for bundles that never pack.
 */
export {
  FLOAT32_OPTIONS,
  type Options,
  type Structures,
  type UnpackrOptions,
} from './api/options.ts';
export {
  addExtension,
  clearSource,
  isNativeAccelerationEnabled,
  unpack,
  unpack as decode,
  unpackMultiple,
} from './api/unpack-functions.ts';
export type { ForEach, Source, UnpackOptions } from './api/unpackr.ts';
export { Unpackr, Unpackr as Decoder } from './api/unpackr-callable.ts';
export { View } from './api/view.ts';
export { type ErrorKind, MsgpackDecodeError } from './errors/errors.ts';
export { C1 } from './ext/c1.ts';
export { ExtData, type Extension } from './ext/extension.ts';
export { Timestamp } from './ext/timestamp.ts';
export { roundFloat32 } from './wire/float32.ts';
