/**
 * What can go wrong when packing, with the same names and descriptions in every language
 * (spec/errors.md section 2).
 */
const ENCODE_DESCRIPTIONS = {
  depth_limit: 'nesting exceeds the depth limit',
  duplicate_key: 'key occurs twice',
  out_of_range: 'number is out of range',
  unsupported_type: 'type has no encoding',
  cycle: 'container contains itself',
  invalid_utf8: 'str is not valid UTF-8',
} as const;

/** The others, when unpacking. They are apart, so that a bundle of `pack` has none of them. */
const DECODE_DESCRIPTIONS = {
  eof: 'input ends before the message does',
  reserved_marker: 'marker c1 is reserved',
  trailing_bytes: 'bytes follow the message',
  length_limit: 'value exceeds a length limit',
  invalid_timestamp: 'timestamp is malformed',
  invalid_ext: 'ext payload is malformed',
  invalid_container: 'container file is malformed',
  unknown_ext: 'ext type is not registered',
  record_undefined: 'record id has no definition',
  record_malformed: 'record definition is malformed',
  type_mismatch: 'value has an unexpected type',
  not_canonical: 'encoding is not canonical',
} as const;

/** The name of what went wrong. */
export type ErrorKind = EncodeErrorKind | keyof typeof DECODE_DESCRIPTIONS;

/** The name of what went wrong when packing; `length_limit` in container files only. */
export type EncodeErrorKind = keyof typeof ENCODE_DESCRIPTIONS | 'length_limit';

function messageOf(kind: string, place: string, description: string | undefined, detail?: string): string {
  return `${kind} at ${place}: ${description}${detail === undefined ? '' : `: ${detail}`}`;
}

/** What a schema found in a value; see {@link MsgpackDecodeError.issues}. */
export interface DecodeIssue {
  readonly message: string;
  /** The place within the value, such as `$.users[3].name`. */
  readonly path: string;
  /** The offset of the value, or of the container in which it is missing. */
  readonly offset: number;
}

/**
 * Packed bytes could not be read. The message is `KIND at byte OFFSET (PATH): DESCRIPTION`.
 *
 * @example
 * try {
 *   unpack(Uint8Array.of(0x92, 0x01));
 * } catch (error) {
 *   error.kind; // 'eof'
 *   error.offset; // 2
 *   error.message; // 'eof at byte 2 ($): input ends before the message does'
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
  /** Further details, at the end of the message. */
  readonly detail: string | undefined;
  /** Whether the input with more bytes after it could be valid: the kind is `eof`. */
  readonly incomplete: boolean;
  /** Set where a schema refused the value: all that it found, the first of which the error reports. */
  issues?: readonly DecodeIssue[];
  /** Set by `unpackMultiple`: the values that were read before the fault. */
  values?: unknown[];
  /** Set by `unpackMultiple`: the offset of the message with the fault. */
  lastPosition?: number;

  constructor(
    kind: ErrorKind,
    offset: number,
    options: { path?: string | undefined; detail?: string | undefined; cause?: unknown } = {},
  ) {
    const { path, detail, cause } = options;
    const place = path === undefined ? `byte ${offset}` : `byte ${offset} (${path})`;
    const descriptions: Readonly<Record<string, string>> =
      kind in DECODE_DESCRIPTIONS ? DECODE_DESCRIPTIONS : ENCODE_DESCRIPTIONS;
    super(messageOf(kind, place, descriptions[kind], detail), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.offset = offset;
    this.path = path;
    this.detail = detail;
    this.incomplete = kind === 'eof';
  }
}

/**
 * A value could not be packed. The message is `KIND at PATH: DESCRIPTION`.
 *
 * @example
 * try {
 *   pack({ list: [Symbol('x')] });
 * } catch (error) {
 *   error.kind; // 'unsupported_type'
 *   error.path; // '$.list[0]'
 *   error.message; // 'unsupported_type at $.list[0]: type has no encoding: symbol'
 * }
 */
export class MsgpackEncodeError extends Error {
  override readonly name = 'MsgpackEncodeError';
  /** What went wrong. */
  readonly kind: EncodeErrorKind;
  /** The place of the value at fault, such as `$.users[3].name`; `$…` where it is not known. */
  readonly path: string;
  /** Further details, at the end of the message. */
  readonly detail: string | undefined;

  constructor(kind: EncodeErrorKind, path: string, detail?: string) {
    super(messageOf(kind, path, ENCODE_DESCRIPTIONS[kind as keyof typeof ENCODE_DESCRIPTIONS], detail));
    this.kind = kind;
    this.path = path;
    this.detail = detail;
  }
}

/** Whether an error is the engine's, where nesting ended its stack. Engines abort if a RegExp is compiled there. */
export function isStackEnd(error: unknown): boolean {
  if (!(error instanceof RangeError)) return false;
  return error.message.includes('call stack') || error.message.includes('recursion');
}
