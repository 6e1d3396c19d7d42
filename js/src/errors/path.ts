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

/** The parts of a Timestamp and of an ExtData, whose classes are above this folder. */
interface Parts {
  readonly seconds?: bigint;
  readonly nanoseconds?: number;
  readonly type?: number;
  readonly data?: Uint8Array;
}

function objectNotation(key: object): string {
  const { seconds, nanoseconds, type, data }: Parts = key;
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
