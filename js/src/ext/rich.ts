/**
 * Values that have an ext type of packord (spec/extensions.md section 2) and no type in JavaScript. With
 * the option `rich` they are written as that ext, else as their text (spec/defaults.md section 1.1).
 */
import { bigIntBytes } from './bigint.ts';

/** What payloads are written into. */
interface PayloadTarget {
  write(value: unknown): void;
  raw(bytes: Uint8Array): void;
  ext(type: number, payload: Uint8Array): void;
}

function writeInteger(payload: PayloadTarget, value: bigint): void {
  if (isSmall(value)) payload.write(value);
  else payload.ext(0x42, bigIntBytes(value));
}

/** The ext types of the classes of this file. */
export const RATIO = 83;
export const DECIMAL = 84;
export const UUID = 85;
export const DATE = 87;
export const TIME = 88;
export const DURATION = 89;

const NANOSECONDS = 1_000_000_000n;
const DAY = 86_400_000_000_000n;
const DAYS_OF_400_YEARS = 146_097;

/** A value with an ext type of its own. */
export abstract class RichValue {
  /** The ext type. @internal */
  abstract get type(): number;
  /** Writes the payload of the ext. @internal */
  abstract writeTo(payload: PayloadTarget): void;
  abstract toString(): string;

  /** Writes the value without the option `rich`. @internal */
  writePlain(to: { string(value: string): void; fail(kind: 'unsupported_type', detail: string): Error }): void {
    to.string(this.toString());
  }

