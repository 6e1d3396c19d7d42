import { isTimestamp } from '../../ext/Timestamp.ts';
import { setField } from '../../wire/keys.ts';

/**
 * Returns a copy of a value that was read, for another row: one program may change both. What
 * extensions made is not copied, because nothing is known of it.
 */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [copyOf(key), copyOf(item)]));
  if (value instanceof Date && !isTimestamp(value)) return new Date(value);
  if (value instanceof Uint8Array) return value.subarray();
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const item = copy[key];
    if (typeof item === 'object' && item !== null) setField(copy, key, copyOf(item));
  }
  return copy;
}
