/**
 * The function of `packord/pack`. It has no options, and so nothing that reads, checks or completes
 * options.
 */
import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import { globalExtensions } from '../ext/extension.ts';
import type { Packed } from '../wire/platform.ts';
import { Packing } from './Packing.ts';

/** The defaults of `encodeConfig`, without those that are false and those that only features read. */
const DEFAULTS: Partial<EncodeConfig> = {
  extensions: globalExtensions,
  maxDepth: 1024,
  variableMapSize: true,
  float32: 0,
  useToJSON: true,
};

let packing: Packing | undefined;

/**
 * Packs a value as plain MessagePack, objects as maps.
 *
 * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
 * @throws MsgpackEncodeError
 * @example
 * pack({ id: 1 }); // 81 a2 69 64 01
 */
export function plainPack(value: unknown, options?: number): Packed {
  packing ??= new Packing(DEFAULTS as EncodeConfig, {});
  return packing.pack(value, options);
}
