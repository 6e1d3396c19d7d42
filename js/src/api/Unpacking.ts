import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import { Decoder } from '../decode/Decoder.ts';
import { explain } from '../decode/explain.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import type { Dialect } from '../options/dialect.ts';
import type { Feature } from '../options/options.ts';
import { isSchema, type ReadingSchema, type StandardSchema } from '../schema/schema.ts';
import { bytesIn } from '../wire/platform.ts';

/** Bytes to unpack. */
export type Source = Uint8Array | ArrayBuffer | ArrayBufferView;

/** Where the message is in the bytes. A schema may validate what is read. */
export interface Placed {
  start?: number | undefined;
  end?: number | undefined;
  schema?: StandardSchema | undefined;
}

/** Where the message is in the bytes; a number is its end. */
export type UnpackOptions = number | Placed;

/** Called with each value of `unpackMultiple`, its start and its end; returns false to stop. */
// biome-ignore lint/suspicious/noExplicitAny: unpacked values have the type their user expects
export type ForEach = (value: any, start?: number, end?: number) => unknown;

/** @internal */
export function bytesOf(source: Source): Uint8Array {
  const bytes = bytesIn(source);
  if (bytes !== undefined) return bytes;
  throw new TypeError('The source to unpack must be a Uint8Array, a Buffer or an ArrayBuffer');
}

/** Returns a place in bytes; one beyond them is their end. */
function placeOf(given: number, length: number): number {
  const place = Math.min(given, length);
  if (place >= 0 && Number.isInteger(place)) return place;
  throw new RangeError(`start and end must be integers from 0 up, not ${given}`);
}

/** What an instance unpacks with, and what a function without options does. */
export class Unpacking {
  readonly config: DecodeConfig;
  readonly #features: Feature;
  readonly #newDecoder: Dialect['newDecoder'];
  readonly #decoder: Decoder;
  #busy = false;

  constructor(config: DecodeConfig, features: Feature, newDecoder?: Dialect['newDecoder'] | undefined) {
    this.config = config;
    this.#features = features;
    this.#newDecoder = newDecoder;
    this.#decoder = this.newDecoder();
  }

  newDecoder(): Decoder {
    return this.#newDecoder?.(this.config, this.#features) ?? new Decoder(this.config, this.#features);
  }

  /** Returns a decoder to read with, until {@link give}. */
  take(): Decoder {
    if (this.#busy) return this.newDecoder();
    this.#busy = true;
    return this.#decoder;
  }

  /** Ends the use of what {@link take} returned. */
  give(decoder: Decoder): void {
    decoder.close();
    if (decoder === this.#decoder) this.#busy = false;
  }

  #placed(options: UnpackOptions | StandardSchema): Placed {
    if (isSchema(options)) return { schema: options };
    if (typeof options === 'number') return { end: options };
    if (this.#features.peer?.anyOption !== true)
      for (const name in options)
        if (name !== 'start' && name !== 'end' && name !== 'schema')
          throw new TypeError(`There is no option ${name} here: an Unpackr has options`);
    return options;
  }

  unpack(source: Source, options?: UnpackOptions | StandardSchema): unknown {
    const bytes = bytesOf(source);
    const { length } = bytes;
    let start = 0;
    let end = length;
    let schema: StandardSchema | undefined;
    if (options !== undefined && options !== null) {
      const given = this.#placed(options);
      schema = given.schema;
      start = placeOf(given.start ?? 0, length);
      end = placeOf(given.end ?? length, length);
    }
    const taken = this.take();
    const decoder = (schema as ReadingSchema | undefined)?.decoderFor?.(taken) ?? taken;
    let value: unknown;
    let read = bytes;
    try {
      decoder.open(bytes, start, end);
      value = decoder.message(!this.config.allowTrailing);
      read = decoder.source;
    } catch (error) {
      // The program may have overwritten its bytes, of which the decoder then has a copy.
      throw explain(error, decoder, decoder.source, start, end);
    } finally {
      if (decoder !== taken) decoder.close();
      this.give(taken);
    }
    if (schema === undefined || decoder !== taken) return value;
    const { schemas } = this.#features;
    if (schemas === undefined) throw new TypeError('A schema needs the feature schemas');
    return schemas.validated(value, schema, read, start, end, decoder);
  }
}

/** Unpacks all messages in the bytes. Not a method, so that a bundle of `unpack` has no code of it. */
export function readAll(unpacking: Unpacking, source: Source, forEach?: ForEach): unknown[] | undefined {
  const { sequential } = unpacking.config;
  const bytes = bytesOf(source);
  const decoder = unpacking.take();
  const values: unknown[] = [];
  let start = 0;
  try {
    decoder.open(bytes, 0, bytes.length);
    decoder.hold = !sequential;
    do {
      start = decoder.pos - decoder.base;
      const value = decoder.message();
      if (forEach === undefined) values.push(value);
      else if (forEach(value, start, decoder.pos - decoder.base) === false) return undefined;
    } while (decoder.pos < decoder.end);
    return forEach === undefined ? values : undefined;
  } catch (error) {
    const explained = explain(error, decoder, decoder.source, start, bytes.length);
    if (explained instanceof MsgpackDecodeError) {
      explained.lastPosition = start;
      explained.values = values;
    }
    throw explained;
  } finally {
    decoder.hold = false;
    if (!sequential) decoder.structures?.rollback();
    unpacking.give(decoder);
  }
}
