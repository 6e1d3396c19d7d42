/**
 * `packord/unpack`: the decoder alone, for plain MessagePack. Instances have the features that they
 * are given, and a bundle contains no others.
 *
 * @example
 * import { records, Unpackr, unpack } from 'packord/unpack';
 * unpack(Uint8Array.of(0x81, 0xa1, 0x61, 0x01)); // { a: 1 }
 * new Unpackr({ features: [records] }).unpack(bytes);
 */

export { columnsOf } from './api/columns-of.ts';
export { FLOAT32_OPTIONS, type Options, type UnpackrOptions } from './api/options.ts';
export {
  type PlainUnpackOptions,
  PlainUnpackr as Decoder,
  PlainUnpackr as Unpackr,
  type UnpackFeature,
} from './api/PlainUnpackr.ts';
export {
  plainUnpack as decode,
  plainUnpack as unpack,
  plainUnpackMultiple as unpackMultiple,
} from './api/plain-unpack.ts';
export { type SchemaResult, type StandardSchema, schemas } from './api/schema.ts';
export type { ForEach, Source, UnpackOptions } from './api/unpack-arguments.ts';
export { addExtension } from './api/unpack-functions.ts';
export { type ColumnKind, ColumnsView, ColumnView } from './columns/ColumnsView.ts';
export type { ColumnData } from './columns/column-data.ts';
export { columns } from './columns/columns.ts';
export {
  checks,
  moreTypes,
  objectKeys,
  paths,
  prediction,
  records,
  reviver,
} from './decode/features.ts';
export { type DecodeIssue, type ErrorKind, MsgpackDecodeError } from './errors/errors.ts';
export { C1, ExtData, type Extension } from './ext/extension.ts';
export { Timestamp } from './ext/Timestamp.ts';
export type { Structures } from './record/structures.ts';
export { roundFloat32 } from './wire/floats.ts';
