import type { DecodeConfig } from '../api/decode-config.ts';
import { type ErrorKind, MsgpackDecodeError } from '../errors/errors.ts';
import type { BundledStrings } from '../ext/bundle.ts';
import { C1 } from '../ext/c1.ts';
import { readExt, valueFollows } from '../ext/read.ts';
import { readDefinition } from '../record/definition.ts';
import { FIRST_ID, FIRST_WIDE_ID, type Structure, StructureTable } from '../record/structures.ts';
import { SHORT_ASCII, shortAscii } from '../wire/ascii.ts';
import * as M from '../wire/markers.ts';
import { byteText } from '../wire/platform.ts';
import { beginsWide, decodeLong, decodeShort, invalidAt, SHORT_MAX } from '../wire/utf8.ts';
import { readArray } from './arrays.ts';
import { readKeyText } from './keys.ts';
import { readObject, readRecord, setField } from './objects.ts';

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);
const NO_VIEW = /* @__PURE__ */ new DataView(NO_BYTES.buffer);

/** Buffers up to this size are kept between calls, with the views of them. */
const KEEP_BUFFER = 1 << 16;
/** Most bytes that one slice of ASCII covers, and so what one kept string can hold on to. */
const WINDOW = 1 << 14;
/** Short strings, the first in some bytes, for which no slice is taken. */
const SHORT_STRINGS = 4;
/** Longer strings don't begin a slice of ASCII: the platform makes them as fast. */
const CHECK_MAX = 192;

const ASCII: readonly string[] = /* @__PURE__ */ Array.from({ length: 128 }, (_, i) =>
  String.fromCharCode(i),
);

/** Thrown, without the cost of a stack trace, where a stream has to wait for more bytes. */
export const INCOMPLETE: unique symbol = Symbol('incomplete');

/**
 * Reads one message at a time from bytes in memory (spec/format.md section 5). All state
 * is here, so that several can be at work at once.
 *
 * Positions count in the whole ArrayBuffer: a buffer that comes again needs no new views.
 */
export class Reader {
  readonly config: DecodeConfig;
  src: Uint8Array = NO_BYTES;
  view: DataView = NO_VIEW;
  /** What the caller gave; bytes that are handed out are views of it. */
  source: Uint8Array = NO_BYTES;
  /** The position of offset 0. */
  base = 0;
  pos = 0;
  end = 0;
  /** Elements that open containers announced and that come behind the current value. */
  pending = 0;
  depth = 0;
  /** Bytes below are integers: 0x80, or 0x40 while records are on. */
  fix: number;
  /** Elements of arrays below are taken at once: as `fix`, or 0 when each value is looked at. */
  inline: number;
  maxDepth: number;
  /** Whether generated readers may be used: no option asks to look at every value. */
  fast = true;
  /** Whether the end of the bytes is the end of what came so far, not of the input. */
  partial = false;
  structures: StructureTable;
  /** Whether definitions stay until the next message without it. */
  hold = false;
  /** Objects of a structured clone by their id. */
  references: Map<number, unknown> | null = null;
  bundle: BundledStrings | null = null;
  #buffer: ArrayBufferLike = NO_BYTES.buffer;
  #latin = '';
  #latinStart = 0;
  #latinEnd = 0;
  #loaded = false;
  /** Unsigned integers of 64 bits whose upper half is below are numbers, and exact. */
  readonly safeHigh: number;
  /** Strings of the bytes that are still made one by one before a slice is taken. */
  #shortLeft = 0;

  constructor(config: DecodeConfig, structures?: StructureTable) {
    this.config = config;
    this.structures = structures ?? new StructureTable();
    this.fix = config.records ? FIRST_ID : 0x80;
    this.inline = this.fix;
    this.maxDepth = config.maxDepth;
    this.safeHigh = config.int64 === 'auto' || config.int64 === 'number' ? 0x200000 : 0;
  }

  /** Makes ready to read messages between two offsets of some bytes. */
  open(source: Uint8Array, start: number, end: number): void {
    if (source !== this.source) {
      // In V8 asking for the buffer takes longer than reading a small message.
      const { buffer } = source;
      if (buffer !== this.#buffer) {
        this.#buffer = buffer;
        this.src = new Uint8Array(buffer);
        this.view = new DataView(buffer);
      }
      this.source = source;
      this.base = source.byteOffset;
    }
    this.pos = this.base + start;
    this.end = this.base + end;
    this.#latinEnd = 0;
    this.#shortLeft = SHORT_STRINGS;
  }

