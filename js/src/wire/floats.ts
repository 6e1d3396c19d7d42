const cell = /* @__PURE__ */ new Float32Array(1);
const bits = /* @__PURE__ */ new Uint32Array(cell.buffer);

/** Powers of ten by the exponent of a float 32: the scale of the last digit it can hold. */
const scales: number[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, exponent) =>
  Number(`1e${Math.floor(45.15 - exponent * 0.30103)}`),
);

/** Returns the power of ten that moves the decimal digits of a number before the point. */
export function decimalScale(value: number): number {
  cell[0] = value;
  return scales[((bits[0] as number) >>> 23) & 0xff] as number;
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
