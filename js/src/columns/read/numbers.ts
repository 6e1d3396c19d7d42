/** The values of FLOAT and SCALED (spec/columns.md section 2.3). */
import { type ColumnNode, POWERS } from '../ColumnNode.ts';
import { elements, smallIntegers } from './integers.ts';

/** Returns the floats of a section. */
export function floats(src: Uint8Array, node: ColumnNode): Float64Array | Float32Array {
  return node.mode === 0 ? elements(src, Float64Array, node) : elements(src, Float32Array, node);
}

/** Returns mantissas divided by a power of ten. */
export function scaled(src: Uint8Array, node: ColumnNode): Float64Array {
  const mantissas = smallIntegers(src, node.child(0));
  const power = POWERS[node.form] as number;
  const { n } = node;
  // Float64Array.from calls a function for each value, which takes several times as long.
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = (mantissas[i] as number) / power;
  return values;
}