  /** Tells the encoder what this is: a bundle of it need not have the classes. @internal */
  get '~packord'(): 'rich' {
    return 'rich';
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Whether an object is of a class of this file, of any copy of it. */
export function isRich(value: object): value is RichValue {
  return (value as Partial<RichValue>)['~packord'] === 'rich';
}

function check(isValid: boolean, text: string): void {
  if (!isValid) throw new RangeError(text);
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Whether an integer has 64 bits, with a sign or without. */
function isSmall(value: bigint): boolean {
  return isInt64(value) || BigInt.asUintN(64, value) === value;
}

function padded(value: number | bigint, digits: number): string {
  return String(value).padStart(digits, '0');
}

/** Returns the fraction of a second with the fewest of 0, 3, 6 or 9 digits. */
function fraction(nanoseconds: number): string {
  const digits = nanoseconds === 0 ? 0 : nanoseconds % 1_000_000 === 0 ? 3 : nanoseconds % 1000 === 0 ? 6 : 9;
  return digits === 0 ? '' : `.${padded(nanoseconds, 9).slice(0, digits)}`;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b);
}

/** Whether a ratio is in lowest terms, or its numbers are too large to tell. */
export function isReduced(numerator: bigint, denominator: bigint): boolean {
  return !isSmall(numerator) || !isSmall(denominator) || gcd(numerator, denominator) === 1n;
}

/**
 * A fraction of integers. Without the option `rich` it is not written.
 *
 * @example
 * new Ratio(-1n, 3n).toString(); // '-1/3'
 */
export class Ratio extends RichValue {
  readonly numerator: bigint;
  readonly denominator: bigint;

  /** @throws RangeError for a denominator below 1, and for a fraction that is not in lowest terms */
  constructor(numerator: bigint, denominator: bigint) {
    super();
    check(denominator > 0n && isReduced(numerator, denominator), 'A ratio is in lowest terms, above 0 below the line');
    this.numerator = numerator;
    this.denominator = denominator;
  }

  override get type(): number {
    return RATIO;
  }

  override writePlain(to: { fail(kind: 'unsupported_type', detail: string): Error }): void {
    throw to.fail('unsupported_type', 'a ratio; see rich');
  }

  override writeTo(payload: PayloadTarget): void {
    writeInteger(payload, this.numerator);
    writeInteger(payload, this.denominator);
  }

  override toString(): string {
    return `${this.numerator}/${this.denominator}`;
  }
}

/**
 * A decimal number with its digits: unscaled × 10^-scale.
 *
 * @example
 * new Decimal(150n, 2).toString(); // '1.50'
 */
export class Decimal extends RichValue {
  readonly unscaled: bigint;
  readonly scale: number;

  /** @throws RangeError for a scale that is not an integer of 32 bits */
  constructor(unscaled: bigint, scale = 0) {
    super();
    check(scale >> 0 === scale, 'The scale of a decimal is an integer of 32 bits');
    this.unscaled = BigInt(unscaled);
    this.scale = scale;
  }

  override get type(): number {
    return DECIMAL;
  }

  override writeTo(payload: PayloadTarget): void {
    payload.write(BigInt(this.scale));
    payload.raw(bigIntBytes(this.unscaled));
  }

  override toString(): string {
    const { unscaled, scale } = this;
    const sign = unscaled < 0n ? '-' : '';
    const digits = String(unscaled < 0n ? -unscaled : unscaled);
    const exponent = digits.length - 1 - scale;
    if (scale === 0) return sign + digits;
    if (scale > 0 && exponent >= -6) {
      const all = digits.padStart(scale + 1, '0');
      return `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
    }
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits[0]}${rest}E${exponent < 0 ? '' : '+'}${exponent}`;
  }
}

/**
 * A UUID.
 *
 * @example
 * new Uuid('00010203-0405-0607-0809-0a0b0c0d0e0f').bytes; // 16 bytes
 */
export class Uuid extends RichValue {
  readonly bytes: Uint8Array;

  /** @throws RangeError for other than 16 bytes, or 32 hexadecimal digits with or without hyphens */
  constructor(given: string | Uint8Array) {
    super();
    if (typeof given === 'string') {
      const digits = given.replaceAll('-', '');
      check(/^[0-9a-f]{32}$/i.test(digits), 'A UUID has 32 hexadecimal digits');
      this.bytes = Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
    } else {
      check(given.length === 16, 'A UUID has 16 bytes');
      this.bytes = new Uint8Array(given);
    }
  }

  override get type(): number {
    return UUID;
  }

  override writeTo(payload: PayloadTarget): void {
    payload.raw(this.bytes);
  }

  override toString(): string {
    const digits = Array.from(this.bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}

/**
 * A date without a time: days since 1970-01-01.
 *
 * @example
 * new LocalDate(1).toString(); // '1970-01-02'
 */
export class LocalDate extends RichValue {
  readonly days: number;

  /** @throws RangeError for days that are not an integer of 32 bits */
  constructor(days: number) {
    super();
    check(days >> 0 === days, 'Days are an integer of 32 bits');
    this.days = days;
  }

  override get type(): number {
    return DATE;
  }

  override writeTo(payload: PayloadTarget): void {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setInt32(0, this.days);
    payload.raw(bytes);
  }

  override toString(): string {
    // The calendar repeats after 400 years, and a Date does not hold all years.
    const cycles = Math.floor(this.days / DAYS_OF_400_YEARS);
    const date = new Date((this.days - cycles * DAYS_OF_400_YEARS) * 86_400_000);
    const year = date.getUTCFullYear() + 400 * cycles;
    const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
    const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
    return `${sign}${padded(Math.abs(year), 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  }
}

/**
 * A time of day: nanoseconds since midnight.
 *
 * @example
 * new LocalTime(1_500_000_000n).toString(); // '00:00:01.500'
 */
export class LocalTime extends RichValue {
  readonly nanoseconds: bigint;

  /** @throws RangeError for a time that is not within a day */
  constructor(nanoseconds: bigint) {
    super();
    check(nanoseconds >= 0n && nanoseconds < DAY, 'A time of day is within a day');
    this.nanoseconds = BigInt(nanoseconds);
  }

  override get type(): number {
    return TIME;
  }

  override writeTo(payload: PayloadTarget): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, this.nanoseconds);
    payload.raw(bytes);
  }

  override toString(): string {
    const seconds = Number(this.nanoseconds / NANOSECONDS);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const rest = Number(this.nanoseconds % NANOSECONDS);
    return parts.map((part) => padded(part, 2)).join(':') + fraction(rest);
  }
}

/**
 * A duration: seconds, plus nanoseconds from 0 to 999 999 999.
 *
 * @example
 * new Duration(5400n).toString(); // 'PT1H30M'
 */
export class Duration extends RichValue {
  readonly seconds: bigint;
  readonly nanoseconds: number;

  /** @throws RangeError for seconds of more than 64 bits, and nanoseconds out of their range */
  constructor(seconds: bigint | number, nanoseconds = 0) {
    super();
    this.seconds = BigInt(seconds);
    this.nanoseconds = nanoseconds;
    check(isInt64(this.seconds), 'Seconds must be an integer of 64 bits');
    const isBelow = Number.isInteger(nanoseconds) && nanoseconds >= 0 && nanoseconds < 1e9;
    check(isBelow, 'Nanoseconds are an integer from 0 to 999999999');
  }

  override get type(): number {
    return DURATION;
  }

  override writeTo(payload: PayloadTarget): void {
    const view = new DataView(new ArrayBuffer(12));
    view.setUint32(0, this.nanoseconds);
    view.setBigInt64(4, this.seconds);
    payload.raw(new Uint8Array(view.buffer));
  }

  override toString(): string {
    const total = this.seconds * NANOSECONDS + BigInt(this.nanoseconds);
    const size = total < 0n ? -total : total;
    const whole = size / NANOSECONDS;
    const rest = fraction(Number(size % NANOSECONDS));
    const [hours, minutes, seconds] = [whole / 3600n, (whole / 60n) % 60n, whole % 60n];
    const parts = [hours > 0n ? `${hours}H` : '', minutes > 0n ? `${minutes}M` : ''];
    if (seconds > 0n || rest !== '' || size === 0n) parts.push(`${seconds}${rest}S`);
    return `${total < 0n ? '-' : ''}PT${parts.join('')}`;
  }
}
