import { notation } from '../errors/errors.ts';
import type { KeyDecoder } from './DecodeConfig.ts';
import type { DecodeFeatures, DecoderState } from './DecoderState.ts';
import { foundAt } from './found.ts';

/** Makes a string or a number of what a function of the program returned: an object may become another key later. */
function ofProgram(key: unknown): string | number {
  return typeof key === 'number' ? key : String(key);
}

function keyOf(decoder: DecoderState, key: unknown, markerOffset: number): string | number {
  const field = typeof key === 'string' ? key : converted(decoder, key, markerOffset);
  // An object with the field is safe; what a program copies from it may not be.
  if (field === '__proto__' && decoder.config.strictKeys)
    throw decoder.fail('type_mismatch', markerOffset, 'objectKeys refuses the key __proto__');
  return field;
}

function decodeKey(decoder: DecoderState, length: number): unknown {
  const { pos: start, config } = decoder;
  const keyDecoder = config.keyDecoder as KeyDecoder;
  if (!keyDecoder.canBeCached(length) || start + length > decoder.end)
    return decoder.features.prediction?.readKey(decoder, length);
  decoder.pos = start + length;
  return ofProgram(keyDecoder.decode(decoder.src, start, length));
}

/** Returns the key of an object for one that is not a str. */
function converted(decoder: DecoderState, key: unknown, markerOffset: number): string | number {
  const { mapKeyConverter, allowArraysInMapKeys, rawStrings, strictKeys } = decoder.config;
  if (rawStrings && key instanceof Uint8Array) return new TextDecoder().decode(key);
  if (mapKeyConverter !== undefined) return ofProgram(mapKeyConverter(key));
  // As it is: engines would have to parse the digits of a string again.
  if (typeof key === 'number') return key;
  if (!strictKeys && (key === null || (typeof key !== 'object' && typeof key !== 'function'))) return String(key);
  if (allowArraysInMapKeys && Array.isArray(key)) {
    const flat = key.flat();
    if (flat.every((part) => typeof part !== 'object' && typeof part !== 'function')) return flat.toString();
  }
  const found = key === null || typeof key !== 'object' ? notation(key) : foundAt(decoder, markerOffset);
  const detail = `expected a str as key of an object, found ${found}`;
  const hint = strictKeys ? '' : '; mapsAsObjects: false reads a Map';
  throw decoder.fail('type_mismatch', markerOffset, detail + hint);
}

/** Converts keys where all maps become objects. */
export const objectKeys: DecodeFeatures = { objectKeys: { keyOf, decodeKey } };
