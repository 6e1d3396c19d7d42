import { notation } from '../errors/path.ts';
import type { DecodeFeatures, DecoderState } from './DecoderState.ts';
import { foundAt } from './found.ts';

function keyOf(decoder: DecoderState, key: unknown, markerOffset: number): string | number {
  const { mapKeyConverter, allowArraysInMapKeys, rawStrings, strictKeys } = decoder.config;
  if (rawStrings && key instanceof Uint8Array) return new TextDecoder().decode(key);
  if (mapKeyConverter !== undefined) return mapKeyConverter(key);
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

/** Converts keys that are not str, where all maps become objects. */
export const objectKeys: DecodeFeatures = { objectKeys: { keyOf } };
