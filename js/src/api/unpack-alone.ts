/**
 * The functions of `packord/unpack`. They have no options, and so nothing that reads, checks or
 * completes options.
 */
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import { type ForEach, readAll, type Source, Unpacking, type UnpackOptions } from './Unpacking.ts';

/** The defaults of `decodeConfig`, without those that are false and those that only features read. */
const DEFAULTS: Partial<DecodeConfig> = {
  sharedList: null,
  maps: 'auto',
  timestamps: 'native',
  int64: 'auto',
  roundFloat32: null,
  sliceStrings: true,
  reviver: null,
  extensions: { ofType: () => undefined },
  utf8: 'error',
  maxDepth: 1024,
};

function newUnpacking(): Unpacking {
  return new Unpacking(DEFAULTS as DecodeConfig, {});
}

let unpacking: Unpacking | undefined;

/**
 * Unpacks the one message in the bytes.
 *
 * @throws MsgpackDecodeError
 * @example
 * unpack(Uint8Array.of(0x81, 0xa1, 0x61, 0x01)); // { a: 1 }
 */
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export function unpackAlone<T = any>(source: Source, options?: UnpackOptions): T {
  unpacking ??= newUnpacking();
  return unpacking.unpack(source, options) as T;
}

/**
 * Unpacks all messages in the bytes.
 *
 * @param forEach called with each value, its start and its end; returns false to stop
 * @throws MsgpackDecodeError
 * @example
 * unpackMultiple(Uint8Array.of(1, 2, 3)); // [1, 2, 3]
 */
// biome-ignore lint/suspicious/noExplicitAny: as unpack
export function unpackMultipleAlone(source: Source): any[];
export function unpackMultipleAlone(source: Source, forEach: ForEach): void;
export function unpackMultipleAlone(source: Source, forEach?: ForEach): unknown[] | undefined {
  unpacking ??= newUnpacking();
  return readAll(unpacking, source, forEach);
}
