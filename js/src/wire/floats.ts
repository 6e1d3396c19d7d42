import * as M from './markers.ts';

const cell = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(4));
/** Powers of ten by the exponent of a float 32: the scale of the last digit it can hold. */
const scales: number[] = [];

/** Returns the power of ten that moves the decimal digits of a number before the point. */
export function decimalScale(value: number): number {
  cell.setFloat32(0, value);
  const exponent = (cell.getUint32(0) >>> 23) & 0xff;
  scales[exponent] ??= Number(`1e${Math.floor(45.15 - exponent * 0.30103)}`);
  return scales[exponent];
}

/**
 * Rounds a number that was stored as float 32 to the decimal digits that 32 bits can hold.
 *
 * @example
 * roundFloat32(Math.fround(3.2)); // 3.2
 */
export function roundFloat32(value: number): number {
  if (value === 0) return value;
  const scale = decimalScale(value);
  const scaled = scale * value + (value > 0 ? 0.5 : -0.5);
  return Math.abs(scaled) < 0x80000000 ? Math.trunc(scaled) / scale : value;
}

/** Whether a float is a whole number of the range of integers: canonically it is one. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64;
}

/** The one NaN that is written canonically; engines keep the bits of others. */
export const NAN: Uint8Array = /* @__PURE__ */ Uint8Array.of(M.FLOAT64, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0);
