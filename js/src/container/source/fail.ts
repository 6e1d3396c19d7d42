/** The errors of container files (spec/container.md sections 2.1 and 2.2). */
import { type ErrorKind, MsgpackDecodeError } from '../../errors/errors.ts';
import type { FileWindow } from './FileWindow.ts';

export function fault(kind: ErrorKind, offset: number, detail?: string, cause?: unknown): MsgpackDecodeError {
  return new MsgpackDecodeError(kind, offset, { detail, cause });
}

/** The place of a block: the offset of its block-array, and its number where that is known. */
export interface BlockPlace {
  readonly at: number;
  readonly number?: number | undefined;
}

export function blockFault(
  { at, number }: BlockPlace,
  detail: string,
  kind: ErrorKind = 'invalid_container',
  cause?: unknown,
): MsgpackDecodeError {
  return fault(kind, at, number === undefined ? detail : `block ${number}: ${detail}`, cause);
}

/** Makes the error of a file that ends too early, at its end. */
export function endOf(window: FileWindow): MsgpackDecodeError {
  return fault('eof', window.size ?? window.end);
}

export function isEnd(error: unknown): boolean {
  return error instanceof MsgpackDecodeError && error.kind === 'eof';
}
