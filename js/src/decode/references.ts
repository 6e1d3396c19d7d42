/** The ext types of msgpackr that refer to other places of a message. */
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import { type DecodeFeatures, type DecoderState, type ExtReader, type StringBundle, UNKNOWN } from './DecoderState.ts';
import { readFollowing } from './extensions.ts';

const readReference: ExtReader = (decoder, type, start, length, markerOffset) => {
  const { config } = decoder;
  if (type === M.EXT_POINTER && config.structuredClone && length === 4)
    return readPointer(decoder, start, markerOffset);
  if (!valueFollows(config, type, length)) return UNKNOWN;
  return type === M.EXT_IDENTITY ? readIdentity(decoder, start, markerOffset) : readBundle(decoder, start);
};

function valueFollows(config: DecodeConfig, type: number, length: number): boolean {
  if (type === M.EXT_IDENTITY) return config.structuredClone && length === 4;
  return type === M.EXT_BUNDLE && config.bundleStrings && length >= 4;
}

/** Reads objects that repeat, and strings at the end of the message. */
export const references: DecodeFeatures = { references: { begin, finish, readReference, valueFollows } };

function begin(decoder: DecoderState): void {
  decoder.references = null;
  decoder.bundle = null;
}

function finish(decoder: DecoderState): void {
  if (decoder.bundle !== null) decoder.pos = decoder.bundle.end;
  begin(decoder);
}

/** Reads an object with an identity: it is made before its content, which may point to it. */
function readIdentity(decoder: DecoderState, start: number, markerOffset: number): unknown {
  const id = decoder.view.getUint32(start);
  decoder.references ??= new Map();
  const { references } = decoder;
  const target = emptyLike(decoder);
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
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns an empty container of the type of the value at the position. */
function emptyLike({ config, view, pos, end }: DecoderState): object {
  const header = newHeader();
  readHeader(view, pos, end, header);
  if (header.kind === 'array') return [];
  if (header.kind === 'map' && config.maps === 'map') return new Map();
  return header.kind === 'ext' && header.type === M.EXT_SET ? new Set() : {};
}

function readPointer(decoder: DecoderState, start: number, markerOffset: number): unknown {
  const target = decoder.references?.get(decoder.view.getUint32(start));
  if (target === undefined) throw decoder.fail('invalid_ext', markerOffset, 'no object has the id of the pointer');
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

/**
 * The strings that msgpackr's option `bundleStrings` moves to the end of the message: one of
 * ASCII and one of all others. The values take their characters from them in turn.
 */
class BundledStrings implements StringBundle {
  readonly end: number;
  readonly #other: string;
  readonly #ascii: string;
  #otherAt = 0;
  #asciiAt = 0;

  constructor(decoder: DecoderState, position: number) {
    decoder.pos = position;
    this.#other = readString(decoder);
    this.#ascii = readString(decoder);
    this.end = decoder.pos;
  }

  /** Returns the next `count` characters of ASCII, or of the others when it is negative. */
  take(given: unknown): string | undefined {
    // A bigint with `integersAsBigInt`.
    const count = typeof given === 'bigint' ? Number(given) : given;
    if (typeof count !== 'number') return undefined;
    if (count > 0) {
      const start = this.#asciiAt;
      this.#asciiAt += count;
      return this.#asciiAt > this.#ascii.length ? undefined : this.#ascii.slice(start, this.#asciiAt);
    }
    const start = this.#otherAt;
    this.#otherAt -= count;
    return this.#otherAt > this.#other.length ? undefined : this.#other.slice(start, this.#otherAt);
  }
}

function readString(decoder: DecoderState): string {
  const markerOffset = decoder.pos;
  if (markerOffset >= decoder.end) throw decoder.eof();
  const t = decoder.src[markerOffset] as number;
  const value = M.isStr(t) ? decoder.read() : undefined;
  if (typeof value !== 'string') throw decoder.fail('invalid_ext', markerOffset);
  return value;
}
