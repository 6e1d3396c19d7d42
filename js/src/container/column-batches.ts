/** Single columns of the rows of blocks. */
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import { type BodyReader, inBlock } from './BodyReader.ts';
import { columnAt, openColumns } from './body-columns.ts';
import type { BlockFrame } from './FrameReader.ts';
import { MISSING, partsOf, valueAt } from './paths.ts';

/**
 * The values of a column in the order of the rows: numbers as a typed array where they are stored as one,
 * others as an array, with null for nil and undefined for a missing value.
 */
// biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
export type ColumnValues = ArrayLike<any>;

/** Some columns of one block. */
export interface ColumnBatch<Path extends string> {
  /** Number of rows. */
  readonly count: number;
  /** The values of each row, by path. */
  readonly columns: { readonly [path in Path]: ColumnValues };
}

/** Reads columns of a block; of the rows only those that a mask has. */
export function columnsOfBlock<Path extends string>(
  frame: BlockFrame,
  body: Uint8Array,
  paths: readonly Path[],
  mask: Uint8Array | null,
  reader: BodyReader,
  config: DecodeConfig,
): ColumnBatch<Path> {
  const { at, count } = frame;
  const stored = inBlock(at, () => openColumns(body, config));
  let rows: unknown[] | undefined;
  const columns: Partial<Record<Path, ColumnValues>> = {};
  for (const path of paths) {
    const parts = partsOf(path);
    const found =
      stored === undefined || stored.rows.n !== count
        ? undefined
        : inBlock(at, () => columnAt(stored, parts));
    let values: ColumnValues;
    if (found === null) values = new Array(count).fill(undefined);
    else if (found !== undefined) values = found;
    else {
      rows ??= reader.values(frame, body);
      values = rows.map((row) => {
        const value = valueAt(row, parts);
        return value === MISSING ? undefined : value;
      });
    }
    columns[path] = mask === null ? values : selected(values, mask);
  }
  const left = mask === null ? count : mask.reduce((sum, one) => sum + one, 0);
  return { count: left, columns: columns as ColumnBatch<Path>['columns'] };
}

/** Returns the values that a mask has; a typed array of such. */
function selected(values: ColumnValues, mask: Uint8Array): ColumnValues {
  const keeps = (_: unknown, row: number): boolean => mask[row] === 1;
  return ArrayBuffer.isView(values)
    ? (values as Uint8Array).filter(keeps)
    : Array.prototype.filter.call(values, keeps);
}
