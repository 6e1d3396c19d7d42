/** The arguments of the functions and methods that unpack. */

import type { StandardSchema } from '../schema/schema.ts';
import { bytesIn } from '../wire/memory.ts';

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
