import { type ExtData, type Extension, isExtData } from '../ext/extension.ts';
import { isRich } from '../ext/rich.ts';
import { isTimestamp } from '../ext/Timestamp.ts';
import * as M from '../wire/markers.ts';
import { setTime, type Time, timeSize } from '../wire/timestamps.ts';
import type { EncoderState } from './EncoderState.ts';
import { isForeign, nativeOf } from './realms.ts';

/**
 * Writes what an object is written as in its place: by a `toJSON`, or in this realm; returns false if
 * nothing is. Its frame is not on the stack while the elements of built-in classes are written.
 */
export function writeInstead(encoder: EncoderState, value: object): boolean {
  const native = isForeign(value) ? nativeOf(value) : undefined;
  if (native !== undefined) {
    encoder.write(native);
    return true;
  }
  const own = encoder.config.useToJSON ? ownToJSON(value) : undefined;
  if (own === undefined) return false;
  const json = encoder.call(() => own.call(value));
  if (json === value) return false;
  writeReplacement(encoder, value, json);
  return true;
}

/** Returns the `toJSON` of a class of the program, as opposed to those of built-in types. */
export function ownToJSON(value: object): ((key?: string) => unknown) | undefined {
  const { toJSON } = value as { readonly toJSON?: (key?: string) => unknown };
  if (typeof toJSON !== 'function' || toJSON === Date.prototype.toJSON) return undefined;
  // Buffer has one, and so have its polyfills: of a view, only one of its own counts.
  if (ArrayBuffer.isView(value) && !Object.hasOwn(value, 'toJSON')) return undefined;
  return isTimestamp(value) || isRich(value) ? undefined : toJSON;
}

/** Writes a replacement. Replacements within replacements count as depth, so that they end. */
function writeReplacement(encoder: EncoderState, value: object, replacement: unknown): void {
  if (encoder.open?.includes(value)) throw encoder.fail('cycle');
  if (++encoder.replacements > encoder.maxDepth) throw encoder.fail('depth_limit');
  encoder.write(replacement);
  encoder.replacements--;
}

/** Writes an object that is neither a plain object nor a plain array, and that nothing replaces. */
export function writeInstance(encoder: EncoderState, value: object): void {
  const { config } = encoder;
  if (ArrayBuffer.isView(value)) writeView(encoder, value);
  else if (value instanceof Map) encoder.map(value);
  else if (isTimestamp(value)) writeTime(encoder, value);
  else if (value instanceof Date) writeDate(encoder, value);
  else if (isRich(value)) {
    if (config.rich) encoder.moreTypes?.writeRich(encoder, value);
    else value.writePlain(encoder);
  } else if (value instanceof ArrayBuffer) {
    if (config.typedArrays === 'ext') encoder.moreTypes?.writeTypedArray(encoder, value);
    else encoder.bin(new Uint8Array(value));
  } else if (isExtData(value)) encoder.ext(extType(encoder, value), value.data);
  else if (value instanceof Set) {
    if (config.rich) encoder.moreTypes?.writeSet(encoder, value);
    else encoder.elements([...value]);
  } else if (value instanceof Error || value instanceof RegExp) {
    if (config.rich) encoder.moreTypes?.writeParts(encoder, value);
    else if (config.refuses) {
      const name = value instanceof Error ? 'Error' : 'RegExp';
      throw encoder.fail('unsupported_type', `${name}; see rich`);
    } else encoder.fieldsOf(value);
  } else if (Array.isArray(value)) encoder.array(value);
  else if (config.refuses) writeOther(encoder, value);
  else encoder.fieldsOf(value);
}

const BYTES: readonly string[] = ['Uint8Array', 'Uint8ClampedArray', 'DataView'];

