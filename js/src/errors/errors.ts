/**
 * What can go wrong, with the same names in every language (spec/errors.md section 2).
 */
export type ErrorKind =
  | 'eof'
  | 'reserved_marker'
  | 'invalid_utf8'
  | 'trailing_bytes'
  | 'depth_limit'
  | 'length_limit'
  | 'duplicate_key'
  | 'invalid_timestamp'
  | 'invalid_ext'
  | 'unknown_ext'
  | 'record_undefined'
  | 'record_malformed'
  | 'type_mismatch'
  | 'out_of_range'
  | 'unsupported_type'
  | 'cycle'
  | 'not_canonical';

/**
 * Packed bytes could not be read.
 *
 * @example
 * try {
 *   unpack(Uint8Array.of(0x92, 0x01));
 * } catch (error) {
 *   error.kind; // 'eof'
 *   error.offset; // 2
 * }
 */
export class MsgpackDecodeError extends Error {
  override readonly name = 'MsgpackDecodeError';
  /** What went wrong. */
  readonly kind: ErrorKind;
  /** Where, in bytes from the first byte of the input or of the stream. */
  readonly offset: number;
  /** The place within the value, such as `$.users[3].name`, where it is known. */
  readonly path: string | undefined;
  /** More about it, part of the message. */
  readonly detail: string | undefined;
  /** Whether more bytes could make a value of the input: the kind is `eof`. */
  readonly incomplete: boolean;
  /** Set by `unpackMultiple`: the values that were read before the fault. */
  values?: unknown[];
  /** Set by `unpackMultiple`: where the message with the fault begins. */
  lastPosition?: number;

  constructor(
    kind: ErrorKind,
    offset: number,
    options: { path?: string | undefined; detail?: string; cause?: unknown } = {},
  ) {
    const place = options.path === undefined ? '' : ` (${options.path})`;
    const detail = options.detail === undefined ? '' : `: ${options.detail}`;
    super(
      `${kind} at byte ${offset}${place}${detail}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.kind = kind;
    this.offset = offset;
    this.path = options.path;
    this.detail = options.detail;
    this.incomplete = kind === 'eof';
  }
}

/**
 * A value could not be packed.
 *
 * @example
 * try {
 *   pack({ list: [Symbol('x')] });
 * } catch (error) {
 *   error.kind; // 'unsupported_type'
 *   error.path; // '$.list[0]'
 * }
 */
export class MsgpackEncodeError extends Error {
  override readonly name = 'MsgpackEncodeError';
  /** What went wrong. */
  readonly kind: ErrorKind;
  /** The place of the value at fault, such as `$.users[3].name`. */
  readonly path: string;

  constructor(kind: ErrorKind, path: string, detail?: string) {
    super(`${kind} at ${path}${detail === undefined ? '' : `: ${detail}`}`);
    this.kind = kind;
    this.path = path;
  }
}
