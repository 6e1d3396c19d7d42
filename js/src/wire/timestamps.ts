/** The three payloads of timestamps (spec/extensions.md section 1). */

/** A point in time: seconds since 1970-01-01T00:00:00Z, and nanoseconds from 0 to 999 999 999. */
export interface Time {
  /** A bigint where a number can't hold it exactly. */
  readonly seconds: number | bigint;
  readonly nanoseconds: number;
}

/** Reads a payload; returns undefined for a malformed one. */
export function readTime(view: DataView, at: number, length: number): Time | undefined {
  let high = 0;
  let low: number;
  let nanoseconds = 0;
  if (length === 4) low = view.getUint32(at);
  else if (length === 8) {
    const first = view.getUint32(at);
    nanoseconds = first >>> 2;
    high = first & 3;
    low = view.getUint32(at + 4);
  } else if (length === 12) {
    nanoseconds = view.getUint32(at);
    high = view.getInt32(at + 4);
    low = view.getUint32(at + 8);
  } else return undefined;
  if (nanoseconds > 999_999_999) return undefined;
  const near = high * 0x100000000 + low;
  const seconds = Number.isSafeInteger(near) ? near : (BigInt(high) << 32n) | BigInt(low);
  return { seconds, nanoseconds };
}

/** Returns the payload of a time, in the smallest of the three sizes. */
export function timePayload({ seconds: given, nanoseconds }: Time): Uint8Array {
  const seconds = BigInt(given);
  const view = new DataView(new ArrayBuffer(12));
  if (seconds < 0n || seconds >= 2n ** 34n) {
    view.setUint32(0, nanoseconds);
    view.setBigInt64(4, seconds);
    return new Uint8Array(view.buffer);
  }
  view.setBigUint64(0, (BigInt(nanoseconds) << 34n) | seconds);
  const start = nanoseconds === 0 && seconds < 2n ** 32n ? 4 : 0;
  return new Uint8Array(view.buffer, start, 8 - start);
}

/** Returns the time that an integer stands for, in units of 10^-digits seconds. */
export function secondsOf(value: number | bigint, digits: number): Time {
  const nanoseconds = 10 ** (9 - digits);
  if (typeof value === 'number') {
    const unit = 10 ** digits;
    const seconds = Math.floor(value / unit);
    return { seconds, nanoseconds: (value - seconds * unit) * nanoseconds };
  }
  const unit = 10n ** BigInt(digits);
  const rest = ((value % unit) + unit) % unit;
  return { seconds: (value - rest) / unit, nanoseconds: Number(rest) * nanoseconds };
}
