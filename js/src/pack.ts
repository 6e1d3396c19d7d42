/**
 * `packord/pack`: the encoder alone, for plain MessagePack. Instances have the features that they
 * are given, and a bundle contains no others.
 *
 * @example
 * import { Packr, pack, records } from 'packord/pack';
 * pack({ id: 1 }); // 81 a2 69 64 01
 * new Packr({ features: [records], records: true }).pack({ id: 1 }); // d4 72 40 91 a2 69 64 01
 */
export type { Options } from './api/options.ts';
export { type PackFeature, type PlainOptions, PlainPackr as Packr } from './api/PlainPackr.ts';
export { plainPack as pack } from './api/plain-pack.ts';
export { columns } from './columns/write.ts';
export {
  floats,
  paths,
  prediction,
  records,
  replacer,
  rich,
  selection,
} from './encode/features.ts';
export { type EncodeErrorKind, type ErrorKind, MsgpackEncodeError } from './errors/errors.ts';
export { ExtData, type Extension } from './ext/extension.ts';
export { Decimal, Duration, LocalDate, LocalTime, Ratio, Uuid } from './ext/rich.ts';
export { Timestamp } from './ext/Timestamp.ts';
export type { Structures } from './record/structures.ts';
export type { Packed } from './wire/platform.ts';
