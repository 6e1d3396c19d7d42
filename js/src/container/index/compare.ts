/** How values compare in statistics and predicates (spec/container.md section 4). */
import { ExtData } from '../../ext/extension.ts';
import { Timestamp } from '../../ext/Timestamp.ts';
import { sameBytes } from '../../wire/memory.ts';

type OrderedType = 'number' | 'string' | 'time';

/** Returns the type within which a value has an order; undefined for one without, as a NaN. */
export function orderedType(value: unknown): OrderedType | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isNaN(value) ? undefined : 'number';
    case 'bigint':
      return 'number';
    case 'string':
      return 'string';
    default:
      return value instanceof Timestamp || (value instanceof Date && !Number.isNaN(value.getTime()))
        ? 'time'
        : undefined;
  }
}

/** Makes code units sort as the code points that they are part of: surrogates after all others. */
function rank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compares strings by their code points, which is the order of their UTF-8 bytes. */
function compareTexts(a: string, b: string): number {
  const size = Math.min(a.length, b.length);
  for (let i = 0; i < size; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

function compareTimes(a: Timestamp, b: Timestamp): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.nanoseconds - b.nanoseconds;
}

const timeOf = (value: Date): Timestamp => (value instanceof Timestamp ? value : Timestamp.fromDate(value));

/** Compares two values of one type that has an order; undefined for any others. */
export function compareOrdered(a: unknown, b: unknown): number | undefined {
  const type = orderedType(a);
  if (type === undefined || type !== orderedType(b)) return undefined;
  if (type === 'string') return compareTexts(a as string, b as string);
  if (type === 'time') return compareTimes(timeOf(a as Date), timeOf(b as Date));
  // A number and a bigint are compared exactly.
  const [one, other] = [a as number, b as number];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether two values are equal as those of a condition: never two that are nil or a NaN. */
export function meetsEqual(a: unknown, b: unknown): boolean {
  if (orderedType(a) !== undefined || orderedType(b) !== undefined) return compareOrdered(a, b) === 0;
  return a !== null && b !== null && typeof a !== 'number' && isSame(a, b);
}

/** Whether two values are the same, with all that is in them; maps in any order of their entries. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (orderedType(a) !== undefined) return compareOrdered(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  if (a instanceof ExtData) return b instanceof ExtData && a.type === b.type && sameBytes(a.data, b.data);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  return isMapping(a) && isMapping(b) && isSameMap(asMap(a), asMap(b));
}

/** Whether a value is a map of MessagePack. */
export function isMapping(value: object): value is Map<unknown, unknown> | Record<string, unknown> {
  if (value instanceof Map) return true;
  const proto = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

function asMap(value: Map<unknown, unknown> | Record<string, unknown>): Map<unknown, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value));
}

function isSameMap(a: Map<unknown, unknown>, b: Map<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.has(key) ? b.get(key) : [...b].find(([one]) => isSame(one, key))?.[1];
    if (!isSame(value, other)) return false;
  }
  return true;
}