  /** Goes to another place of the bytes that are open; more of them may have come. */
  seek(start: number, end: number): void {
    this.pos = this.base + start;
    this.end = this.base + end;
  }

  /** Lets go of the bytes, unless they are few. */
  close(): void {
    if (this.hold) {
      this.hold = false;
      this.structures.rollback();
    }
    this.#latin = '';
    this.#latinEnd = 0;
    if (this.src.length > KEEP_BUFFER) {
      this.source = NO_BYTES;
      this.src = NO_BYTES;
      this.view = NO_VIEW;
      this.#buffer = NO_BYTES.buffer;
    }
  }

  /**
   * Reads the next message; the position is behind it afterwards. With `alone`, bytes
   * behind it are an error.
   */
  message(alone = false): unknown {
    this.pending = 0;
    this.depth = 0;
    this.#loaded = false;
    const { config } = this;
    if (config.sharedList !== null) this.syncShared();
    let done = false;
    try {
      const value = this.read();
      if (this.bundle !== null) this.pos = this.bundle.end;
      if (alone && this.pos !== this.end) throw this.fail('trailing_bytes', this.pos);
      done = true;
      return value;
    } finally {
      this.references = null;
      this.bundle = null;
      if (!done) this.structures.rollback();
      else if (config.sequential) this.structures.commit();
      else if (!this.hold) this.structures.rollback();
    }
  }

  /** Takes over what the shared list got since the last message. */
  syncShared(): void {
    if (this.config.sharedList !== null) this.structures.sync(this.config.sharedList());
  }

  /** An error at a position of the bytes. */
  fail(kind: ErrorKind, at: number, detail?: string, cause?: unknown): unknown {
    return new MsgpackDecodeError(kind, at - this.base, {
      ...(detail === undefined ? {} : { detail }),
      cause,
    });
  }

  /** The error for bytes that end too soon. */
  eof(): unknown {
    return this.partial ? INCOMPLETE : this.fail('eof', this.end);
  }

  /** Checks what stands before the elements of an array, of `count` elements. */
  openArray(count: number, at: number): void {
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', at);
    if (this.pending + count > this.end - this.pos) throw this.eof();
  }

  /** As {@link openArray}, for the entries of a map. */
  openMap(count: number, at: number): void {
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', at);
    if (this.pending + count * 2 > this.end - this.pos) throw this.eof();
  }

  /** As {@link openArray}, for a record whose structure is known. */
  openRecord(count: number, at: number): void {
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', at);
    if (this.pending + count > this.end - this.pos) throw this.eof();
  }

  /** Reads any value. `pending` is what comes behind it. */
  read(): unknown {
    const at = this.pos;
    if (at >= this.end) throw this.eof();
    const t = this.src[at] as number;
    this.pos = at + 1;
    if (t < 0x80) return t < this.fix ? t : this.#recordOrInteger(t, at);
    if (t < 0x90) return this.#map(t & 0x0f, at);
    if (t < 0xa0) return readArray(this, t & 0x0f, at);
    if (t < 0xc0) return this.text(t & 0x1f);
    if (t >= 0xe0) return t - 0x100;
    return this.#wide(t, at);
  }

