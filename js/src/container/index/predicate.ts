/** Predicates: which rows match, and which blocks need not be read (spec/container.md section 4). */
import { ExtData } from '../../ext/extension.ts';
import { Timestamp } from '../../ext/Timestamp.ts';
import { sameBytes } from '../../wire/platform.ts';
import { utf8Bytes } from '../../wire/utf8.ts';

/** The comparisons of a condition. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A condition on the value that a path names. Its parts are joined by `.`: the key of a map, or the position
 * in an array.
 */
export type Condition =
  | readonly [path: string, op: Comparison, constant: unknown]
  | readonly [path: string, op: 'in', constants: readonly unknown[]]
  | readonly [path: string, op: 'is_null' | 'is_not_null'];

/**
 * Conditions, all of which a row has to meet.
 *
 * @example
 * [['price', '>=', 10], ['city', 'in', ['Oslo', 'Rome']], ['pos.0', 'is_not_null']];
 */
export type Predicate = readonly Condition[];

/** What is known of the values at a path in the rows of a block. */
export interface PathStatistics {
  /** Number of rows in which the value is nil or missing. */
  readonly nulls: number;
  /** Bounds of all other values: a number, a bigint, a string or a Timestamp; null where none is known. */
  readonly min: unknown;
  readonly max: unknown;
}

/** What is known of a block, by paths; a path that is absent says nothing. */
export type BlockStatistics = ReadonlyMap<string, PathStatistics>;

export interface CheckedCondition {
  readonly path: string;
  readonly parts: readonly string[];
  readonly op: Condition[1];
  readonly constant: unknown;
}

const TESTS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
const OPS: readonly string[] = [...Object.keys(TESTS), '==', '!=', 'in', 'is_null', 'is_not_null'];

/** Checks a predicate that a program passed: anything that is not a list of conditions is a TypeError. */
export function checkPredicate(predicate: Predicate): CheckedCondition[] {
  if (!Array.isArray(predicate)) throw new TypeError('A predicate is an array of conditions');
  return predicate.map((condition: Condition) => {
    if (!Array.isArray(condition)) throw new TypeError('A condition is an array');
    const [path, op, constant] = condition;
    if (typeof path !== 'string') throw new TypeError('The path of a condition is a string');
    if (!OPS.includes(op)) throw new TypeError(`There is no comparison ${String(op)}`);
    const hasConstant = op !== 'is_null' && op !== 'is_not_null';
    if (hasConstant && constant === undefined) throw new TypeError(`${op} needs a constant`);
    if (op === 'in' && !Array.isArray(constant)) throw new TypeError('in needs an array');
    return { path, parts: partsOf(path), op, constant: normalized(constant) };
  });
}

/** Replaces lone surrogates in strings, which no file has. */
function normalized(constant: unknown): unknown {
  if (typeof constant === 'string') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8Bytes(constant));
  return Array.isArray(constant) ? constant.map(normalized) : constant;
}

/** Whether a value, which can be {@link MISSING}, meets a condition. */
export function meets(value: unknown, op: Condition[1], constant: unknown): boolean {
  const isNull = value === null || value === MISSING;
  if (op === 'is_null') return isNull;
  if (isNull) return false;
  switch (op) {
    case 'is_not_null':
      return true;
    case 'in':
      return (constant as readonly unknown[]).some((element) => meetsEqual(value, element));
    case '==':
      return meetsEqual(value, constant);
    case '!=':
      return !meetsEqual(value, constant);
    default: {
      const order = compareOrdered(value, constant);
      return order !== undefined && TESTS[op]?.(order) === true;
    }
  }
}

export function matches(row: unknown, conditions: readonly CheckedCondition[]): boolean {
  return conditions.every(({ parts, op, constant }) => meets(valueAt(row, parts), op, constant));
}

/** Whether statistics show that no row of a block can match. */
export function isSkipped(
  stats: BlockStatistics | null,
  count: number,
  conditions: readonly CheckedCondition[],
): boolean {
  if (stats === null) return false;
  return conditions.some(({ path, op, constant }) => {
    const known = stats.get(path);
    return known !== undefined && shows(known, count, op, constant);
  });
}

function shows({ nulls, min, max }: PathStatistics, count: number, op: Condition[1], constant: unknown): boolean {
  if (op === 'is_null') return nulls === 0;
  if (nulls === count) return true;
  if (op === 'is_not_null') return false;
  if (op !== 'in') return excludes(min, max, op, constant);
  return (constant as readonly unknown[]).every((element) => excludes(min, max, '==', element));
}

/** Whether no value between two bounds meets a comparison. */
function excludes(min: unknown, max: unknown, op: Comparison, constant: unknown): boolean {
  switch (op) {
    case '<':
    case '<=':
      return min !== null && !meets(min, op, constant);
    case '>':
    case '>=':
      return max !== null && !meets(max, op, constant);
    case '==':
      return excludes(min, max, '<=', constant) || excludes(min, max, '>=', constant);
    default:
      return meetsEqual(min, constant) && meetsEqual(max, constant);
  }
}

/** Returns statistics that were read, integers as bigints, as such; undefined for those that say nothing. */
export function statisticsOf(entry: unknown): PathStatistics | undefined {
  if (!Array.isArray(entry) || entry.length < 3) return undefined;
  const [nulls, min, max] = entry as unknown[];
  if (typeof nulls !== 'bigint' || nulls < 0n) return undefined;
  const types = [min, max].filter((bound) => bound !== null).map(orderedType);
  if (types.includes(undefined) || new Set(types).size > 1) return undefined;
  return { nulls: Number(nulls), min: small(min), max: small(max) };
}

function small(bound: unknown): unknown {
  if (typeof bound !== 'bigint') return bound;
  const number = Number(bound);
  return Number.isSafeInteger(number) ? number : bound;
}

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

/** Returns the type within which a value has an order; undefined for one without, as a NaN. */
export function orderedType(value: unknown): 'number' | 'string' | 'time' | undefined {
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
function compareOrdered(a: unknown, b: unknown): number | undefined {
  const type = orderedType(a);
  if (type === undefined || type !== orderedType(b)) return undefined;
  if (type === 'string') return compareTexts(a as string, b as string);
  if (type === 'time') return compareTimes(timeOf(a as Date), timeOf(b as Date));
  // A number and a bigint are compared exactly.
  const [one, other] = [a as number, b as number];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether two values are equal as those of a condition: never two that are nil or a NaN. */
function meetsEqual(a: unknown, b: unknown): boolean {
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
