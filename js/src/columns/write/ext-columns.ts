/** Ext values as columns: timestamps as integers, and payloads of one type. */
import * as M from '../../wire/markers.ts';
import { readTime, timeSize } from '../../wire/timestamps.ts';
import type { IntegerList } from './integers.ts';
import type { Tape } from './Tape.ts';

export function extType(tape: Tape, index: number): number {
  return tape.view.getInt8(tape.body(index) - 1);
}

/** Returns ext values as integers if all are timestamps in their smallest format. */
export function timesOf(tape: Tape, rows: Int32Array): { digits: number; values: IntegerList } | null {
  const n = rows.length;
  const seconds: (number | bigint)[] = new Array(n);
  const nanoseconds = new Float64Array(n);
  let digits = 0;
  for (let i = 0; i < n; i++) {
    const index = rows[i] as number;
    if (extType(tape, index) !== M.EXT_TIMESTAMP) return null;
    const at = tape.body(index);
    const { view } = tape;
    const size = tape.end(index) - at;
    const time = readTime(view, at, size);
    if (time === undefined) return null;
    if (timeSize(time) !== size) return null;
    const { seconds: second, nanoseconds: rest } = time;
    seconds[i] = second;
    nanoseconds[i] = rest;
    const exact = rest === 0 ? 0 : rest % 1_000_000 === 0 ? 3 : rest % 1000 === 0 ? 6 : 9;
    if (exact > digits) digits = exact;
  }
  const values = inUnits(seconds, nanoseconds, digits);
  return values && { digits, values };
}

/** Returns times in units of 10^-digits seconds; null if one does not fit into 64 bits. */
function inUnits(seconds: readonly (number | bigint)[], nanoseconds: Float64Array, digits: number): IntegerList | null {
  const n = seconds.length;
  const unit = 10 ** digits;
  const rest = 10 ** (9 - digits);
  const values = new Float64Array(n);
  let safe = true;
  for (let i = 0; i < n && safe; i++) {
    const value = Number(seconds[i]) * unit + (nanoseconds[i] as number) / rest;
    values[i] = value;
    safe = typeof seconds[i] === 'number' && Number.isSafeInteger(value);
  }
  if (safe) return values;
  const wide = seconds.map((second, i) => BigInt(second) * BigInt(unit) + BigInt((nanoseconds[i] as number) / rest));
  return wide.every((value) => BigInt.asIntN(64, value) === value) ? wide : null;
}
