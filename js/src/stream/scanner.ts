import type { Reader } from '../decode/reader.ts';
import { RecordOverlay } from '../record/overlay.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';

/** A definition whose keys are being counted; `count` is -1 before their header. */
interface Definition {
  readonly index: number;
  readonly lead: number;
  readonly wide: boolean;
  /** Where it begins. */
  readonly marker: number;
  count: number;
}

/** What a scan came to. */
export type ScanResult = 'whole' | 'more' | 'fault' | 'over';

/**
 * Finds the end of a message that comes in pieces, without reading it: it counts the
 * elements that are still to come and goes on where it stopped. Faults are left to the
 * reader, which is asked once enough bytes are there.
 */
export class Scanner {
  /** Where it stopped, from the message's first byte. */
  pos = 0;
  /** Bytes that the message has at least, by what was announced. */
  need = 1;
  /** For 'over': the marker of the value that announces too much. */
  marker = 0;
  /** And whether its elements do, which are looked at behind the depth, not its header. */
  overByElements = false;
  #pending = 1;
  #keysLeft = -1;
  #defining: Definition | null = null;
  #bundled = false;
  readonly #header = newHeader();
  readonly #records: RecordOverlay<number> | null;
  readonly #reader: Reader;
  readonly #maxBuffer: number;
  /** Whether strings may be bundled, keys of definitions among them. */
  readonly #bundles: boolean;

  constructor(reader: Reader) {
    this.#reader = reader;
    reader.syncShared();
    this.#maxBuffer = reader.config.maxBuffer;
    this.#bundles = reader.config.bundleStrings;
    this.#records = reader.config.records
      ? new RecordOverlay(reader.structures, (keys) => keys.length)
      : null;
  }

  /** Goes on over a message that begins at the reader's position. */
  scan(): ScanResult {
    const { view, pos: start, end } = this.#reader;
    const header = this.#header;
    if (start + this.need > end) return 'more';
    while (this.#pending > 0 || this.#defining !== null) {
      const p = start + this.pos;
      if (p >= end) return 'more';
      const marker = view.getUint8(p);
      if (this.#defining !== null && !this.#isExpected(marker)) return 'fault';
      if (marker === M.RESERVED && !this.#bundled) return 'fault';
      if (this.pos + (M.HEADER_SIZE[marker] as number) > this.#maxBuffer)
        return this.#over(this.pos);
      if (!readHeader(view, p, end, header)) return 'more';
      const step = this.#defining === null ? this.#value(view, p, end) : this.#definition();
      if (step !== 'whole') return step;
    }
    return 'whole';
  }

  #value(view: DataView, p: number, end: number): ScanResult {
    const header = this.#header;
    if (this.#records !== null) {
      const found = this.#records.start(view, p, end, header);
      // Ids follow the header of a definition, and the first byte of an id of two.
      if ('size' in found && this.pos + found.size > this.#maxBuffer) return this.#over(this.pos);
      if (found.kind === 'incomplete') return 'more';
      if (found.kind === 'malformed' || found.kind === 'undefined') return 'fault';
      if (found.kind === 'record')
        return this.#announce(
          this.pos,
          found.size,
          (this.#records.structure(found.index) as number) - 1,
        );
      if (found.kind === 'definition') {
        const lead = view.getUint8(p + 2);
        this.#defining = {
          index: found.index,
          lead,
          wide: found.size === 4,
          marker: this.pos,
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
    if (kind === 'scalar') {
      this.pos += size;
      this.#pending--;
      return 'whole';
    }
    return this.#payload(end, p);
  }

  /** A container that brings `more` elements; the value itself is among those that were pending. */
  #announce(marker: number, size: number, more: number): ScanResult {
    this.pos += size;
    this.#pending += more;
    this.need = Math.max(this.need, this.pos + this.#pending);
    if (this.pos + this.#pending > this.#maxBuffer) {
      this.overByElements = true;
      return this.#over(marker);
    }
    // As the reader does, it goes on only when what was announced can be there.
    return this.#reader.pos + this.need > this.#reader.end ? 'more' : 'whole';
  }

  #over(marker: number): ScanResult {
    this.marker = marker;
    return 'over';
  }

  #payload(end: number, p: number): ScanResult {
    const { kind, size, count, type } = this.#header;
    const behind = this.pos + size + count;
    if (behind > this.#maxBuffer) return this.#over(this.pos);
    if (p + size + count > end) {
      this.need = Math.max(this.need, behind);
      return 'more';
    }
    this.pos = behind;
    if (kind === 'ext' && this.#reader.valueFollows(type, count)) {
      if (type === M.EXT_BUNDLE) this.#bundle();
    } else this.#pending--;
    return 'whole';
  }

  /** The first bundle has two strings behind the message. */
  #bundle(): void {
    if (!this.#bundled) this.#pending += 2;
    this.#bundled = true;
  }

  /** Whether a marker is that of a list of keys or of a key, where one has to come. */
  #isExpected(t: number): boolean {
    if ((this.#defining as Definition).count < 0)
      return (t >= 0x90 && t < 0xa0) || t === M.ARRAY16 || t === M.ARRAY32;
    return (t >= 0xa0 && t < 0xc0) || (t >= M.STR8 && t <= M.STR32) || this.#bundles;
  }

  /** The list of keys of a definition, which are no values. */
  #definition(): ScanResult {
    const { kind, size, count } = this.#header;
    const defining = this.#defining as Definition;
    if (defining.count < 0) {
      if (kind !== 'array' || count > this.#reader.config.maxRecordKeys) return 'fault';
      defining.count = count;
      this.#keysLeft = count;
      const marker = this.pos;
      this.pos += size;
      this.need = Math.max(this.need, this.pos + this.#pending - 1 + count);
      if (this.pos + this.#pending - 1 + count > this.#maxBuffer) return this.#over(marker);
      if (count > 0) return this.#reader.pos + this.need > this.#reader.end ? 'more' : 'whole';
    } else {
      const result = this.#key();
      if (result !== 'whole') return result;
    }
    if (this.#keysLeft > 0) return 'whole';
    this.#records?.define(defining.index, defining.lead, defining.count, defining.wide);
    this.#defining = null;
    return this.#announce(defining.marker, 0, defining.count - 1);
  }

  #key(): ScanResult {
    const { kind, size, count, type } = this.#header;
    // With bundled strings a key is c1 and a number of characters, perhaps behind the ext.
    if (kind === 'reserved' && this.#bundled) {
      this.pos += size;
      return 'whole';
    }
    const begins =
      kind === 'ext' && type === M.EXT_BUNDLE && this.#reader.valueFollows(type, count);
    if (kind !== 'str' && !begins && !(kind === 'scalar' && this.#bundled)) return 'fault';
    const behind = this.pos + size + count;
    if (behind > this.#maxBuffer) return this.#over(this.pos);
    if (this.#reader.pos + behind > this.#reader.end) {
      this.need = Math.max(this.need, behind);
      return 'more';
    }
    this.pos = behind;
    if (begins) this.#bundle();
    else this.#keysLeft--;
    return 'whole';
  }
}
