/**
 * The function of `packord/pack`. It has no options, and so nothing that reads, checks or completes
 * options.
 */
import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { Packed } from '../wire/platform.ts';
import { Packing } from './Packing.ts';

/** The defaults of `encodeConfig`, without those that are false and those that only features read. */
const DEFAULTS: Partial<EncodeConfig> = {
  maxDepth: 1024,
  typedArrays: 'numbers',
  omission: { met: false },
  refuses: true,
  float32: 0,
  useToJSON: true,
};

let packing: Packing | undefined;

/**
 * Packs a value.
 *
 * @throws MsgpackEncodeError
 * @example
 * pack({ id: 1 }); // 81 a2 69 64 01
 */
export function packAlone(value: unknown): Packed;
/** As the function of `values.map(pack)`. */
export function packAlone(value: unknown, index: number, array: readonly unknown[]): Packed;
export function packAlone(value: unknown, option?: unknown, array?: readonly unknown[]): Packed {
  if (option !== undefined && !(typeof option === 'number' && Array.isArray(array)))
    throw new TypeError('This pack has no options: a Packr has');
  packing ??= new Packing(DEFAULTS as EncodeConfig, {});
  return packing.pack(value);
}
