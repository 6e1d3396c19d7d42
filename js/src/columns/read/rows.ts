/** Rows as objects or Maps, from columns. */
import { compileRows, compileShapedRow } from '../../decode/compile.ts';
import { setField } from '../../wire/keys.ts';
import type { Values } from '../ColumnNode.ts';

/** Number of rows from which on generating code is worth its time. */
const COMPILE_FROM = 32;
/** Maximum number of keys of a generated object. */
const MAX_FIELDS = 100;

/** Makes the next row of a shape: reads from each column at its index in `next`, and adds 1 to that. */
export type ShapedRow = (columns: readonly Values[], next: Uint32Array) => object;

export function rowsOf(keys: readonly string[], columns: readonly Values[], n: number, asObjects: boolean): object[] {
  if (asObjects && n >= COMPILE_FROM && keys.length <= MAX_FIELDS && keys.length > 0) {
    const make = compileRows(keys);
    if (make !== null) return make(columns, n) as object[];
  }
  const rows: object[] = new Array(n);
  for (let row = 0; row < n; row++) rows[row] = asObjects ? {} : new Map();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const column = columns[i] as Values;
    for (let row = 0; row < n; row++) put(rows[row] as object, key, column[row]);
  }
  return rows;
}

/** Returns what makes the rows of a shape, of which there are about `n`. */
export function shapedRow(keys: readonly string[], shape: readonly number[], n: number, asObjects: boolean): ShapedRow {
  const names = shape.map((key) => keys[key] as string);
  if (asObjects && n >= COMPILE_FROM && names.length <= MAX_FIELDS) {
    const make = compileShapedRow(names, shape);
    if (make !== null) return make as ShapedRow;
  }
  return (columns, next) => {
    const row = asObjects ? {} : new Map();
    for (const key of shape) {
      const at = next[key] as number;
      next[key] = at + 1;
      put(row, keys[key] as string, (columns[key] as Values)[at]);
    }
    return row;
  };
}

function put(row: object, key: string, value: unknown): void {
  if (row instanceof Map) row.set(key, value);
  else setField(row, key, value);
}
