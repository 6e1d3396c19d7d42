import { isStackEnd, MsgpackDecodeError } from '../errors/errors.ts';
import type { DecoderState } from './DecoderState.ts';

/**
 * Returns what reading threw as an error of the bytes, where it is one: nesting that ends the
 * stack, or memory that was transferred or made smaller, while or before it was read.
 */
function typed(error: unknown, decoder: DecoderState, bytes: Uint8Array, end: number): unknown {
  if (isStackEnd(error)) return new MsgpackDecodeError('depth_limit', Math.max(0, decoder.pos - 1 - decoder.base));
  if (error instanceof MsgpackDecodeError || bytes.length >= end) return error;
  return new MsgpackDecodeError('eof', bytes.length, {
    detail: 'its memory is gone',
    cause: error,
  });
}

/**
 * Returns what reading threw as the program receives it: an error of the bytes has its path, in a
 * stream with the number of the message.
 */
export function explain(
  thrown: unknown,
  decoder: DecoderState,
  bytes: Uint8Array,
  start: number,
  end: number,
  message = 0,
): unknown {
  const error = typed(thrown, decoder, bytes, end);
  if (error !== thrown || !(error instanceof MsgpackDecodeError)) return error;
  if (error.path !== undefined) return error;
  const { kind, offset, detail, cause } = error;
  const { paths } = decoder.features;
  // Trailing bytes are in no value, so they have no path.
  if (paths === undefined || kind === 'trailing_bytes' || offset < start || offset > end) return error;
  const path = paths.pathOf(decoder, bytes, start, end, error, message);
  return new MsgpackDecodeError(kind, offset, { path, detail, cause });
}
