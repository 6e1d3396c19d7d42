/**
 * `packord/host`: for languages that compile to JavaScript and have data of their own.
 * packord for ClojureScript uses it.
 */
export type { Source } from '../api/Unpacking.ts';
export { HashGuard } from '../compat/host/HashGuard.ts';
export type { Host, HostOutput } from '../compat/host/Host.ts';
export { HostCodec } from '../compat/host/HostCodec.ts';
export type { Payload } from '../compat/host/Payload.ts';
export { type ErrorKind, MsgpackDecodeError, MsgpackEncodeError } from '../errors/errors.ts';
export { ExtData } from '../ext/extension.ts';
export { Timestamp } from '../ext/Timestamp.ts';
export { readTypedArray, typedArrayBytes } from '../ext/typed-array.ts';
export type { Chunk } from '../stream/Feed.ts';
