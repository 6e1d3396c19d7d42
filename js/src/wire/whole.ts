/** Whether a float is a whole number of the range of integers: canonically it is one. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64;
}
