/**
 * `packord/pack`: packing and unpacking without streams.
 */
export { ALWAYS, DECIMAL_FIT, DECIMAL_ROUND, NEVER } from './api/options.ts';
export {
  Packr,
  Packr as Encoder,
  pack,
  pack as encode,
  RESERVE_START_SPACE,
  RESET_BUFFER_MODE,
  REUSE_BUFFER_MODE,
} from './api/Packr.ts';
export { MsgpackEncodeError } from './errors/errors.ts';
export * from './unpack.ts';
export type { Packed } from './wire/platform.ts';
