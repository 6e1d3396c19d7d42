import { PackrClass } from './packr.ts';

let packr: PackrClass | undefined;

/**
 * Packs a value as plain MessagePack, objects as maps.
 *
 * @param options a sum of REUSE_BUFFER_MODE, RESET_BUFFER_MODE and RESERVE_START_SPACE
 * @throws MsgpackEncodeError
 * @example
 * pack({ id: 1 }); // 81 a2 69 64 01
 */
export function pack(value: unknown, options?: number): Buffer {
  packr ??= new PackrClass({ useRecords: false });
  return packr.pack(value, options);
}