  /** The markers from c0 to df. */
  #wide(t: number, at: number): unknown {
    const p = at + 1;
    // Wide enough for every header: the exact size counts near the end only.
    if (at + 9 > this.end && t !== M.RESERVED && at + (M.HEADER_SIZE[t] as number) > this.end)
      throw this.eof();
    const { src, view } = this;
    switch (t) {
      case M.FLOAT64:
        this.pos = at + 9;
        return view.getFloat64(p);
      case M.UINT8:
        this.pos = at + 2;
        return src[p];
      case M.UINT16:
        this.pos = at + 3;
        return ((src[p] as number) << 8) | (src[p + 1] as number);
      case M.UINT32:
        this.pos = at + 5;
        return view.getUint32(p);
      case M.NIL:
        return null;
      case M.FALSE:
        return false;
      case M.TRUE:
        return true;
      case M.STR8:
        this.pos = at + 2;
        return this.text(src[p] as number);
      case M.STR16:
        this.pos = at + 3;
        return this.text(view.getUint16(p));
      case M.INT8:
        this.pos = at + 2;
        return ((src[p] as number) << 24) >> 24;
      case M.INT16:
        this.pos = at + 3;
        return view.getInt16(p);
      case M.INT32:
        this.pos = at + 5;
        return view.getInt32(p);
      case M.ARRAY16:
        this.pos = at + 3;
        return readArray(this, view.getUint16(p), at);
      case M.MAP16:
        this.pos = at + 3;
        return this.#map(view.getUint16(p), at);
      case M.UINT64: {
        this.pos = at + 9;
        const high = view.getUint32(p);
        const low = view.getUint32(p + 4);
        return high < this.safeHigh ? high * 0x100000000 + low : this.#int64(high, low);
      }
      default:
        this.pos = at + (M.HEADER_SIZE[t] as number);
        return this.#rare(t, at);
    }
  }

  #rare(t: number, at: number): unknown {
    const p = at + 1;
    const { src, view } = this;
    switch (t) {
      case M.RESERVED:
        return this.#reserved(at);
      case M.INT64:
        return this.#int64(view.getInt32(p), view.getUint32(p + 4));
      case M.FLOAT32: {
        const value = view.getFloat32(p);
        return this.config.roundFloat32 === null ? value : this.config.roundFloat32(value);
      }
      case M.BIN8:
        return this.#bin(src[p] as number);
      case M.BIN16:
        return this.#bin(view.getUint16(p));
      case M.BIN32:
        return this.#bin(view.getUint32(p));
      case M.EXT8:
        return readExt(this, view.getInt8(p + 1), src[p] as number, at);
      case M.EXT16:
        return readExt(this, view.getInt8(p + 2), view.getUint16(p), at);
      case M.EXT32:
        return readExt(this, view.getInt8(p + 4), view.getUint32(p), at);
      case M.FIXEXT1:
      case M.FIXEXT2:
        if (src[p] === M.EXT_RECORD && this.fix !== 0x80)
          return this.recordValues(readDefinition(this, t, at));
        return readExt(this, view.getInt8(p), t - M.FIXEXT1 + 1, at);
      case M.FIXEXT4:
        return readExt(this, view.getInt8(p), 4, at);
      case M.FIXEXT8:
        return readExt(this, view.getInt8(p), 8, at);
      case M.FIXEXT16:
        return readExt(this, view.getInt8(p), 16, at);
      case M.STR32:
        return this.text(view.getUint32(p));
      case M.ARRAY32:
        return readArray(this, view.getUint32(p), at);
      default:
        return this.#map(view.getUint32(p), at);
    }
  }

  #reserved(at: number): unknown {
    if (this.bundle === null) {
      if (this.config.compatible) return C1;
      throw this.fail('reserved_marker', at);
    }
    const text = this.bundle.take(this.read());
    if (text === undefined) throw this.fail('invalid_ext', at);
    return text;
  }

  #int64(high: number, low: number): number | bigint | string {
    const { int64 } = this.config;
    const value = high * 0x100000000 + low;
    if (int64 === 'number' || (int64 === 'auto' && Number.isSafeInteger(value))) return value;
    const exact = (BigInt(high) << 32n) | BigInt(low);
    return int64 === 'string' ? exact.toString() : exact;
  }

  #bin(length: number): Uint8Array {
    const start = this.pos - this.base;
    if (this.pos + length > this.end) throw this.eof();
    this.pos += length;
    return this.bytes(start, start + length);
  }

  /** Bytes of the input, given by offsets, for the caller to keep. */
  bytes(start: number, end: number): Uint8Array {
    return this.config.copyBuffers
      ? Uint8Array.prototype.slice.call(this.source, start, end)
      : this.source.subarray(start, end);
  }

  /** The str whose payload of `length` bytes lies at the position. */
  text(length: number): string | Uint8Array {
    const start = this.pos;
    this.pos = start + length;
    return this.textAt(start, length);
  }

  /** The str whose payload of `length` bytes lies at a position. */
  textAt(start: number, length: number): string | Uint8Array {
    // Small, so that engines put it into the readers that call it.
    const end = start + length;
    return start >= this.#latinStart && end <= this.#latinEnd && this.#isAscii(start, end)
      ? this.#latin.substring(start - this.#latinStart, end - this.#latinStart)
      : this.#otherText(start, end);
  }

  #isAscii(start: number, end: number): boolean {
    let bits = 0;
    if (end - start < 4) {
      for (let p = start; p < end; p++) bits |= this.src[p] as number;
      return bits < 0x80;
    }
    // The last four bytes first: those before them are taken by fours, the rest twice.
    const { view } = this;
    const last = end - 4;
    bits = view.getInt32(start, true) | view.getInt32(last, true);
    // Text of other scripts is seen at its beginning most often.
    if ((bits & 0x80808080) !== 0) return false;
    for (let p = start + 4; p < last; p += 4) bits |= view.getInt32(p, true);
    return (bits & 0x80808080) === 0;
  }

  /** Text that is not ASCII or not in the slice that was taken last. */
  #otherText(start: number, end: number): string | Uint8Array {
    if (end > this.end) throw this.eof();
    const { src, config } = this;
    const length = end - start;
    if (config.rawStrings)
      return length === 0 ? NO_BYTES : this.bytes(start - this.base, end - this.base);
    if (length < 2) {
      if (length === 0) return '';
      const c = src[start] as number;
      if (c < 0x80) return ASCII[c] as string;
    }
    if (length > CHECK_MAX && !(length <= SHORT_MAX && beginsWide(src, start)))
      return decodeLong(src, start, end) ?? this.#illFormed(start, end);
    if (end <= this.#latinEnd || !this.#isAscii(start, end)) return this.#nonAscii(start, end);
    if (length <= SHORT_ASCII && this.#shortLeft > 0) {
      this.#shortLeft--;
      return shortAscii(src, start, length);
    }
    if (!config.sliceStrings) return byteText(src, start, end);
    this.#latinStart = start;
    this.#latinEnd = Math.min(this.end, start + WINDOW);
    this.#latin = byteText(src, start, this.#latinEnd);
    return this.#latin.substring(0, length);
  }

  #nonAscii(start: number, end: number): string | Uint8Array {
    const text =
      end - start <= SHORT_MAX
        ? decodeShort(this.src, start, end)
        : decodeLong(this.src, start, end);
    return text ?? this.#illFormed(start, end);
  }

  #illFormed(start: number, end: number): string | Uint8Array {
    const { utf8 } = this.config;
    if (utf8 === 'raw') return this.bytes(start - this.base, end - this.base);
    if (utf8 === 'error') throw this.fail('invalid_utf8', invalidAt(this.src, start, end));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.src.subarray(start, end));
  }

  #map(count: number, at: number): unknown {
    this.openMap(count, at);
    const { mapsAsObjects, emptyMapAsObject } = this.config;
    const asObject = mapsAsObjects || (count === 0 && emptyMapAsObject);
    const map = asObject ? this.object(count) : this.entries(count);
    this.depth--;
    return this.config.freezeData ? Object.freeze(map) : map;
  }

  /** The entries of a map as an object. */
  object(count: number): object {
    return count === 0 ? {} : readObject(this, count);
  }

  /** The entries of a map as a Map. */
  entries(count: number): Map<unknown, unknown> {
    const outer = this.pending;
    const map = new Map<unknown, unknown>();
    for (let rest = count * 2; rest > 0; rest -= 2) {
      this.pending = outer + rest - 1;
      const key = this.read();
      this.pending = outer + rest - 2;
      map.set(key, this.read());
    }
    return map;
  }

  /** The key of an entry that goes into an object. */
  key(): string | number {
    const at = this.pos;
    if (at >= this.end) throw this.eof();
    const t = this.src[at] as number;
    const { keyDecoder } = this.config;
    let key: unknown;
    if (t >= 0xa0 && t < 0xc0 && this.fast) {
      this.pos = at + 1;
      const length = t & 0x1f;
      if (keyDecoder?.canBeCached(length) && this.pos + length <= this.end) {
        this.pos += length;
        key = keyDecoder.decode(this.src, at + 1, length);
      } else key = readKeyText(this, length);
    } else key = this.read();
    return typeof key === 'string' ? key : this.#keyOf(key, at);
  }

  #keyOf(key: unknown, at: number): string | number {
    const { mapKeyConverter, allowArraysInMapKeys, rawStrings } = this.config;
    if (rawStrings && key instanceof Uint8Array) return new TextDecoder().decode(key);
    if (mapKeyConverter !== undefined) return mapKeyConverter(key);
    if (key === null || key === undefined || (typeof key !== 'object' && typeof key !== 'function'))
      return String(key);
    if (allowArraysInMapKeys && Array.isArray(key)) {
      const flat = key.flat();
      if (flat.every((part) => typeof part !== 'object' && typeof part !== 'function'))
        return flat.toString();
    }
    throw this.fail('type_mismatch', at, 'a key that is no text needs mapsAsObjects: false');
  }

  #recordOrInteger(t: number, at: number): unknown {
    if (t < FIRST_WIDE_ID) {
      const structure = this.structures.slots[t - FIRST_ID];
      if (structure !== undefined) return this.record(structure, at);
    }
    const structure = this.structureOf(t, at);
    if (structure !== undefined) return this.record(structure, at);
    this.integerId(at);
    return t;
  }

  /** The structure of the id that begins with `t`, which was read; undefined for an integer. */
  structureOf(t: number, at: number): Structure | undefined {
    const { slots, wide } = this.structures;
    const long = t >= FIRST_WIDE_ID && wide[t - FIRST_WIDE_ID] === 1;
    let index = t - FIRST_ID;
    if (long) {
      if (this.pos >= this.end) throw this.eof();
      const high = this.src[this.pos++] as number;
      index = high === 0xff ? -1 : index + 32 * high;
    }
    let structure = slots[index];
    if (structure === undefined && index >= 0 && this.#loadStructures()) {
      // Loading may have told that this byte begins an id of two bytes.
      if (!long && t >= FIRST_WIDE_ID && wide[t - FIRST_WIDE_ID] === 1)
        return this.structureOf(t, at);
      structure = slots[index];
    }
    if (structure === undefined && (long || this.config.undefinedRecord === 'error'))
      throw this.fail('record_undefined', at);
    return structure;
  }

  #loadStructures(): boolean {
    const { loadShared } = this.config;
    if (loadShared === null || this.#loaded) return false;
    this.#loaded = true;
    this.structures.sync(loadShared());
    return true;
  }

  /** Takes note of an integer that could have been a record. */
  integerId(_at: number): void {}

  /** Whether an ext of this type and length is followed by the value that it is about. */
  valueFollows(type: number, length: number): boolean {
    return valueFollows(this.config, type, length);
  }

  /** Limits on the length of an ext. */
  checkExt(_length: number, _at: number): void {}

  /** A record definition is one container. */
  openDefinition(at: number): void {
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit', at);
  }

  /** Takes note of a structure whose keys were read. */
  define(index: number, structure: Structure, lead: number, wide: boolean): void {
    this.structures.define(index, structure, lead, wide);
  }

  /** Limits on the number of keys of a definition. */
  checkDefinition(_count: number, _at: number): void {}

  /** The key at the position, one of a definition; those before it are in `keys`. */
  definitionKey(_keys: readonly string[], _index: number): string {
    const at = this.pos;
    const key = this.read();
    if (typeof key === 'string') return key;
    if (!(key instanceof Uint8Array)) throw this.fail('invalid_ext', at);
    const start = this.pos - key.length;
    const invalid = invalidAt(this.src, start, this.pos);
    // A structure has text as keys, whatever the options for text.
    if (invalid >= 0) throw this.fail('invalid_utf8', invalid);
    return new TextDecoder().decode(key);
  }

  /** A record whose id was read. */
  record(structure: Structure, at: number): object {
    this.openRecord(structure.keys.length, at);
    return this.recordValues(structure);
  }

  /** The values of a record that was checked and counted. */
  recordValues(structure: Structure): object {
    const value = structure.read === null ? readRecord(this, structure) : structure.read(this);
    this.depth--;
    return this.config.freezeData ? Object.freeze(value) : value;
  }

  /** Reads entries into an object whose keys tell nothing of those of the next one. */
  finishObject(object: object, count: number, outer: number): void {
    for (let rest = count * 2; rest > 0; rest -= 2) {
      this.pending = outer + rest - 1;
      const key = this.key();
      this.pending = outer + rest - 2;
      setField(object, key, this.read());
    }
  }
}
