/**
 * `packord/unpack`: the decoder alone, for plain MessagePack. Instances have the features that they
 * are given, and a bundle contains no others.
 *
 * @example
 * import { records, Unpackr, unpack } from 'packord/unpack';
 * unpack(Uint8Array.of(0x81, 0xa1, 0x61, 0x01)); // { a: 1 }
 * new Unpackr({ records }).unpack(bytes);
 */
import { type Callable, callable } from '../api/callable.ts';
import { Unpacker } from '../api/Unpacker.ts';

export type { ForEach, Source, UnpackOptions } from '../api/Unpacking.ts';
export {
  unpackAlone as unpack,
  unpackMultipleAlone as unpackMultiple,
} from '../api/unpack-alone.ts';
export { columns } from '../columns/read/columns.ts';
export {
  checks,
  limits,
  paths,
  prediction,
  records,
  reviver,
  rich,
} from '../decode/features.ts';
export { type DecodeIssue, type ErrorKind, MsgpackDecodeError } from '../errors/errors.ts';
export { ExtData, type Extension } from '../ext/extension.ts';
export { Decimal, Duration, LocalDate, LocalTime, Ratio, Uuid } from '../ext/rich.ts';
export { Timestamp } from '../ext/Timestamp.ts';
export type { Feature, Options, UnpackrOptions } from '../options/options.ts';
export type { Structures } from '../record/structures.ts';
export { type SchemaResult, type StandardSchema, schemas } from '../schema/schema.ts';

/** Unpacks as `Unpackr` of `packord` does, without its features. May be called without `new`. */
export type Unpackr = Unpacker;
export const Unpackr: Callable<typeof Unpacker> = /* @__PURE__ */ callable(Unpacker, 'Unpackr');
