/**
 * `packord/arrow`: columns as tables of Apache Arrow, and back. It needs the package `apache-arrow`.
 *
 * @example
 * import { fromArrow, toArrow } from 'packord/arrow';
 * const table = toArrow(new Packr({ columns }).pack(rows));
 * const bytes = fromArrow(table);
 */
import { type Data, DataType, RecordBatch, Schema, Table } from 'apache-arrow';
import { columnsOf } from '../api/columns-of.ts';
import { Packr } from '../api/Packr.ts';
import type { Source } from '../api/Unpacking.ts';
import { Unpackr } from '../api/Unpackr.ts';
import { valuesOf } from '../arrow/from-arrow.ts';
import { arrowData } from '../arrow/to-arrow.ts';
import { dataOfValues, isMap } from '../arrow/values.ts';
import { ExtData } from '../ext/extension.ts';
import type { Options, UnpackrOptions } from '../options/options.ts';
import * as M from '../wire/markers.ts';
import type { Packed } from '../wire/platform.ts';
import { columns as columnsFeature } from './columns.ts';

/**
 * Returns an array of maps as a table. Both nil and a missing key are null. Where the rows are stored by
 * column, numbers can be used in place: the bytes must not change.
 *
 * @throws TypeError where the value is not an array of maps
 * @throws MsgpackDecodeError for malformed bytes
 * @example
 * toArrow(bytes).getChild('price').get(0);
 */
export function toArrow(source: Source | ExtData, options: UnpackrOptions = {}): Table {
  // With all digits, whatever a program reads otherwise.
  const exact = { ...options, timestamps: 'timestamp', columns: columnsFeature } as const;
  const whole = isExt(source) ? source : new Unpackr({ ...exact, columns: false }).unpack(source);
  const isColumns = isExt(whole) && whole.type === M.EXT_COLUMNS;
  const rows = isColumns ? columnsOf(source, exact).column('[]') : undefined;
  if (rows?.kind === 'struct') return tableOf(arrowData(rows.data(), rows.n));
  const values = isColumns || isExt(source) ? rows?.values() : new Unpackr(exact).unpack(source);
  if (!Array.isArray(values) || !values.every(isMap)) throw new TypeError('A table needs an array of maps');
  return values.length === 0 ? new Table() : tableOf(arrowData(dataOfValues(values), values.length));
}

function isExt(value: unknown): value is ExtData {
  return value instanceof ExtData;
}

function tableOf(data: Data): Table {
  if (!DataType.isStruct(data.type)) throw new TypeError('The keys of the rows of a table are strings');
  const schema = new Schema(data.type.children);
  return new Table(schema, new RecordBatch(schema, data as never));
}

/**
 * Packs the rows of a table as an array of maps, by column where that is smaller. Null is nil; integers
 * of 64 bits are integers, floats of 32 bits are floats of 64, and dictionaries are their values.
 *
 * @param options those of `Packr`; `columns` is on
 * @throws TypeError for columns of decimals, intervals, durations, times of day and floats of 16 bits
 * @example
 * unpack(fromArrow(table), { columns });
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
  return new Packr({ ...options, columns: columnsFeature }).pack(rows);
}
