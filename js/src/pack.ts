/**
 * `packord/pack`: packing and unpacking without streams.
 */
export { ALWAYS, DECIMAL_FIT, DECIMAL_ROUND, NEVER } from './api/constants.ts';
export { pack, pack as encode } from './api/pack-functions.ts';
export { RESERVE_START_SPACE, RESET_BUFFER_MODE, REUSE_BUFFER_MODE } from './api/packr.ts';
export { Packr, Packr as Encoder } from './api/packr-callable.ts';
export { MsgpackEncodeError } from './errors/errors.ts';
export * from './unpack.ts';
