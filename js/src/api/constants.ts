import { FLOAT32_OPTIONS } from './options.ts';

/** See {@link FLOAT32_OPTIONS}. */
export const NEVER: typeof FLOAT32_OPTIONS.NEVER = FLOAT32_OPTIONS.NEVER;
/** See {@link FLOAT32_OPTIONS}. */
export const ALWAYS: typeof FLOAT32_OPTIONS.ALWAYS = FLOAT32_OPTIONS.ALWAYS;
/** See {@link FLOAT32_OPTIONS}. */
export const DECIMAL_ROUND: typeof FLOAT32_OPTIONS.DECIMAL_ROUND = FLOAT32_OPTIONS.DECIMAL_ROUND;
/** See {@link FLOAT32_OPTIONS}. */
export const DECIMAL_FIT: typeof FLOAT32_OPTIONS.DECIMAL_FIT = FLOAT32_OPTIONS.DECIMAL_FIT;

/** What the functions `pack` and `unpack` do with objects: plain maps, never records. */
export const useRecords = false;
/** What `unpack` makes of maps: objects. */
export const mapsAsObjects = true;
