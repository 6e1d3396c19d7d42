/** The helpers for timestamps of @msgpack/msgpack (spec/extensions.md section 1). */
import { readTime, setTime, timePayload } from '../../wire/timestamps.ts';
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
  const time = { seconds: Math.trunc(sec), nanoseconds: nsec };
  if (nsec >= 0) return timePayload(time);
  // Their lower 32 bits, as @msgpack/msgpack writes them.
  const payload = new Uint8Array(12);
  setTime(new DataView(payload.buffer), 0, 12, time);
  return payload;
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
 * @throws DecodeError for a malformed one
 */
export function decodeTimestampToTimeSpec(data: Uint8Array): TimeSpec {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const time = readTime(view, 0, data.length);
  if (time === undefined) throw new DecodeError('The payload of a timestamp is malformed');
  return { sec: Number(time.seconds), nsec: time.nanoseconds };
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
