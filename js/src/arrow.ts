/**
 * `packord/arrow`: columns as tables of Apache Arrow, and back. It needs the package `apache-arrow`.
 *
 * @example
 * import { fromArrow, toArrow } from 'packord/arrow';
 * const table = toArrow(new Packr({ columns: true }).pack(rows));
 * const bytes = fromArrow(table);
 */
import { RecordBatch, Schema, type Struct, Table } from 'apache-arrow';
import { columnsOf } from './api/columns-of.ts';
import type { Options, UnpackrOptions } from './api/options.ts';
import { Packr } from './api/Packr.ts';
import type { Source } from './api/unpack-arguments.ts';
import { valuesOf } from './arrow/from-arrow.ts';
import { arrowData } from './arrow/to-arrow.ts';
import type { ExtData } from './ext/extension.ts';
import type { Packed } from './wire/platform.ts';

/**
 * Returns an array of maps that is stored by column as a table. Both nil and a missing key are null.
 * Numbers of one column with `columnViews` are used in place: the bytes must not change.
 *
 * @throws TypeError where the value is not an array of maps stored by column
 * @throws MsgpackDecodeError for malformed bytes
 * @example
 * toArrow(bytes).getChild('price').get(0);
 */
export function toArrow(source: Source | ExtData, options: UnpackrOptions = {}): Table {
  // With all digits, whatever a program reads otherwise.
  const rows = columnsOf(source, { ...options, timestamps: 'timestamp' }).column('[]');
  if (rows?.kind !== 'struct')
    throw new TypeError('A table needs an array of maps that is stored by column');
  const data = arrowData(rows.data(), rows.n);
  const schema = new Schema((data.type as Struct).children);
  return new Table(schema, new RecordBatch(schema, data as never));
}

/**
 * Packs the rows of a table as an array of maps, by column where that is smaller. Null is nil; integers
 * of 64 bits are integers, floats of 32 bits are floats of 64, and dictionaries are their values.
 *
 * @param options those of `Packr`; `columns` is on
 * @throws TypeError for columns of decimals, intervals, durations, times of day and floats of 16 bits
 * @example
 * unpack(fromArrow(table), { columns: true });
 */
export function fromArrow(table: Table, options: Options = {}): Packed {
  const names = table.schema.fields.map(({ name }) => name);
  const columns = names.map((_, i) => {
    const column = table.getChildAt(i);
    return column === null ? [] : valuesOf(column);
  });
  const rows = Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(names.map((name, i) => [name, columns[i]?.[row]])),
  );
  return new Packr({ useRecords: false, ...options, columns: true }).pack(rows);
}
