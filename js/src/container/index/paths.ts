/** Paths, which name values within rows (spec/container.md section 4). */
import { isMapping } from './compare.ts';

export const MISSING: unique symbol = Symbol('missing');

const POSITION = /^(0|[1-9][0-9]{0,10})$/;

/** Returns the parts of a path; the empty path, which names the row, has none. */
export function partsOf(path: string): string[] {
  return path === '' ? [] : path.split('.');
}

/** Returns the position in an array that a part names; -1 for any other part. */
export function positionOf(part: string): number {
  return POSITION.test(part) ? Number(part) : -1;
}

/** Returns the value that a path names in a row that was read; {@link MISSING} without one. */
export function valueAt(row: unknown, parts: readonly string[]): unknown {
  let value = row;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null || part === '') return MISSING;
    if (Array.isArray(value)) {
      const position = positionOf(part);
      if (position < 0 || position >= value.length) return MISSING;
      value = value[position];
    } else if (!isMapping(value)) return MISSING;
    else if (value instanceof Map) {
      if (!value.has(part)) return MISSING;
      value = value.get(part);
    } else {
      if (!Object.hasOwn(value, part)) return MISSING;
      value = value[part];
    }
  }
  return value;
}
