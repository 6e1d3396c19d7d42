/** Writing INT (spec/columns.md section 6.6). */
import * as C from '../ColumnNode.ts';
import { BIT, DELTA, HAS_BASE, UNSIGNED } from '../ColumnNode.ts';
import { type Sections, writeInteger } from './Sections.ts';

/** Safe integers, or any as bigints. */
export type IntegerList = ArrayLike<number> | readonly bigint[];

/** Which rules apply to integers, apart from their values. */
interface Rules {
  /** Whether they are sizes or tags. */
  readonly simple: boolean;
  /** Whether one of them is from 2^63 up. */
  readonly unsigned: boolean;
}

/** Differences between values that are less than this apart, and sums of two of them, are safe. */
const EXACT_RANGE = 2 ** 51;
const TWO_32 = 0x100000000;

/** Returns W(x): the bytes of x, rounded up to those of an element. */
function widthOf(x: number | bigint): number {
  if (x === 0 || x === 0n) return 0;
  if (x <= 0xff) return 1;
  if (x <= 0xffff) return 2;
  return x <= 0xffffffff ? 4 : 8;
}

function bitLength(x: number): number {
  return x < TWO_32 ? 32 - Math.clz32(x) : 64 - Math.clz32(Math.floor(x / TWO_32));
}

function wideBitLength(x: bigint): number {
  return x === 0n ? 0 : x.toString(2).length;
}

/**
 * Returns what decides about the form: the bounds of the values, with the sum of the bit lengths of v_i - min without
 * the first, and the same of the differences between neighbours. Null where those may not be safe.
 */
function safeStatistics(values: ArrayLike<number>, steps: boolean) {
  const n = values.length;
  let min = values[0] as number;
  let max = min;
  for (let i = 1; i < n; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  if (max - min >= EXACT_RANGE) return null;
  let bits = 0;
  let stepBits = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  if (steps && max > min) {
    let before = values[0] as number;
    for (let i = 1; i < n; i++) {
      const value = values[i] as number;
      const step = value - before;
      before = value;
      if (step < least) least = step;
      if (step > most) most = step;
      bits += bitLength(value - min);
      stepBits += bitLength(step < 0 ? -2 * step - 1 : 2 * step);
    }
  }
  return { min, max, bits, least, most, stepBits };
}

function wideStatistics(values: readonly bigint[], steps: boolean) {
  let min = values[0] as bigint;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  let bits = 0;
  let stepBits = 0;
  let least = 2n ** 63n;
  let most = -(2n ** 63n);
  for (let i = 1; steps && i < values.length; i++) {
    const value = values[i] as bigint;
    const step = BigInt.asIntN(64, value - (values[i - 1] as bigint));
    if (step < least) least = step;
    if (step > most) most = step;
    bits += wideBitLength(value - min);
    stepBits += wideBitLength(step < 0n ? -2n * step - 1n : 2n * step);
  }
  return { min, max, bits, least, most, stepBits };
}

export function writeIntegers(out: Sections, given: IntegerList, rules: Rules): void {
  const n = given.length;
  out.node(C.INT);
  if (n === 0) {
    out.directory.byte(0);
    return;
  }
  const { simple, unsigned } = rules;
  const steps = !simple && n >= 3;
  const safe = typeof given[0] === 'number' ? safeStatistics(given as ArrayLike<number>, steps) : null;
  const values = safe === null ? Array.from(given as ArrayLike<number | bigint>, BigInt) : given;
  const { min, max, bits, least, most, stepBits } = safe ?? wideStatistics(values as readonly bigint[], steps);
  const range = difference(max, min);
  const width = widthOf(range);
  const isBit = Number(range) === 1 && n >= 8;
  const stepWidth = widthOf(difference(most, least));
  const isShorter = stepWidth === 0 || (stepWidth <= width && !isBit && 4 * stepBits < 3 * bits);
  if (steps && width > 0 && isShorter) {
    writeForm(out, elementOf(stepWidth) | DELTA, least, unsigned);
    writeInteger(out.directory, values[0] as number | bigint);
    writeElements(out, differences(values), least, stepWidth);
    return;
  }
  const fromZero = min >= 0 && (isBit ? max <= 1 : widthOf(max) === width);
  const base = fromZero ? 0 : min;
  writeForm(out, isBit ? BIT : elementOf(width), base, unsigned);
  if (isBit) writeBits(out, values, min);
  else writeElements(out, values, base, width);
}

/** Returns the difference of two numbers, or of two bigints. */
function difference(a: number | bigint, b: number | bigint): number | bigint {
  return (a as number) - (b as number);
}

function elementOf(width: number): number {
  return width < 2 ? 2 * width : width === 2 ? 3 : width === 4 ? 4 : 5;
}

function writeForm(out: Sections, form: number, base: number | bigint, unsigned: boolean): void {
  const hasBase = Number(base) !== 0;
  out.directory.byte(form | (hasBase ? HAS_BASE : 0) | (unsigned ? UNSIGNED : 0));
  if (hasBase) writeInteger(out.directory, base);
}

/** Returns the differences between neighbours, modulo 2^64. */
function differences(values: IntegerList): IntegerList {
  const n = values.length - 1;
  if (typeof values[0] === 'number') {
    const numbers = values as ArrayLike<number>;
    const steps = new Float64Array(n);
    for (let i = 0; i < n; i++) steps[i] = (numbers[i + 1] as number) - (numbers[i] as number);
    return steps;
  }
  const wide = values as readonly bigint[];
  return wide.slice(1).map((value, i) => BigInt.asIntN(64, value - (wide[i] as bigint)));
}

function writeBits(out: Sections, values: IntegerList, zero: number | bigint): void {
  const n = values.length;
  const size = (n + 7) >> 3;
  const at = out.data.take(size);
  const { bytes } = out.data;
  bytes.fill(0, at, at + size);
  for (let i = 0; i < n; i++)
    if (values[i] !== zero) bytes[at + (i >> 3)] = (bytes[at + (i >> 3)] as number) | (1 << (i & 7));
}

/** Writes values less a base, each in `width` bytes. */
function writeElements(out: Sections, values: IntegerList, base: number | bigint, width: number): void {
  if (width === 0) return;
  if (typeof values[0] === 'bigint') writeWide(out, values as readonly bigint[], BigInt(base), width);
  else writeSafe(out, values as ArrayLike<number>, base as number, width);
}

function writeSafe(out: Sections, values: ArrayLike<number>, base: number, width: number): void {
  const n = values.length;
  const at = out.data.take(width * n);
  const { bytes, view } = out.data;
  if (width === 1) for (let i = 0; i < n; i++) bytes[at + i] = (values[i] as number) - base;
  else if (width === 2) for (let i = 0; i < n; i++) view.setUint16(at + 2 * i, (values[i] as number) - base, true);
  else if (width === 4) for (let i = 0; i < n; i++) view.setUint32(at + 4 * i, (values[i] as number) - base, true);
  else
    for (let i = 0; i < n; i++) {
      const value = (values[i] as number) - base;
      view.setUint32(at + 8 * i, value, true);
      view.setInt32(at + 8 * i + 4, Math.floor(value / TWO_32), true);
    }
}

function writeWide(out: Sections, values: readonly bigint[], base: bigint, width: number): void {
  if (width === 8) {
    let at = out.data.take(8 * values.length);
    for (const value of values) {
      out.data.view.setBigInt64(at, BigInt.asIntN(64, value - base), true);
      at += 8;
    }
    return;
  }
  // What is left is below 2^32.
  writeSafe(
    out,
    values.map((value) => Number(BigInt.asUintN(64, value - base))),
    0,
    width,
  );
}
