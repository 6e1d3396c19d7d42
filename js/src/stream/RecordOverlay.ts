import { FIRST_ID, FIRST_WIDE_ID, NO_IDS, type StructureTable } from '../record/structures.ts';
import { type Header, isFixExt } from '../wire/header.ts';
import * as M from '../wire/markers.ts';

/** What begins at a position while records are on. */
export type RecordStart =
  | { readonly kind: 'none' | 'malformed' | 'undefined' }
  | { readonly kind: 'incomplete'; readonly size: number }
  | { readonly kind: 'definition'; readonly index: number; readonly size: number }
  | { readonly kind: 'record'; readonly index: number; readonly size: number };

const NONE: RecordStart = { kind: 'none' };

/**
 * The structures of a decoder, and over them those that one message defines, for a scan that
 * reads no value: it needs the number of their keys only.
 */
export class RecordOverlay {
  readonly #table: StructureTable;
  readonly #own = new Map<number, number>();
  readonly #wide: Uint8Array;

  constructor(table: StructureTable) {
    this.#table = table;
    this.#wide = table.wide.slice();
  }

  /** Returns the number of keys of a structure; undefined if there is none of this index. */
  keyCount(index: number): number | undefined {
    return this.#own.get(index) ?? this.#table.slots[index]?.keys.length;
  }

  define(index: number, lead: number, keyCount: number, wide: boolean): void {
    this.#own.set(index, keyCount);
    if (lead >= FIRST_WIDE_ID) this.#wide[lead - FIRST_WIDE_ID] = wide ? 1 : 0;
  }

  /** Tells a record or a definition from other values, by the header at `p`. */
  start(view: DataView, p: number, end: number, header: Header): RecordStart {
    const t = view.getUint8(p);
    if (t < NO_IDS) return t < FIRST_ID ? NONE : this.#id(view, p, end, t);
    if (header.kind !== 'ext' || header.type !== M.EXT_RECORD) return NONE;
    if (!isFixExt(header)) return { kind: 'malformed' };
    const size = 2 + header.count;
    if (p + size > end) return { kind: 'incomplete', size };
    const lead = view.getUint8(p + 2);
    const high = size === 4 ? view.getUint8(p + 3) : 0;
    if (lead < (size === 4 ? FIRST_WIDE_ID : FIRST_ID) || lead >= NO_IDS || high === 0xff) return { kind: 'malformed' };
    return { kind: 'definition', index: lead - FIRST_ID + 32 * high, size };
  }

  #id(view: DataView, p: number, end: number, t: number): RecordStart {
    let index = t - FIRST_ID;
    let size = 1;
    if (t >= FIRST_WIDE_ID && this.#wide[t - FIRST_WIDE_ID] === 1) {
      if (p + 1 >= end) return { kind: 'incomplete', size: 2 };
      const high = view.getUint8(p + 1);
      index = high === 0xff ? -1 : index + 32 * high;
      size = 2;
    }
    if (this.keyCount(index) !== undefined) return { kind: 'record', index, size };
    return size === 2 ? { kind: 'undefined' } : NONE;
  }
}
