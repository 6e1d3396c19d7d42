/**
 * MessagePack with records: small, fast and safe. `pack` and `unpack` speak plain
 * MessagePack; instances of `Packr` write objects of the same keys as records.
 *
 * @example
 * import { pack, unpack } from 'packord';
 * unpack(pack({ id: 1, tags: ['a', 'b'] })); // { id: 1, tags: ['a', 'b'] }
 */

export { columnsOf } from './api/columns-of.ts';
export {
  ALWAYS,
  DECIMAL_FIT,
  DECIMAL_ROUND,
  FLOAT32_OPTIONS,
  mapsAsObjects,
  NEVER,
  type Options,
  type UnpackrOptions,
  useRecords,
} from './api/options.ts';
export { RESERVE_START_SPACE, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from './api/Packing.ts';
export { Packr, Packr as Encoder, pack, pack as encode } from './api/Packr.ts';
export type { SchemaResult, StandardSchema } from './api/schema.ts';
export { Unpackr, Unpackr as Decoder } from './api/Unpackr.ts';
export type { ForEach, Source, UnpackOptions } from './api/unpack-arguments.ts';
export {
  addExtension,
  clearSource,
  isNativeAccelerationEnabled,
  unpack,
  unpack as decode,
  unpackMultiple,
} from './api/unpack-functions.ts';
export { View } from './api/View.ts';
export { type ColumnKind, ColumnsView, ColumnView } from './columns/ColumnsView.ts';
export type { ColumnData } from './columns/column-data.ts';
export {
  type DecodeIssue,
  type EncodeErrorKind,
  type ErrorKind,
  MsgpackDecodeError,
  MsgpackEncodeError,
} from './errors/errors.ts';
export { C1, ExtData, type Extension } from './ext/extension.ts';
export { Timestamp } from './ext/Timestamp.ts';
export type { Structures } from './record/structures.ts';
export * from './stream.ts';
export { roundFloat32 } from './wire/floats.ts';
export type { Packed } from './wire/platform.ts';
