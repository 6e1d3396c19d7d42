/**
 * `packord/columns`: values that are stored by column (spec/columns.md), and access to their columns.
 *
 * @example
 * import { Packr } from 'packord';
 * import { columns, columnsOf } from 'packord/columns';
 * const bytes = new Packr({ columns }).pack(rows);
 * columnsOf(bytes).column('[].price').values(); // Float64Array(1000) [ … ]
 */

import { columns as reading } from '../columns/read/columns.ts';
import { columns as writing } from '../columns/write/columns.ts';
import type { Feature } from '../options/options.ts';

export { columnsOf } from '../api/columns-of.ts';
export { type ColumnKind, ColumnsView, ColumnView } from '../columns/read/ColumnsView.ts';
export type { ColumnData } from '../columns/read/column-data.ts';

/** The value of the option `columns`. */
export const columns: Feature = /* @__PURE__ */ Object.assign({}, reading, writing);
