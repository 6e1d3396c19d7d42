/** The helpers for timestamps of @msgpack/msgpack (spec/extensions.md section 1). */
import { DecodeError } from './errors.ts';

/** The ext type of timestamps. */
export const EXT_TIMESTAMP = -1;

/** A point in time: seconds since 1970-01-01T00:00:00Z, and nanoseconds from 0 to 999 999 999. */
export interface TimeSpec {
  sec: number;
  nsec: number;
}

/** Returns the payload of a timestamp, in the smallest of its three formats. */
export function encodeTimeSpecToTimestamp({ sec, nsec }: TimeSpec): Uint8Array {
  const view = new DataView(new ArrayBuffer(12));
  if (sec >= 0 && nsec === 0 && sec < 0x100000000) {
    view.setUint32(0, sec);
    return new Uint8Array(view.buffer, 0, 4);
  }
  if (sec >= 0 && nsec >= 0 && sec < 0x400000000) {
    view.setUint32(0, nsec * 4 + Math.floor(sec / 0x100000000));
    view.setUint32(4, sec % 0x100000000);
    return new Uint8Array(view.buffer, 0, 8);
  }
  view.setUint32(0, nsec);
  view.setInt32(4, Math.floor(sec / 0x100000000));
  view.setUint32(8, sec >>> 0);
  return new Uint8Array(view.buffer);
}

/** Splits the milliseconds of a Date. */
export function encodeDateToTimeSpec(date: Date): TimeSpec {
  const ms = date.getTime();
  const sec = Math.floor(ms / 1000);
  return { sec, nsec: (ms - sec * 1000) * 1_000_000 };
}

/** Returns the payload for a Date; null for anything else. */
export function encodeTimestampExtension(object: unknown): Uint8Array | null {
  return object instanceof Date ? encodeTimeSpecToTimestamp(encodeDateToTimeSpec(object)) : null;
}

/**
 * Reads the payload of a timestamp.
 *
 * @throws DecodeError for a payload of another size than 4, 8 or 12 bytes
 */
export function decodeTimestampToTimeSpec(data: Uint8Array): TimeSpec {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length === 4) return { sec: view.getUint32(0), nsec: 0 };
  if (data.length === 8) {
    const first = view.getUint32(0);
    return { sec: (first & 3) * 0x100000000 + view.getUint32(4), nsec: first >>> 2 };
  }
  if (data.length === 12)
    return { sec: view.getInt32(4) * 0x100000000 + view.getUint32(8), nsec: view.getUint32(0) };
  throw new DecodeError(`A timestamp has 4, 8 or 12 bytes, not ${data.length}`);
}

/**
 * Reads the payload of a timestamp as a Date, which has no nanoseconds.
 *
 * @throws DecodeError as {@link decodeTimestampToTimeSpec}
 */
export function decodeTimestampExtension(data: Uint8Array): Date {
  const { sec, nsec } = decodeTimestampToTimeSpec(data);
  return new Date(sec * 1000 + nsec / 1_000_000);
}
