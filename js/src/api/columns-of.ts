import { ColumnsView } from '../columns/read/ColumnsView.ts';
import { openPayload } from '../columns/read/columns.ts';
import { explain } from '../decode/explain.ts';
import { DECODE_FEATURES, decoderFor } from '../decode/features.ts';
import { ExtData } from '../ext/extension.ts';
import { decodeConfig } from '../options/config.ts';
import type { UnpackrOptions } from '../options/options.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { bytesOf, type Source } from './Unpacking.ts';

/**
 * Opens a value that is stored by column: lists its columns, and reads those that are asked for. The
 * bytes must not change while the view is in use, as its arrays may be views of them.
 *
 * @param source a message of one columns value, or an ext of type 92 as `unpack` returns it without
 * the option `columns`
 * @param options those of reading: `maxExpansion` and other limits, `int64`, `timestamps`
 * @throws TypeError for any other source
 * @throws MsgpackDecodeError where the header or the directory is malformed
 * @example
 * const bytes = new Packr({ columns: true }).pack(rows);
 * columnsOf(bytes).columns.map(({ path }) => path); // ['', '[]', '[].id', '[].price']
 * columnsOf(bytes).column('[].price').values(); // Float64Array(1000) [ … ]
 */
export function columnsOf(source: Source | ExtData, options: UnpackrOptions = {}): ColumnsView {
  const isExt = source instanceof ExtData;
  const bytes = isExt ? source.data : bytesOf(source);
  const decoder = decoderFor(decodeConfig({ ...options, columns: true }), DECODE_FEATURES);
  decoder.open(bytes, 0, bytes.length);
  const { view, pos, end } = decoder;
  const header = newHeader();
  let start = pos;
  if (isExt) header.type = source.type;
  else if (readHeader(view, pos, end, header) && header.kind === 'ext') start += header.size;
  const isWhole = isExt || (start > pos && start + header.count === end);
  const version = start < end ? view.getUint8(start) : 1;
  if (!isWhole || header.type !== M.EXT_COLUMNS || version !== 1)
    throw new TypeError('The source must be one value that is stored by column');
  try {
    return new ColumnsView(openPayload(decoder, start, end - start, pos - decoder.base));
  } catch (error) {
    throw explain(error, decoder, bytes, 0, bytes.length);
  }
}
