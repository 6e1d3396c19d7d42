/** The schemas of values that are a str in MessagePack, or an ext with the option `rich`. */
import type { Found } from '../decode/found.ts';
import {
  DATE,
  DECIMAL,
  type Decimal,
  DURATION,
  type Duration,
  isRich,
  type LocalDate,
  type LocalTime,
  TIME,
  UUID,
  Uuid,
} from '../ext/rich.ts';
import { readDecimal, readDuration, readLocalDate, readLocalTime, readUuid } from '../ext/rich-text.ts';
import { REFUSED, type TypeSchema, WholeSchema } from './typed.ts';

/** Makes the schema of values that are read from a string, or are of their type already. */
function ofText<Output>(
  expected: string,
  isOutput: (value: object) => boolean,
  read: (given: string) => Output | undefined,
  ofBytes?: (given: Uint8Array) => Output | undefined,
): TypeSchema<Output> {
  const takes: Found[] = ofBytes === undefined ? ['str'] : ['str', 'bin'];
  return new WholeSchema<Output>({
    expected,
    takes,
    convert: (value) => {
      if (typeof value === 'string') return read(value) ?? REFUSED;
      if (typeof value !== 'object' || value === null) return REFUSED;
      if (isOutput(value)) return value as Output;
      return (value instanceof Uint8Array ? ofBytes?.(value) : undefined) ?? REFUSED;
    },
    misfit: (found) => (takes.includes(found) ? ['type_mismatch', `expected ${expected}`] : undefined),
  });
}

function ofRich<Output>(
  type: number,
  expected: string,
  read: (given: string) => Output | undefined,
  ofBytes?: (given: Uint8Array) => Output | undefined,
): TypeSchema<Output> {
  return ofText(expected, (value) => isRich(value) && value.type === type, read, ofBytes);
}

/**
 * A decimal number, from a string such as `1.50`.
 *
 * @example
 * unpack(pack('1.50'), decimal).scale; // 2
 */
export const decimal: TypeSchema<Decimal> = /* @__PURE__ */ ofRich(DECIMAL, 'a decimal', readDecimal);
/** A UUID, from a string of 36 characters or from 16 bytes. */
export const uuid: TypeSchema<Uuid> = /* @__PURE__ */ ofRich(UUID, 'a uuid', readUuid, (bytes) =>
  bytes.length === 16 ? new Uuid(bytes) : undefined,
);
/** A date without a time, from a string such as `2026-01-02`. */
export const localDate: TypeSchema<LocalDate> = /* @__PURE__ */ ofRich(DATE, 'a date', readLocalDate);
/** A time of day, from a string such as `03:04:05.500`. */
export const localTime: TypeSchema<LocalTime> = /* @__PURE__ */ ofRich(TIME, 'a time', readLocalTime);
/** A duration, from a string such as `PT1H30M`. */
export const duration: TypeSchema<Duration> = /* @__PURE__ */ ofRich(DURATION, 'a duration', readDuration);
/** A URL, from a string. */
export const url: TypeSchema<URL> = /* @__PURE__ */ ofText('a URL', (value) => value instanceof URL, readUrl);

function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
