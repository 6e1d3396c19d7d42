import { readTime, type Time } from '../wire/timestamps.ts';

/**
 * A point in time with nanoseconds: seconds since 1970-01-01T00:00:00Z, plus nanoseconds from
 * 0 to 999 999 999 (spec/extensions.md section 1). It is a Date too, rounded down to milliseconds: an invalid
 * one outside of the range of those.
 *
 * @example
 * unpack(pack(new Timestamp(1n, 5))).nanoseconds; // 5
 */
export class Timestamp extends Date {
  readonly seconds: bigint;
  readonly nanoseconds: number;

  constructor(seconds: bigint | number, nanoseconds = 0) {
    super(millisecondsOf(seconds, nanoseconds));
    this.seconds = BigInt(seconds);
    this.nanoseconds = nanoseconds;
    if (!Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds > 999_999_999)
      throw new RangeError(`Nanoseconds must be an integer from 0 to 999999999, not ${nanoseconds}`);
    if (BigInt.asIntN(64, this.seconds) !== this.seconds) throw new RangeError('Seconds must be an integer of 64 bits');
  }

  /**
   * Converts a Date.
   *
   * @throws RangeError for an invalid Date
   * @example
   * Timestamp.fromDate(new Date(1500)); // seconds 1n, nanoseconds 500000000
   */
  static fromDate(date: Date): Timestamp {
    const ms = date.getTime();
    const seconds = Math.floor(ms / 1000);
    // Not by its name: bundlers rename a class that names itself, to `_Timestamp` in logs.
    return new this(seconds, (ms - seconds * 1000) * 1_000_000);
  }

  /**
   * Tells the encoder what this is: a bundle of it need not have the class. After a method of Date changed the time, it
   * is a Date alone. @internal
   */
  get '~packord'(): 'timestamp' | undefined {
    const ms = millisecondsOf(this.seconds, this.nanoseconds);
    const now = this.getTime();
    return now === ms || (Number.isNaN(now) && Math.abs(ms) > DATE_MAX) ? 'timestamp' : undefined;
  }
}

function millisecondsOf(seconds: bigint | number, nanoseconds: number): number {
  return Number(seconds) * 1000 + Math.floor(nanoseconds / 1_000_000);
}

/** Whether an object is a Timestamp, of any copy of the class, with the time that it was made with. */
export function isTimestamp(value: object): value is Timestamp {
  return (value as Partial<Timestamp>)['~packord'] === 'timestamp';
}

/** The last millisecond that a Date holds. */
const DATE_MAX = 8.64e15;

/** What timestamps are read as; 'date' rounds down where it has to. */
export type TimestampType = 'native' | 'timestamp' | 'date';

/** Reads the payload of ext -1; returns undefined for a malformed one. */
export function readTimestamp(view: DataView, at: number, length: number, as: TimestampType): Date | undefined {
  const time = readTime(view, at, length);
  return time && timestampOf(time, as);
}

/** Returns a time as a Date; as a Timestamp if that is needed, or if no Date is that time. */
export function timestampOf({ seconds, nanoseconds }: Time, as: TimestampType): Date {
  const ms = millisecondsOf(seconds, nanoseconds);
  const isDate = as === 'native' ? nanoseconds % 1_000_000 === 0 : as === 'date';
  return isDate && Math.abs(ms) <= DATE_MAX ? new Date(ms) : new Timestamp(seconds, nanoseconds);
}
