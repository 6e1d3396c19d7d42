import type { DecoderState } from '../decode/DecoderState.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import { type Extent, extentAt } from '../wire/header.ts';

/**
 * Thrown where a payload breaks the rules. All such faults are one error, at the marker of the ext,
 * which is made where the marker is known.
 */
export const MALFORMED: unique symbol = Symbol('malformed columns');

/** Throws {@link MALFORMED} unless a rule holds. */
export function need(holds: boolean): asserts holds {
  if (!holds) throw MALFORMED;
}

/** Passes over the value at a position. */
export function skipPlain(src: Uint8Array, view: DataView, start: number, end: number): Readonly<Extent> {
  const extent = extentAt(src, view, start, end);
  need(extent !== undefined);
  return extent;
}

/** Makes every fault in a payload the same error, so that its order of checks does not matter. */
export function oneError<T>(decoder: DecoderState, markerOffset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error === MALFORMED) throw decoder.fail('invalid_ext', markerOffset);
    if (!(error instanceof MsgpackDecodeError)) throw error;
    throw decoder.fail('invalid_ext', markerOffset, error.message, error.cause);
  }
}
