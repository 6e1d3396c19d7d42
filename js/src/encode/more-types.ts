import { MsgpackEncodeError } from '../errors/errors.ts';
import { bigIntBytes } from '../ext/bigint.ts';
import type { RichValue } from '../ext/rich.ts';
import { typedArrayBytes } from '../ext/typed-array.ts';
import * as M from '../wire/markers.ts';
import { viewOf } from '../wire/platform.ts';
import type { EncoderState, ScalarState } from './EncoderState.ts';

/** Writes a bigint of more than 64 bits as ext 0x42. */
export function writeLargeBigInt(encoder: ScalarState, value: bigint): void {
  const bytes = bigIntBytes(value);
  encoder.ext(M.EXT_BIGINT, encoder.config.msgpackrBytes ? padded(bytes) : bytes);
}

/** Pads to a multiple of 8 bytes, up to 2^65536, as msgpackr does. */
function padded(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil(bytes.length / 8) * 8;
  if (bytes.length > 8193) return bytes;
  const wide = new Uint8Array(length).fill((bytes[0] as number) >= 0x80 ? 0xff : 0);
  wide.set(bytes, length - bytes.length);
  return wide;
}

/** Writes the ext before the array that stands for a value, as msgpackr does. */
export function writeTag(encoder: EncoderState, type: number): void {
  encoder.extHeader(type, 1);
  encoder.byte(0);
}

/** Returns the parts of an error as in msgpackr, and the errors of an AggregateError after them. */
export function errorParts(error: Error): unknown[] {
  const parts: unknown[] = [error.name, error.message, error.cause];
  if (error.name === 'AggregateError' && 'errors' in error) parts.push(error.errors);
  return parts;
}

/** Writes an Error or a RegExp as an ext and the array of its parts. */
export function writeParts(encoder: EncoderState, value: Error | RegExp): void {
  const isError = value instanceof Error;
  writeTag(encoder, isError ? M.EXT_ERROR : M.EXT_REGEXP);
  encoder.array(isError ? errorParts(value) : [value.source, value.flags]);
}

/** Writes an ext whose payload `write` writes, without records, as `levels` containers more. */
export function writePayload(
  encoder: EncoderState,
  type: number,
  levels: number,
  write: (inner: EncoderState) => void,
): void {
  encoder.inner ??= encoder.alike(encoder.config, encoder);
  const { inner } = encoder;
  inner.begin();
  inner.depth = encoder.depth + levels;
  if (inner.depth > encoder.maxDepth) throw encoder.fail('depth_limit');
  try {
    write(inner);
    inner.complete();
  } catch (error) {
    // Its path is the one of the ext.
    if (error instanceof MsgpackEncodeError && encoder.trail !== null) throw encoder.fail(error.kind, error.detail);
    throw error;
  }
  encoder.ext(type, inner.buf.subarray(inner.start, inner.pos));
  inner.pos = inner.start;
}

/** Writes a value of a class of `rich` as its ext. */
export function writeRich(encoder: EncoderState, value: RichValue): void {
  writePayload(encoder, value.type, 0, (inner) => value.writeTo(inner));
}

/** Writes a Set as ext 86. */
export function writeSet(encoder: EncoderState, set: ReadonlySet<unknown>): void {
  writePayload(encoder, M.EXT_RICH_SET, 1, (inner) => inner.elements([...set]));
}

/** Writes a typed array, an ArrayBuffer or a DataView as ext 0x74; bytes of the platform's own class as bin. */
export function writeTypedArray(encoder: ScalarState, value: ArrayBuffer | ArrayBufferView): void {
  if (value.constructor === viewOf(new ArrayBuffer(0), 0, 0).constructor) {
    encoder.bin(value as Uint8Array);
    return;
  }
  const payload = typedArrayBytes(value);
  if (!encoder.config.msgpackrBytes || payload.length > 0xff) {
    encoder.ext(M.EXT_TYPED_ARRAY, payload);
    return;
  }
  // msgpackr never uses the fixext formats here.
  encoder.raw(Uint8Array.of(M.EXT8, payload.length, M.EXT_TYPED_ARRAY));
  encoder.raw(payload);
}
