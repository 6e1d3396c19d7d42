/**
 * MessagePack: small, fast and safe. With options, objects of the same keys are records, and what has
 * no type in MessagePack keeps it.
 *
 * @example
 * import { pack, unpack } from 'packord';
 * unpack(pack({ id: 1, tags: ['a', 'b'] })); // { id: 1, tags: ['a', 'b'] }
 */

export { pack, unpack, unpackMultiple } from '../api/functions.ts';
export { Packr } from '../api/Packr.ts';
export type { ForEach, Source, UnpackOptions } from '../api/Unpacking.ts';
export { Unpackr } from '../api/Unpackr.ts';
export {
  type DecodeIssue,
  type EncodeErrorKind,
  type ErrorKind,
  MsgpackDecodeError,
  MsgpackEncodeError,
} from '../errors/errors.ts';
export { ExtData, type Extension } from '../ext/extension.ts';
export { Decimal, Duration, LocalDate, LocalTime, Ratio, Uuid } from '../ext/rich.ts';
export { Timestamp } from '../ext/Timestamp.ts';
export type { Feature, Options, UnpackrOptions } from '../options/options.ts';
export type { Structures } from '../record/structures.ts';
export type { SchemaResult, StandardSchema } from '../schema/schema.ts';
export type { Packed } from '../wire/platform.ts';
export * from './stream.ts';
