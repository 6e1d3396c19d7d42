import { readBigInt } from '../ext/bigint.ts';
import { readTypedArray } from '../ext/typed-array.ts';
import * as M from '../wire/markers.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import { type DecoderState, type ExtReader, UNKNOWN } from './DecoderState.ts';
import { readFollowing } from './extensions.ts';

/** Reads an ext that only `rich` or `bigint` allows. */
export const readMore: ExtReader = (decoder, type, start, length, markerOffset) => {
  const { config } = decoder;
  if (type === M.EXT_BIGINT && config.bigInts) return readLargeInteger(decoder, start, length, markerOffset);
  if (type === M.EXT_TYPED_ARRAY && config.moreTypes) {
    const value = readTypedArray(decoder.src.subarray(start, start + length));
    if (value === undefined) throw decoder.fail('invalid_ext', markerOffset, 'typed array');
    return value;
  }
  if (decoder.alone || !valueFollows(config, type, length)) return UNKNOWN;
  return builtIn(decoder, type, readFollowing(decoder, markerOffset), markerOffset);
};

export function valueFollows(config: DecodeConfig, type: number, length: number): boolean {
  if (!config.moreTypes || length !== 1) return false;
  return type === M.EXT_SET || type === M.EXT_ERROR || type === M.EXT_REGEXP;
}

function readLargeInteger(decoder: DecoderState, start: number, length: number, markerOffset: number): bigint | number {
  if (length === 0) throw decoder.fail('invalid_ext', markerOffset);
  const { config, features } = decoder;
  try {
    const value = readBigInt(decoder.src.subarray(start, start + length));
    // One integer is one value, and one key of a Map, in whatever format it was written.
    const isNumber = config.int64 === 'auto' && features.peer === undefined && Number.isSafeInteger(Number(value));
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

/** Makes a value of a built-in class of the array that follows its ext. */
function builtIn(decoder: DecoderState, type: number, parts: unknown, markerOffset: number): unknown {
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

function makeError(name: string, message: string | undefined, cause: unknown, errors: unknown): Error {
  const options = cause === undefined ? undefined : { cause };
  // Older engines have none.
  const { AggregateError: Aggregate } = globalThis as {
    AggregateError?: AggregateErrorConstructor;
  };
  if (name === 'AggregateError' && Aggregate !== undefined)
    return new Aggregate(Array.isArray(errors) ? errors : [], message, options);
  const known = Object.hasOwn(ERRORS, name) ? ERRORS[name] : undefined;
  const error = new (known ?? Error)(message, options);
  if (known === undefined && name !== 'Error')
    Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}
