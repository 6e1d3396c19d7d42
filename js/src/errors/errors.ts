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

/** A step of a path: an index, a name, or the key of a Map. */
export type PathPart = number | string | { readonly key: unknown };

/** The path of a value whose place is not known: one that is cut before its first step. */
export const UNKNOWN_PATH = '$…';

/** Maximum size of a path in bytes of UTF-8, without the `…` that replaces what is cut off. */
const MAX_BYTES = 256;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Surrogates that are not one of a pair, as the expression is of code points. */
const LONE = /[\ud800-\udfff]/gu;

/** A string in quotes as in JSON, lone surrogates replaced by U+FFFD. */
function quoted(value: string): string {
  const wellFormed = value.slice(0, MAX_BYTES + 1).replace(LONE, '\ufffd');
  return JSON.stringify(wellFormed).replaceAll('\u007f', '\\u007f');
}

function hex(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, MAX_BYTES);
  return Array.from(shown, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A key that is not a str, in diagnostic notation. */
export function notation(key: unknown): string {
  if (key === null || key === undefined) return 'nil';
  if (typeof key === 'number') {
    if (Number.isSafeInteger(key) && !Object.is(key, -0)) return String(key);
    if (Number.isNaN(key)) return 'nan';
    if (!Number.isFinite(key)) return key < 0 ? '-inf' : 'inf';
    return floatNotation(key);
  }
  if (typeof key === 'string') return quoted(key);
  if (key instanceof Uint8Array) return `h'${hex(key)}'`;
  if (Array.isArray(key)) return `[${key.map(notation).join(', ')}]`;
  return typeof key === 'object' ? objectNotation(key) : String(key);
}

function objectNotation(key: object): string {
  // Those of a Timestamp and of an ExtData, whose classes are above this folder.
  const { seconds, nanoseconds, type, data } = key as Readonly<Record<string, unknown>>;
  if (typeof seconds === 'bigint' && typeof nanoseconds === 'number') return timestampNotation(seconds, nanoseconds);
  if (key instanceof Date) {
    const ms = key.getTime();
    if (Number.isNaN(ms)) return 'nil';
    const seconds = Math.floor(ms / 1000);
    return timestampNotation(BigInt(seconds), (ms - seconds * 1000) * 1_000_000);
  }
  if (typeof type === 'number' && data instanceof Uint8Array) return `ext(${type}, h'${hex(data)}')`;
  const entries = key instanceof Map ? [...key] : Object.entries(key);
  return `{${entries.map((entry) => entry.map(notation).join(': ')).join(', ')}}`;
}

function timestampNotation(seconds: bigint, nanoseconds: number): string {
  const date = new Date(Number(seconds) * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return `timestamp(${seconds}, ${nanoseconds})`;
  const digits = String(nanoseconds).padStart(9, '0').replace(/0+$/, '');
  const fraction = digits === '' ? '' : `.${digits}`;
  return `timestamp("${date.toISOString().slice(0, 19)}${fraction}Z")`;
}

function floatNotation(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e16) return value.toExponential().replace('e+', 'e');
  const digits = String(value);
  return digits.includes('.') ? digits : `${digits}.0`;
}

function step(part: PathPart): string {
  if (typeof part === 'number') return `[${part}]`;
  const key = typeof part === 'string' ? part : part.key;
  if (typeof key !== 'string') return `[key ${notation(key)}]`;
  return NAME.test(key) ? `.${key}` : `[${quoted(key)}]`;
}

function sizeOf(character: string): number {
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** A path of at most {@link MAX_BYTES}, or one that is cut after its last whole character. */
function cut(path: string): string {
  let size = 0;
  let end = 0;
  for (const character of path) {
    size += sizeOf(character);
    if (size > MAX_BYTES) return `${path.slice(0, end)}…`;
    end += character.length;
  }
  return path;
}

/** A path as spec/errors.md section 1 writes it. */
export function formatPath(parts: readonly PathPart[], message = 0): string {
  let path = message === 0 ? '$' : `$${message}`;
  for (const part of parts) {
    path += step(part);
    if (path.length > MAX_BYTES) break;
  }
  return cut(path);
}
