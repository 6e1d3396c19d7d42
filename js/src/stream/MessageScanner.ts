import type { Decoder } from '../decode/Decoder.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import { FIRST_ID, FIRST_WIDE_ID, NO_IDS, type StructureTable } from '../record/structures.ts';
import { type Header, isFixExt, KINDS, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';

/** A definition whose keys are being skipped; `count` is -1 before their header. */
interface OpenDefinition {
  readonly index: number;
  readonly lead: number;
  readonly wide: boolean;
  readonly markerOffset: number;
  count: number;
}

/** The result of a scan: 'more' asks for more bytes, 'over' says that maxBuffer is exceeded. */
export type ScanResult = 'whole' | 'more' | 'fault' | 'over';

/**
 * Finds where a message ends that arrives in chunks, and reads no value: it counts the pending
 * elements and continues where it stopped. Faults are left to the decoder, which runs once
 * enough bytes have arrived. Offsets count from the first byte of the message.
 */
export class MessageScanner {
  /** Offset at which it stopped. */
  pos = 0;
  /** Minimum size of the message in bytes, by what was announced. */
  need = 1;
  /** For 'over': the offset of the marker of the value that announces too much. */
  markerOffset = 0;
  /** For 'over': whether its elements are too many, which is checked after the depth. */
  overByElements = false;
  #pending = 1;
  #keysLeft = -1;
  #defining: OpenDefinition | null = null;
  #bundled = false;
  readonly #header = newHeader();
  readonly #records: RecordOverlay | null;
  readonly #decoder: Decoder;
  readonly #maxBuffer: number;
  /** Whether strings may be bundled, the keys of definitions included. */
  readonly #bundles: boolean;

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
    decoder.syncShared();
    this.#maxBuffer = decoder.config.maxBuffer;
    this.#bundles = decoder.config.bundleStrings;
    this.#records = decoder.config.records ? new RecordOverlay(decoder.structures as StructureTable) : null;
  }

  /** The error of a value that announces too much, for 'over'. */
  tooLarge(): MsgpackDecodeError {
    const { pos, base, config } = this.#decoder;
    const detail = `maxBuffer is ${config.maxBuffer}`;
    return new MsgpackDecodeError('length_limit', pos - base + this.markerOffset, { detail });
  }

  /** Continues the scan of the message, or of the definition alone, that begins at the decoder's position. */
  scan(isDefinition = false): ScanResult {
    const { view, pos: start, end } = this.#decoder;
    const header = this.#header;
    if (start + this.need > end) return 'more';
    while (this.#pending > 0 || this.#defining !== null) {
      const p = start + this.pos;
      if (p >= end) return 'more';
      const marker = view.getUint8(p);
      if (this.#defining !== null && !this.#isExpected(marker)) return 'fault';
      if (KINDS[marker] === 'reserved' && !this.#bundled) return 'fault';
      if (this.pos + (M.HEADER_SIZE[marker] as number) > this.#maxBuffer) return this.#over(this.pos);
      if (!readHeader(view, p, end, header)) return 'more';
      const step = this.#defining === null ? this.#value(view, p, end) : this.#definition();
      if (isDefinition && this.#defining === null && step !== 'over') return 'whole';
      if (step !== 'whole') return step;
    }
    return 'whole';
  }

  #value(view: DataView, p: number, end: number): ScanResult {
    const header = this.#header;
    if (this.#records !== null) {
      const found = this.#records.start(view, p, end, header);
      // The size includes the id after the header of a definition, and an id's second byte.
      if ('size' in found && this.pos + found.size > this.#maxBuffer) return this.#over(this.pos);
      if (found.kind === 'incomplete') return 'more';
      if (found.kind === 'malformed' || found.kind === 'undefined') return 'fault';
      if (found.kind === 'record')
        return this.#announce(this.pos, found.size, (this.#records.keyCount(found.index) as number) - 1);
      if (found.kind === 'definition') {
        const lead = view.getUint8(p + 2);
        this.#defining = {
          index: found.index,
          lead,
          wide: found.size === 4,
          markerOffset: this.pos,
          count: -1,
        };
        this.pos += found.size;
        return 'whole';
      }
    }
    const { kind, size, count } = header;
    if (kind === 'array') return this.#announce(this.pos, size, count - 1);
    if (kind === 'map') return this.#announce(this.pos, size, count * 2 - 1);
    if (kind === 'reserved') {
      this.pos += size;
      return 'whole';
    }
    return this.#payload(end, p);
  }

  /** Adds the elements that a container announces, less the container itself. */
  #announce(markerOffset: number, size: number, more: number): ScanResult {
    this.pos += size;
    this.#pending += more;
    this.need = Math.max(this.need, this.pos + this.#pending);
    if (this.pos + this.#pending > this.#maxBuffer) {
      this.overByElements = true;
      return this.#over(markerOffset);
    }
    // As the decoder, it continues only when the bytes can hold what was announced.
    return this.#decoder.pos + this.need > this.#decoder.end ? 'more' : 'whole';
  }

  #over(markerOffset: number): ScanResult {
    this.markerOffset = markerOffset;
    return 'over';
  }

  #payload(end: number, p: number): ScanResult {
    const { kind, size, count, type } = this.#header;
    const after = this.pos + size + count;
    if (after > this.#maxBuffer) return this.#over(this.pos);
    if (p + size + count > end) {
      this.need = Math.max(this.need, after);
      return 'more';
    }
    this.pos = after;
    if (kind === 'ext' && this.#follows(type, count)) {
      if (type === M.EXT_BUNDLE) this.#bundle();
    } else this.#pending--;
    return 'whole';
  }

  #follows(type: number, count: number): boolean {
    return this.#decoder.features.extensions?.valueFollows(this.#decoder, type, count) ?? false;
  }

  /** Counts the two strings after the message that belong to the first bundle. */
  #bundle(): void {
    if (!this.#bundled) this.#pending += 2;
    this.#bundled = true;
  }

  /** Whether a marker is that of a list of keys or of a key, where one has to follow. */
  #isExpected(t: number): boolean {
    if ((this.#defining as OpenDefinition).count < 0) return M.isArray(t);
    return M.isStr(t) || this.#bundles;
  }

  /** Skips the list of keys of a definition, or one of the keys, which are not values. */
  #definition(): ScanResult {
    const { kind, size, count } = this.#header;
    const defining = this.#defining as OpenDefinition;
    if (defining.count < 0) {
      if (kind !== 'array' || count > this.#decoder.config.maxRecordKeys) return 'fault';
      defining.count = count;
      this.#keysLeft = count;
      const markerOffset = this.pos;
      this.pos += size;
      this.need = Math.max(this.need, this.pos + this.#pending - 1 + count);
      if (this.pos + this.#pending - 1 + count > this.#maxBuffer) return this.#over(markerOffset);
      if (count > 0) return this.#decoder.pos + this.need > this.#decoder.end ? 'more' : 'whole';
    } else {
      const result = this.#key();
      if (result !== 'whole') return result;
    }
    if (this.#keysLeft > 0) return 'whole';
    this.#records?.define(defining.index, defining.lead, defining.count, defining.wide);
    this.#defining = null;
    return this.#announce(defining.markerOffset, 0, defining.count - 1);
  }

  #key(): ScanResult {
    const { kind, size, count, type } = this.#header;
    // With bundled strings a key is c1 and a number of characters, possibly after the ext.
    if (kind === 'reserved' && this.#bundled) {
      this.pos += size;
      return 'whole';
    }
    const begins = kind === 'ext' && type === M.EXT_BUNDLE && this.#follows(type, count);
    if (kind !== 'str' && !begins && !(kind === 'integer' && this.#bundled)) return 'fault';
    const after = this.pos + size + count;
    if (after > this.#maxBuffer) return this.#over(this.pos);
    if (this.#decoder.pos + after > this.#decoder.end) {
      this.need = Math.max(this.need, after);
      return 'more';
    }
    this.pos = after;
    if (begins) this.#bundle();
    else this.#keysLeft--;
    return 'whole';
  }
}

/** What begins at a position while records are on. */
type RecordStart =
  | { readonly kind: 'none' | 'malformed' | 'undefined' }
  | { readonly kind: 'incomplete'; readonly size: number }
  | { readonly kind: 'definition'; readonly index: number; readonly size: number }
  | { readonly kind: 'record'; readonly index: number; readonly size: number };

const NONE: RecordStart = { kind: 'none' };

/**
 * The structures of a decoder, and over them those that one message defines, for a scan that
 * reads no value: it needs the number of their keys only.
 */
class RecordOverlay {
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
