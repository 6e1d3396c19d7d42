/** The modes of packing, as in msgpackr: a sum of them is the second argument of `pack`. */

import type { Encoder } from '../encode/Encoder.ts';
import { DIALECT, type InternalOptions } from '../options/dialect.ts';

/** Makes `pack` return the whole memory, with `start` and `end` of the message as its properties. */
export const REUSE_BUFFER_MODE = 512;
/** Makes the next message overwrite this one. */
export const RESET_BUFFER_MODE = 1024;
/** Leaves bytes free before the message; add their number, up to 255. */
export const RESERVE_START_SPACE = 2048;

/** The sum of all modes. */
const MODES = 0xeff;

/** Writes a message directly after the last one, where the memory has room, and returns the memory. */
export const APPEND: number = 1 << 16;

/** What packing does by a mode, where an entry point has modes. */
export interface Modes {
  /** Returns a mode; none where the function is that of `values.map`. */
  of(mode: number, array: unknown, options: InternalOptions): number;
  /** Begins a message. */
  begin(encoder: Encoder, mode: number): void;
  /** Ends the message and returns it. */
  take(encoder: Encoder, mode: number): Uint8Array;
}

export const modes: Modes = {
  of(mode, array, options) {
    if (Array.isArray(array)) return 0;
    // A dialect has modes that do nothing.
    if ((mode & MODES) !== mode && !options[DIALECT]) throw new TypeError(`There is no mode ${mode}`);
    return mode;
  },

  begin(encoder, mode) {
    encoder.begin((mode & APPEND) !== 0);
    if ((mode & RESERVE_START_SPACE) === 0) return;
    const reserved = mode & 0xff;
    encoder.reserve(reserved);
    encoder.pos += reserved;
  },

  take(encoder, mode) {
    const { start, pos, buf } = encoder;
    let message = buf;
    if ((mode & APPEND) !== 0) encoder.finish();
    else if ((mode & REUSE_BUFFER_MODE) !== 0) Object.assign(buf, { start, end: pos });
    else message = encoder.take();
    if ((mode & RESET_BUFFER_MODE) !== 0) encoder.pos = start;
    return message;
  },
};
