/** The values of FLOAT and SCALED (spec/columns.md section 2.3). */
import {
  type ColumnNode,
  HAS_REST,
  type Integers,
  POWERS,
  type SafeIntegers,
} from './ColumnNode.ts';
import { elements, integers, isWide, smallIntegers } from './integers.ts';

/** Returns the floats of a section. */
export function floats(src: Uint8Array, node: ColumnNode): Float64Array | Float32Array {
  return node.mode === 0 ? elements(src, Float64Array, node) : elements(src, Float32Array, node);
}

/** Returns mantissas divided by a power of ten, with the difference in the last bits added. */
export function scaled(src: Uint8Array, node: ColumnNode): Float64Array {
  const mantissas = smallIntegers(src, node.child(0));
  const power = POWERS[node.form & 0x7f] as number;
  const { n } = node;
  // Float64Array.from calls a function for each value, which takes several times as long.
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = (mantissas[i] as number) / power;
  if (node.form >= HAS_REST) addBits(values, integers(src, node.child(1)));
  return values;
}

/** Adds integers to the bits of floats, modulo 2^64. */
function addBits(values: Float64Array, rests: Integers): void {
  const bits = new BigInt64Array(values.buffer);
  if (isWide(rests)) {
    for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as bigint) + (rests[i] as bigint);
    return;
  }
  addSmall(bits, rests);
}

function addSmall(bits: BigInt64Array, rests: SafeIntegers): void {
  const words = new Uint32Array(bits.buffer);
  // The lower half of a float is first where the machine is little-endian.
  const low = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;
  for (let i = 0; i < bits.length; i++) {
    const rest = rests[i] as number;
    const sum = (words[2 * i + low] as number) + rest;
    if (sum >= 0 && sum <= 0xffffffff) words[2 * i + low] = sum;
    else bits[i] = (bits[i] as bigint) + BigInt(rest);
  }
}
