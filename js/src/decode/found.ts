import { ExtData } from '../ext/extension.ts';
import { isRich } from '../ext/rich.ts';
import { FIRST_ID, FIRST_WIDE_ID, NO_IDS } from '../record/structures.ts';
import { type MarkerKind, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import type { DecoderState } from './DecoderState.ts';

/** What errors call the type of a value (spec/errors.md section 3). */
export type Found = Exclude<MarkerKind, 'reserved'> | 'timestamp';

/** Returns the type of the value at a position by its header; undefined where that is cut off, or reserved. */
export function foundAt(decoder: DecoderState, markerOffset: number): Found | undefined {
  const header = newHeader();
  if (!readHeader(decoder.view, markerOffset, decoder.end, header)) return undefined;
  const { kind, type } = header;
  switch (kind) {
    case 'reserved':
      return undefined;
    case 'ext':
      if (type === M.EXT_RECORD && decoder.fix !== NO_IDS) return 'map';
      return type === M.EXT_TIMESTAMP ? 'timestamp' : 'ext';
    case 'integer':
      return isRecord(decoder, decoder.src[markerOffset] as number) ? 'map' : 'integer';
    default:
      return kind;
  }
}

/** Whether a marker is the id of a record, or the first byte of one. */
function isRecord({ fix, structures }: DecoderState, t: number): boolean {
  if (t < fix || t >= NO_IDS || structures === null) return false;
  return structures.slots[t - FIRST_ID] !== undefined || structures.wide[t - FIRST_WIDE_ID] === 1;
}

export function foundIn(value: unknown): Found {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float';
    case 'string':
      return 'str';
  }
  if (value === null || value === undefined) return 'nil';
  if (value instanceof Uint8Array) return 'bin';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ExtData || value instanceof Set || isRich(value)) return 'ext';
  return value instanceof Date ? 'timestamp' : 'map';
}

/** Makes the error of a value at a position that is of another type than expected. */
export function mismatch(decoder: DecoderState, markerOffset: number, expected: string): unknown {
  const found = foundAt(decoder, markerOffset);
  return decoder.fail('type_mismatch', markerOffset, `expected ${expected}, found ${found}`);
}

/** Whether a value of a type at a position may be read as one of another: by an extension, or by an option. */
export function isConverted(decoder: DecoderState, found: Found, markerOffset: number): boolean {
  const { config, view, end } = decoder;
  switch (found) {
    case 'integer':
      return config.int64 === 'string';
    case 'str':
      return config.rawStrings || config.utf8 === 'raw';
    case 'timestamp':
      return config.extensions.ofType(M.EXT_TIMESTAMP) !== undefined;
    case 'ext': {
      if (config.moreTypes || config.bigInts || config.columns) return true;
      const header = newHeader();
      readHeader(view, markerOffset, end, header);
      return header.type === M.EXT_UNDEFINED || config.extensions.ofType(header.type) !== undefined;
    }
    default:
      return false;
  }
}
