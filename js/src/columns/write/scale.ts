/** Which floats are integers over a power of ten (spec/columns.md section 6.5). */
import { POWERS } from '../ColumnNode.ts';

const TWO_53 = 2 ** 53;
/** Above this difference, mantissas take more bytes than are worth it. */
const MAX_RANGE = 2 ** 48;

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

/** Returns the floats as mantissas; null if one is not exact, or if that is hardly shorter. */
export function scale(values: Float64Array): { exponent: number; mantissas: Float64Array } | null {
  let exponent = 0;
  for (let i = 0; i < values.length; i++)
    while (!isExact(values[i] as number, exponent)) if (++exponent === POWERS.length) return null;
  const mantissas = new Float64Array(values.length);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!isExact(value, exponent)) return null;
    const m = mantissaOf(value, exponent);
    mantissas[i] = m;
    if (m < min) min = m;
    if (m > max) max = m;
  }
  return max - min < MAX_RANGE ? { exponent, mantissas } : null;
}