/** Returns the name of the type of a view, of this realm or of another. */
function typeOf(view: ArrayBufferView): string {
  return (view as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '';
}

function writeView(encoder: EncoderState, value: ArrayBufferView): void {
  const { typedArrays } = encoder.config;
  if (typedArrays === 'ext') encoder.moreTypes?.writeTypedArray(encoder, value);
  else if (value instanceof Uint8Array) encoder.bin(value);
  else if (typedArrays === 'bin' || BYTES.includes(typeOf(value)))
    encoder.bin(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  else writeNumbers(encoder, value as Float64Array);
}

/** Writes numbers as those of their type: 1 of a Float64Array is a float. */
function writeNumbers(encoder: EncoderState, numbers: Float64Array | BigInt64Array): void {
  const type = typeOf(numbers);
  encoder.enter(numbers);
  encoder.arrayHeader(numbers.length);
  for (const number of numbers) {
    encoder.reserve(9);
    if (type === 'Float32Array' && !encoder.config.canonical) encoder.float32(number as number);
    else if (type.startsWith('Float')) encoder.float(number as number);
    else encoder.write(number);
  }
  encoder.leave();
}

/** Built-in classes, by their tags, whose instances have nothing that could be written. */
const REFUSED: readonly unknown[] = [
  'Promise',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Symbol',
  'SharedArrayBuffer',
  'AsyncGenerator',
  'FinalizationRegistry',
];

/** Writes an object of a class of the program, or one that stands for a primitive or for elements. */
function writeOther(encoder: EncoderState, value: object): void {
  const { [Symbol.toStringTag]: tag, next } = value as {
    [Symbol.toStringTag]?: unknown;
    next?: unknown;
  };
  if (typeof next === 'function' && Symbol.iterator in value)
    encoder.array(encoder.call(() => [...(value as Iterable<unknown>)]));
  else if (REFUSED.includes(tag)) throw encoder.fail('unsupported_type', String(tag));
  else if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt)
    encoder.write(value.valueOf());
  else encoder.fieldsOf(value);
}

/** Returns the type of an ext, which the program may have changed. */
function extType(encoder: EncoderState, { type }: ExtData): number {
  if ((type << 24) >> 24 !== type) throw encoder.fail('out_of_range');
  return type;
}

function writeDate(encoder: EncoderState, date: Date): void {
  const ms = date.getTime();
  if (Number.isNaN(ms)) throw encoder.fail('out_of_range', 'an invalid Date');
  const seconds = Math.floor(ms / 1000);
  writeTime(encoder, { seconds, nanoseconds: (ms - seconds * 1000) * 1_000_000 });
}

function writeTime(encoder: EncoderState, time: Time): void {
  const size = timeSize(time);
  encoder.extHeader(M.EXT_TIMESTAMP, size);
  setTime(encoder.view, encoder.pos, size, time);
  encoder.pos += size;
}

export function writeExtended(encoder: EncoderState, value: object): boolean {
  const extension = encoder.config.extensions.ofValue(value);
  if (extension === undefined) return false;
  if (extension.write === undefined) writePacked(encoder, extension, value);
  else writeTagged(encoder, extension, value);
  return true;
}

/** Writes the value that an extension makes of one, after the ext if it has a type. */
function writeTagged(encoder: EncoderState, extension: Extension, value: object): void {
  const replacement = encoder.call(() => extension.write?.(value, encoder.config.context));
  if (extension.type !== undefined) {
    encoder.reserve(3);
    encoder.extHeader(extension.type, 1);
    encoder.byte(0);
  }
  if (replacement !== value) writeReplacement(encoder, value, replacement);
  else if (Array.isArray(value)) encoder.array(value);
  else encoder.fieldsOf(value);
}

function writePacked(encoder: EncoderState, extension: Extension, value: object): void {
  const payload = encoder.payloadOf(extension, value);
  if (payload === undefined || payload === null) return;
  if (!(payload instanceof Uint8Array))
    throw encoder.fail('unsupported_type', 'pack of an extension must return a Uint8Array');
  encoder.ext(extension.type as number, payload);
}
