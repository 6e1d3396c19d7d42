/**
 * `packord/pack`: the encoder alone, for plain MessagePack. Instances have the features that they
 * are given, and a bundle contains no others.
 *
 * @example
 * import { Packr, pack, records } from 'packord/pack';
 * pack({ id: 1 }); // 81 a2 69 64 01
 * new Packr({ features: [records] }).pack({ id: 1 }); // d4 72 40 91 a2 69 64 01
 */
export {
  ALWAYS,
  DECIMAL_FIT,
  DECIMAL_ROUND,
  FLOAT32_OPTIONS,
  NEVER,
  type Options,
} from './api/options.ts';
export { RESERVE_START_SPACE, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from './api/Packing.ts';
export {
  type PackFeature,
  type PlainOptions,
  PlainPackr as Encoder,
  PlainPackr as Packr,
} from './api/PlainPackr.ts';
export { plainPack as encode, plainPack as pack } from './api/plain-pack.ts';
export { columns } from './columns/write.ts';
export {
  bundleStrings,
  floats,
  moreTypes,
  paths,
  prediction,
  records,
  replacer,
  selection,
  structuredClone,
} from './encode/features.ts';
export { type EncodeErrorKind, type ErrorKind, MsgpackEncodeError } from './errors/errors.ts';
export { C1, ExtData, type Extension } from './ext/extension.ts';
export { Timestamp } from './ext/Timestamp.ts';
export type { Structures } from './record/structures.ts';
export type { Packed } from './wire/platform.ts';
