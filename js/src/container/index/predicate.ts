/** Predicates: which rows match, and which blocks need not be read (spec/container.md section 4). */
import { utf8Bytes } from '../../wire/utf8.ts';
import { compareOrdered, isMapping, meetsEqual, orderedType } from './compare.ts';

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
