/** The errors of @msgpack/msgpack, with what the errors of packord know. */
import { type ErrorKind, MsgpackDecodeError } from '../../errors/errors.ts';

/**
 * Bytes could not be read. `kind`, `offset` and `path` are those of the `cause`, and undefined in
 * an error that the program made itself.
 */
export class DecodeError extends Error {
  readonly kind: ErrorKind | undefined;
  readonly offset: number | undefined;
  readonly path: string | undefined;

  constructor(message: string, cause?: MsgpackDecodeError) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DecodeError';
    this.kind = cause?.kind;
    this.offset = cause?.offset;
    this.path = cause?.path;
  }
}

/** The bytes end before the message does, or bytes follow it: a RangeError, as in @msgpack/msgpack. */
export class DecodeRangeError extends RangeError {
  readonly kind: ErrorKind;
  readonly offset: number;
  readonly path: string | undefined;

  constructor(cause: MsgpackDecodeError) {
    super(cause.message, { cause });
    this.kind = cause.kind;
    this.offset = cause.offset;
    this.path = cause.path;
  }
}

/** Returns the error that users of @msgpack/msgpack expect; what a codec threw is left as it is. */
export function translated(error: unknown): unknown {
  if (!(error instanceof MsgpackDecodeError)) return error;
  if (error.kind === 'invalid_ext' && error.cause !== undefined) return error.cause;
  if (error.kind === 'eof' || error.kind === 'trailing_bytes') return new DecodeRangeError(error);
  return new DecodeError(error.message, error);
}
