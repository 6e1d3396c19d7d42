import type { DecodeConfig } from '../api/decode-config.ts';
import type { Reader } from '../decode/reader.ts';
import * as M from '../wire/markers.ts';
import { readBigInt } from './bigint.ts';
import { BundledStrings } from './bundle.ts';
import { ExtData, type Extension } from './extension.ts';
import { readTimestamp } from './timestamp.ts';
import { readTypedArray } from './typed-array.ts';

/** Reads the ext whose header was read; the payload lies at the reader's position. */
export function readExt(reader: Reader, type: number, length: number, at: number): unknown {
  const { config } = reader;
  if (type === M.EXT_RECORD && reader.fix !== 0x80) throw reader.fail('record_malformed', at);
  reader.checkExt(length, at);
  const start = reader.pos;
  if (start + length > reader.end) throw reader.eof();
  reader.pos = start + length;

  const own = config.extensions.ofType(type);
  if (own !== undefined) return readRegistered(reader, own, start, length, at);
  switch (type) {
    case M.EXT_TIMESTAMP: {
      const time = readTimestamp(reader.view, start, length, config.exactTimestamps);
      if (time !== undefined) return time;
      if (config.compatible && length === 1) return new Date(Number.NaN);
      throw reader.fail('invalid_timestamp', at);
    }
    case M.EXT_UNDEFINED:
      if (length === 1 && reader.src[start] === 0) return undefined;
      break;
    case M.EXT_BIGINT:
      if (config.bigInts) return readLargeInteger(reader, start, length, at);
      break;
    case M.EXT_TYPED_ARRAY:
      if (config.moreTypes) {
        const value = readTypedArray(reader.src.subarray(start, start + length));
        if (value === undefined) throw reader.fail('invalid_ext', at);
        return value;
      }
      break;
    case M.EXT_SET:
    case M.EXT_ERROR:
    case M.EXT_REGEXP:
      if (config.moreTypes && length === 1) return readBuiltIn(reader, type, at);
      break;
    case M.EXT_IDENTITY:
      if (config.structuredClone && length === 4) return readIdentity(reader, start, at);
      break;
    case M.EXT_POINTER:
      if (config.structuredClone && length === 4) return readPointer(reader, start, at);
      break;
    case M.EXT_BUNDLE:
      if (config.bundleStrings && length >= 4) return readBundle(reader, start);
      break;
  }
  if (config.unknownExt === 'error') throw reader.fail('unknown_ext', at, `type ${type}`);
  return new ExtData(type, reader.bytes(start - reader.base, start + length - reader.base));
}

/** Whether an ext of this type and length is followed by the value that it is about. */
export function valueFollows(config: DecodeConfig, type: number, length: number): boolean {
  const own = config.extensions.ofType(type);
  if (own !== undefined) return own.read !== undefined;
  switch (type) {
    case M.EXT_SET:
    case M.EXT_ERROR:
    case M.EXT_REGEXP:
      return config.moreTypes && length === 1;
    case M.EXT_IDENTITY:
      return config.structuredClone && length === 4;
    case M.EXT_BUNDLE:
      return config.bundleStrings && length >= 4;
    default:
      return false;
  }
}

/** The value that stands behind an ext. It lies one level deeper, so that it can't nest for ever. */
function readFollowing(reader: Reader, at: number): unknown {
  if (++reader.depth > reader.maxDepth) throw reader.fail('depth_limit', at);
  const value = reader.read();
  reader.depth--;
  return value;
}

function readRegistered(
  reader: Reader,
  extension: Extension,
  start: number,
  length: number,
  at: number,
): unknown {
  const { context } = reader.config;
  const value = extension.read === undefined ? undefined : readFollowing(reader, at);
  try {
    if (extension.read !== undefined) return extension.read(value, context);
    const offset = start - reader.base;
    return extension.unpack?.(reader.bytes(offset, offset + length), context);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw reader.fail('invalid_ext', at, detail, cause);
  }
}

function readLargeInteger(reader: Reader, start: number, length: number, at: number): bigint {
  if (length === 0) throw reader.fail('invalid_ext', at);
  try {
    return readBigInt(reader.src.subarray(start, start + length));
  } catch (cause) {
    // The engine has a largest bigint.
    throw reader.fail('invalid_ext', at, 'too large', cause);
  }
}

const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function readBuiltIn(reader: Reader, type: number, at: number): unknown {
  const parts = readFollowing(reader, at);
  if (!Array.isArray(parts)) throw reader.fail('invalid_ext', at);
  if (type === M.EXT_SET) return new Set(parts);
  const [first, second, cause] = parts as unknown[];
  if (typeof first !== 'string' || (second !== undefined && typeof second !== 'string'))
    throw reader.fail('invalid_ext', at);
  if (type === M.EXT_ERROR) return makeError(first, second, cause);
  try {
    return new RegExp(first, second);
  } catch (error) {
    throw reader.fail('invalid_ext', at, (error as Error).message, error);
  }
}

function makeError(name: string, message: string | undefined, cause: unknown): Error {
  const known = Object.hasOwn(ERRORS, name) ? ERRORS[name] : undefined;
  const error = new (known ?? Error)(message, cause === undefined ? undefined : { cause });
  if (known === undefined && name !== 'Error')
    Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

/** An object that pointers may name: made before what is in it, which may point to it. */
function readIdentity(reader: Reader, start: number, at: number): unknown {
  const id = reader.view.getUint32(start);
  reader.references ??= new Map();
  const { references } = reader;
  const next = reader.pos < reader.end ? (reader.src[reader.pos] as number) : M.RESERVED;
  const target = emptyLike(reader, next);
  references.set(id, target);
  const value = readFollowing(reader, at);
  if (target instanceof Map && value instanceof Map) for (const [k, v] of value) target.set(k, v);
  else if (target instanceof Set && value instanceof Set) for (const v of value) target.add(v);
  else if (Array.isArray(target) && Array.isArray(value)) {
    for (const element of value) target.push(element);
  } else if (isPlain(target) && isPlain(value)) {
    Object.defineProperties(target, Object.getOwnPropertyDescriptors(value));
  } else {
    references.set(id, value);
    return value;
  }
  return reader.config.freezeData ? Object.freeze(target) : target;
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function emptyLike(reader: Reader, marker: number): object {
  if ((marker >= 0x90 && marker < 0xa0) || marker === M.ARRAY16 || marker === M.ARRAY32) return [];
  if ((marker >= 0x80 && marker < 0x90) || marker === M.MAP16 || marker === M.MAP32)
    return reader.config.mapsAsObjects || isEmptyObject(reader, marker) ? {} : new Map();
  const isSet = marker === M.FIXEXT1 && reader.src[reader.pos + 1] === M.EXT_SET;
  return isSet ? new Set() : {};
}

/** Whether the map that begins with a marker is read as an empty object. */
function isEmptyObject(reader: Reader, marker: number): boolean {
  return marker === 0x80 && reader.config.emptyMapAsObject;
}

function readPointer(reader: Reader, start: number, at: number): unknown {
  const target = reader.references?.get(reader.view.getUint32(start));
  if (target === undefined) throw reader.fail('invalid_ext', at, 'a pointer to nothing');
  return target;
}

/** Finds the strings at the end of the message, then reads the value that uses them. */
function readBundle(reader: Reader, start: number): unknown {
  const behind = reader.pos;
  const at = start + reader.view.getUint32(start);
  if (at < behind || at > reader.end) throw reader.eof();
  reader.bundle = new BundledStrings(reader, at);
  reader.pos = behind;
  return readFollowing(reader, start);
}
