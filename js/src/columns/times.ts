/** The values of TIME (spec/columns.md section 2.4). */

/** A point in time as ext -1 has it. */
interface Time {
  readonly seconds: number | bigint;
  readonly nanoseconds: number;
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

/** Returns the payload of a timestamp, in the smallest of its three sizes. */
export function timestampPayload({ seconds: given, nanoseconds }: Time): Uint8Array {
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
