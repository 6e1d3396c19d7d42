/**
 * MessagePack with records: small, fast and safe. `pack` and `unpack` speak plain
 * MessagePack; instances of `Packr` write objects of the same keys as records.
 *
 * @example
 * import { pack, unpack } from 'packord';
 * unpack(pack({ id: 1, tags: ['a', 'b'] })); // { id: 1, tags: ['a', 'b'] }
 */
export {
  ALWAYS,
  DECIMAL_FIT,
  DECIMAL_ROUND,
  mapsAsObjects,
  NEVER,
  useRecords,
} from './api/options.ts';
export { RESERVE_START_SPACE, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from './api/Packing.ts';
export { Packr, Packr as Encoder, pack, pack as encode } from './api/Packr.ts';
export { MsgpackEncodeError } from './errors/errors.ts';
export * from './stream.ts';
export * from './unpack.ts';
export type { Packed } from './wire/platform.ts';
