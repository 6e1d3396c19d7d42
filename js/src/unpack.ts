/**
 * `packord/unpack`: the decoder alone, for plain MessagePack. Instances have the features that they
 * are given, and a bundle contains no others.
 *
 * @example
 * import { records, Unpackr, unpack } from 'packord/unpack';
 * unpack(Uint8Array.of(0x81, 0xa1, 0x61, 0x01)); // { a: 1 }
 * new Unpackr({ features: [records], records: true }).unpack(bytes);
 */

export { columnsOf } from './api/columns-of.ts';
export type { Options, UnpackrOptions } from './api/options.ts';
export {
  type PlainUnpackOptions,
  PlainUnpackr as Unpackr,
  type UnpackFeature,
} from './api/PlainUnpackr.ts';
export {
  plainUnpack as unpack,
  plainUnpackMultiple as unpackMultiple,
} from './api/plain-unpack.ts';
export { type SchemaResult, type StandardSchema, schemas } from './api/schema.ts';
export type { ForEach, Source, UnpackOptions } from './api/unpack-arguments.ts';
export { type ColumnKind, ColumnsView, ColumnView } from './columns/ColumnsView.ts';
export type { ColumnData } from './columns/column-data.ts';
export { columns } from './columns/columns.ts';
export {
  checks,
  paths,
  prediction,
  records,
  reviver,
  rich,
} from './decode/features.ts';
export { type DecodeIssue, type ErrorKind, MsgpackDecodeError } from './errors/errors.ts';
export { ExtData, type Extension } from './ext/extension.ts';
export { Decimal, Duration, LocalDate, LocalTime, Ratio, Uuid } from './ext/rich.ts';
export { Timestamp } from './ext/Timestamp.ts';
export type { Structures } from './record/structures.ts';
