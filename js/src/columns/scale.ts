/** Which floats are integers over a power of ten (spec/columns.md section 6.5). */
import { POWERS } from './ColumnNode.ts';

const TWO_53 = 2 ** 53;
const TWO_32 = 0x100000000;
/** The largest exponents, for floats that are exact and for those with a rest. */
const MAX_EXACT = 15;
const MAX_NEAR = 12;
/** Number of rows that decide about the exponent of floats with a rest. */
const DECIDING = 64;
/** The share of rows that may be exceptions: one in 16. */
const PER_EXCEPTION = 16;
/** Maximum number of bytes of what is stored for a float. */
const MAX_BYTES = 6;

/** A float and its neighbour, and their bits. */
const pair = /* @__PURE__ */ new Float64Array(2);
const words = /* @__PURE__ */ new Int32Array(pair.buffer);
const LOW = /* @__PURE__ */ (() => (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1))();

/** Floats as mantissas; see SCALED in spec/columns.md section 2.3. */
export interface Scaled {
  readonly exponent: number;
  readonly mantissas: Float64Array;
  /** What is added to the bits of each; null where all are exact. */
  readonly rests: Float64Array | null;
  /** The rows that are not scaled, in order. */
  readonly exceptions: readonly number[];
}

/** Returns m of a float for an exponent, or NaN if there is none. */
function mantissaOf(value: number, exponent: number): number {
  const x = value * (POWERS[exponent] as number);
  if (!(Math.abs(x) < TWO_53)) return Number.NaN;
  // Not -0, whose quotient would be -0 as well.
  const m = Math.trunc(value < 0 ? x - 0.5 : x + 0.5) + 0;
  return Math.abs(m) < TWO_53 ? m : Number.NaN;
}

function isExact(value: number, exponent: number): boolean {
  const quotient = mantissaOf(value, exponent) / (POWERS[exponent] as number);
  return quotient === value && (value !== 0 || 1 / value > 0);
}

/** Returns r of a float for an exponent, or NaN if the float is not near. */
function restOf(value: number, exponent: number): number {
  const m = mantissaOf(value, exponent);
  if (Number.isNaN(m)) return Number.NaN;
  pair[0] = value;
  pair[1] = m / (POWERS[exponent] as number);
  const low = ((words[LOW] as number) >>> 0) - ((words[2 + LOW] as number) >>> 0);
  const high = ((words[1 - LOW] as number) - (words[3 - LOW] as number)) | 0;
  const rest = high * TWO_32 + low;
  return rest >= -128 && rest <= 127 ? rest : Number.NaN;
}

/** Returns the least exponent from `from` to `to` for which a float fits; undefined if none. */
function leastExponent(
  value: number,
  from: number,
  to: number,
  fits: (value: number, exponent: number) => boolean,
): number | undefined {
  for (let k = from; k <= to; k++) if (fits(value, k)) return k;
  return undefined;
}

/** Returns the floats as mantissas, if that is shorter than the floats. */
export function scale(values: Float64Array): Scaled | null {
  const found = exactly(values) ?? nearly(values);
  if (found === null) return null;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const m of found.mantissas) {
    if (m < min) min = m;
    if (m > max) max = m;
  }
  const bytes = MAX_BYTES - (found.rests === null ? 0 : 1);
  return max - min < 2 ** (8 * bytes) ? found : null;
}

function exactly(values: Float64Array): Scaled | null {
  const n = values.length;
  const allowed = n / PER_EXCEPTION;
  let exponent = 0;
  let never = 0;
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    if (isExact(value, exponent)) continue;
    const least = leastExponent(value, exponent + 1, MAX_EXACT, isExact);
    if (least !== undefined) exponent = least;
    else if (++never > allowed) return null;
  }
  const mantissas = new Float64Array(n);
  const exceptions: number[] = [];
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    if (isExact(value, exponent)) mantissas[i - exceptions.length] = mantissaOf(value, exponent);
    else exceptions.push(i);
  }
  if (exceptions.length > allowed) return null;
  const scaled = mantissas.subarray(0, n - exceptions.length);
  return { exponent, mantissas: scaled, rests: null, exceptions };
}

function nearly(values: Float64Array): Scaled | null {
  const n = values.length;
  const isNear = (value: number, k: number) => !Number.isNaN(restOf(value, k));
  let exponent = 0;
  for (const value of values.subarray(0, DECIDING))
    exponent = leastExponent(value, exponent, MAX_NEAR, isNear) ?? exponent;
  const mantissas = new Float64Array(n);
  const rests = new Float64Array(n);
  const exceptions: number[] = [];
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    const rest = restOf(value, exponent);
    if (Number.isNaN(rest)) {
      exceptions.push(i);
      if (exceptions.length > n / PER_EXCEPTION) return null;
      continue;
    }
    const at = i - exceptions.length;
    mantissas[at] = mantissaOf(value, exponent);
    rests[at] = rest;
  }
  const scaled = n - exceptions.length;
  return {
    exponent,
    mantissas: mantissas.subarray(0, scaled),
    rests: rests.subarray(0, scaled),
    exceptions,
  };
}
