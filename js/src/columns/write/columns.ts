/** Writing values by column, in ext type 92 (spec/columns.md section 6). */

import type { EncodeFeatures } from '../../encode/EncodeFeatures.ts';
import { ColumnEncoder } from './ColumnEncoder.ts';

/**
 * `columns`: stores containers by column.
 *
 * @example
 * new Packr({ columns }).pack(rows);
 */
export const columns: EncodeFeatures = {
  writeColumns: {
    newWriter(encoder, features) {
      const { canonical, structuredClone, bundleStrings, chooseRecord } = encoder.config;
      // What these write refers to other values of the message, or depends on the objects.
      const without = canonical || structuredClone || bundleStrings || chooseRecord !== undefined;
      return without ? null : new ColumnEncoder(encoder, features);
    },
  },
};
