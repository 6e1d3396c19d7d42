import { readBigInt } from '../ext/bigint.ts';
import { readTypedArray } from '../ext/typed-array.ts';
import * as M from '../wire/markers.ts';
import { BundledStrings } from './BundledStrings.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import { type DecoderState, UNKNOWN } from './DecoderState.ts';
import { readFollowing } from './ext.ts';

/** Reads an ext that only `moreTypes`, `structuredClone` or `bundleStrings` allow. */
export function readMore(
  decoder: DecoderState,
  type: number,
  start: number,
  length: number,
  markerOffset: number,
): unknown {
  const { config } = decoder;
  if (type === M.EXT_BIGINT && config.bigInts)
    return readLargeInteger(decoder, start, length, markerOffset);
  if (type === M.EXT_TYPED_ARRAY && config.moreTypes) {
    const value = readTypedArray(decoder.src.subarray(start, start + length));
    if (value === undefined) throw decoder.fail('invalid_ext', markerOffset, 'typed array');
    return value;
  }
  if (decoder.alone) return UNKNOWN;
  if (type === M.EXT_POINTER && config.structuredClone && length === 4)
    return readPointer(decoder, start, markerOffset);
  if (!valueFollows(config, type, length)) return UNKNOWN;
  if (type === M.EXT_IDENTITY) return readIdentity(decoder, start, markerOffset);
  return type === M.EXT_BUNDLE
    ? readBundle(decoder, start)
    : readBuiltIn(decoder, type, markerOffset);
}

/** Whether an ext of this type and length is followed by the value that it refers to. */
export function valueFollows(config: DecodeConfig, type: number, length: number): boolean {
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

function readLargeInteger(
  decoder: DecoderState,
  start: number,
  length: number,
  markerOffset: number,
): bigint | number {
  if (length === 0) throw decoder.fail('invalid_ext', markerOffset);
  const { int64, compatible } = decoder.config;
  try {
    const value = readBigInt(decoder.src.subarray(start, start + length));
    // One integer is one value, and one key of a Map, in whatever format it was written.
    const isNumber = int64 === 'auto' && !compatible && Number.isSafeInteger(Number(value));
    return isNumber ? Number(value) : value;
  } catch (cause) {
    // Engines have a maximum size of a bigint.
    throw decoder.fail('invalid_ext', markerOffset, 'the integer is too large', cause);
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

function readBuiltIn(decoder: DecoderState, type: number, markerOffset: number): unknown {
  const parts = readFollowing(decoder, markerOffset);
  if (!Array.isArray(parts)) throw decoder.fail('invalid_ext', markerOffset);
  if (type === M.EXT_SET) return new Set(parts);
  const [first, second, cause, errors] = parts as unknown[];
  if (typeof first !== 'string' || (second !== undefined && typeof second !== 'string'))
    throw decoder.fail('invalid_ext', markerOffset);
  if (type === M.EXT_ERROR) return makeError(first, second, cause, errors);
  try {
    return new RegExp(first, second);
  } catch (error) {
    throw decoder.fail('invalid_ext', markerOffset, (error as Error).message, error);
  }
}

function makeError(
  name: string,
  message: string | undefined,
  cause: unknown,
  errors: unknown,
): Error {
  const options = cause === undefined ? undefined : { cause };
  if (name === 'AggregateError' && Array.isArray(errors))
    return new AggregateError(errors, message, options);
  const known = Object.hasOwn(ERRORS, name) ? ERRORS[name] : undefined;
  const error = new (known ?? Error)(message, options);
  if (known === undefined && name !== 'Error')
    Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

/** Reads an object with an identity: it is made before its content, which may point to it. */
function readIdentity(decoder: DecoderState, start: number, markerOffset: number): unknown {
  const id = decoder.view.getUint32(start);
  decoder.references ??= new Map();
  const { references } = decoder;
  const next = decoder.pos < decoder.end ? (decoder.src[decoder.pos] as number) : M.RESERVED;
  const target = emptyLike(decoder, next);
  references.set(id, target);
  const value = readFollowing(decoder, markerOffset);
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
  return decoder.config.freezeData ? Object.freeze(target) : target;
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function emptyLike(decoder: DecoderState, marker: number): object {
  if ((marker >= 0x90 && marker < 0xa0) || marker === M.ARRAY16 || marker === M.ARRAY32) return [];
  if ((marker >= 0x80 && marker < 0x90) || marker === M.MAP16 || marker === M.MAP32)
    return decoder.config.mapsAsObjects ? {} : new Map();
  const isSet = marker === M.FIXEXT1 && decoder.src[decoder.pos + 1] === M.EXT_SET;
  return isSet ? new Set() : {};
}

function readPointer(decoder: DecoderState, start: number, markerOffset: number): unknown {
  const target = decoder.references?.get(decoder.view.getUint32(start));
  if (target === undefined)
    throw decoder.fail('invalid_ext', markerOffset, 'no object has the id of the pointer');
  return target;
}

/** Reads the strings at the end of the message, then the value that uses them. */
function readBundle(decoder: DecoderState, start: number): unknown {
  const next = decoder.pos;
  const strings = start + decoder.view.getUint32(start);
  if (strings < next || strings > decoder.end) throw decoder.eof();
  decoder.bundle = new BundledStrings(decoder, strings);
  decoder.pos = next;
  return readFollowing(decoder, start);
}
