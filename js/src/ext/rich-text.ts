/** Reads the strings of section 1.1 of spec/defaults.md. Each function returns undefined for another string. */
import { Decimal, Duration, LocalDate, LocalTime, Uuid } from './rich.ts';

/** The most digits of a decimal, as many as its ext type may have: the time grows faster than they do. */
const MAX_DIGITS = 157_826;
const DAY = 86_400_000;

/** The value that a constructor makes; undefined where it refuses its arguments. */
function valid<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the digits of a fraction of a second as nanoseconds. */
function nanosecondsOf(digits = ''): number {
  return Number(digits.padEnd(9, '0'));
}

export function readDecimal(text: string): Decimal | undefined {
  const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:E([+-]?\d{1,11}))?$/i.exec(text);
  if (parts === null || text.length > MAX_DIGITS) return undefined;
  const [, sign, whole, fraction = '', exponent = '0'] = parts;
  const size = BigInt(`${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return valid(() => new Decimal(sign === '-' ? -size : size, scale));
}

export function readUuid(text: string): Uuid | undefined {
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  return isUuid ? new Uuid(text) : undefined;
}

export function readLocalDate(text: string): LocalDate | undefined {
  const parts = /^([+-]?\d{4,7})-(\d\d)-(\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  // The calendar repeats after 400 years, and a Date does not hold all years.
  const cycles = Math.floor(year / 400);
  const within = Date.UTC(2000 + year - 400 * cycles, month - 1, day) / DAY;
  const date = valid(() => new LocalDate(within + (cycles - 5) * 146_097));
  // A month or a day that does not exist has become another one.
  return String(date) === text ? date : undefined;
}

export function readLocalTime(text: string): LocalTime | undefined {
  const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?$/.exec(text);
  if (parts === null) return undefined;
  const [hours, minutes, seconds] = parts.slice(1, 4).map(Number) as [number, number, number];
  const whole = BigInt(3600 * hours + 60 * minutes + seconds);
  return new LocalTime(whole * 1_000_000_000n + BigInt(nanosecondsOf(parts[4])));
}

/** Days count 24 hours each: other writers have them. */
export function readDuration(text: string): Duration | undefined {
  const parts =
    /^(-?)P(?=.)(?:(\d{1,19})D)?(?:T(?=.)(?:(\d{1,19})H)?(?:(\d{1,19})M)?(?:(\d{1,19})(?:\.(\d{1,9}))?S)?)?$/.exec(
      text,
    );
  if (parts === null) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(2, 6).map((part) => BigInt(part ?? 0)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const whole = ((days * 24n + hours) * 60n + minutes) * 60n + seconds;
  const nanoseconds = nanosecondsOf(parts[6]);
  return valid(() => {
    if (parts[1] === '') return new Duration(whole, nanoseconds);
    return nanoseconds === 0 ? new Duration(-whole) : new Duration(-whole - 1n, 1e9 - nanoseconds);
  });
}
