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

/** Returns the size of the smallest payload that holds a time. */
export function timeSize({ seconds, nanoseconds }: Time): 4 | 8 | 12 {
  if (seconds < 0 || seconds >= 0x400000000) return 12;
  return nanoseconds === 0 && seconds < 0x100000000 ? 4 : 8;
}

/** Writes the payload of a time in one of the three sizes. */
export function setTime(view: DataView, at: number, size: 4 | 8 | 12, { seconds, nanoseconds }: Time): void {
  if (size === 12) {
    view.setUint32(at, nanoseconds);
    view.setBigInt64(at + 4, BigInt(seconds));
    return;
  }
  const value = Number(seconds);
  if (size === 8) view.setUint32(at, nanoseconds * 4 + Math.floor(value / 0x100000000));
  view.setUint32(at + size - 4, value);
}

/** Returns the payload of a time, in the smallest of the three sizes. */
export function timePayload(time: Time): Uint8Array {
  const size = timeSize(time);
  const payload = new Uint8Array(size);
  setTime(new DataView(payload.buffer), 0, size, time);
  return payload;
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
