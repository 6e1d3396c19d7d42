import type { EncodeConfig } from '../api/encode-config.ts';
import { type ErrorKind, MsgpackEncodeError } from '../errors/errors.ts';
import { formatPath, type PathPart } from '../errors/path.ts';
import type { BundleWriter } from '../ext/bundle-writer.ts';
import type { References } from '../ext/references.ts';
import { writeInstance } from '../ext/write.ts';
import type { RecordIds } from '../record/ids.ts';
import { writeAscii } from '../wire/ascii.ts';
import { decimalScale } from '../wire/float32.ts';
import * as M from '../wire/markers.ts';
import { allocate, writeUtf8 } from '../wire/platform.ts';
import { writeBigInt } from './bigint.ts';
import { writeSelected, writeSortedMap } from './fields.ts';
import { type Shape, Shapes } from './shapes.ts';
import { TextBatch } from './text-batch.ts';

/** Bytes behind `limit` that are always free: more than any header or number takes. */
const SLACK = 32;
/** Size of the memory from which small messages are cut. */
const POOL = 1 << 14;
/** Size of the memory for several larger messages. */
const POOL_MAX = 1 << 19;
/** Memory above this size is not kept for further messages. */
const KEEP = 1 << 26;
/** The canonical NaN; engines keep the bits of others. */
const NAN_BITS = 0x7ff8000000000000n;
/** Strings below this length are written in JavaScript. */
const SHORT = 32;
/** And those below this one even where they could wait for others. */
const VERY_SHORT = 12;

/**
 * Writes one message at a time into memory that it makes larger as needed. All state is
 * here, so that several can be at work at once. Positions are those in `buf`.
 */
export class Writer {
  readonly config: EncodeConfig;
  readonly ids: RecordIds | null;
  readonly shapes: Shapes = new Shapes();
  buf: Uint8Array = allocate(POOL);
  view: DataView = new DataView(this.buf.buffer, this.buf.byteOffset, this.buf.length);
  pos = 0;
  limit: number = this.buf.length - SLACK;
  /** Where the message begins. */
  start = 0;
  /** Integers below take one byte: 0x80, or 0x40 while records are on. */
  readonly fix: number;
  /** Integers below are written by generated encoders: none where integers become floats. */
  readonly inline: number;
  depth = 0;
  /** Replacements, as those of toJSON, within which a value is written. */
  replacements = 0;
  readonly maxDepth: number;
  /** The way to the value being written, where it is kept: after a failure. */
  trail: PathPart[] | null = null;
  /** Containers being written, where they are kept. */
  open: object[] | null = null;
  /** Takes texts that can wait; null where places in the message are kept. */
  #batch: TextBatch | null = null;
  readonly #texts: TextBatch = new TextBatch();
  bundle: BundleWriter | null = null;
  references: References | null = null;
  /** Whether plain objects go by their shape. */
  #predict = true;
  readonly #selects: boolean;
  readonly #plainNumbers: boolean;
  /** Whether texts may wait: they move what was written behind them when they are not ASCII. */
  readonly #batches: boolean;

  constructor(config: EncodeConfig, ids: RecordIds | null) {
    this.config = config;
    this.ids = ids;
    this.fix = config.records ? 0x40 : 0x80;
    this.inline = config.forceIntegerToFloat ? 0 : 0x10000;
    this.maxDepth = config.maxDepth;
    this.#selects =
      config.sortKeys ||
      config.ignoreUndefined ||
      config.skipValues !== undefined ||
      config.numericKeys;
    this.#plainNumbers = !config.forceIntegerToFloat;
    this.#batches = !config.structuredClone && !config.bundleStrings;
  }

  /**
   * Begins a message behind the last one, `reserved` bytes of it left to the caller, and
   * with `adjacent` at once behind it.
   */
  begin(reserved: number, adjacent = false): void {
    // A message that has to move is expensive: the next one is likely to be as large.
    const likely = 256 + this.#lastSize + (this.#lastSize >> 2);
    if (this.pos + likely > this.limit)
      this.useMemory(allocate(Math.max(POOL, likely + SLACK, Math.min(likely * 8, POOL_MAX))));
    if (!adjacent) this.pos = (this.pos + 7) & ~7;
    this.start = this.pos;
    this.depth = 0;
    this.replacements = 0;
    this.#texts.clear();
    this.#batch = this.trail === null && this.#batches ? this.#texts : null;
    if (reserved > 0) {
      this.reserve(reserved);
      this.pos += reserved;
    }
    this.#predict = this.trail === null && !this.#selects;
    for (const _ in Object.prototype) this.#predict = false;
    const anew = this.shapes.begin();
    if (this.ids !== null) {
      const find = (keys: readonly string[]) => this.shapes.ofKeys(keys);
      if (anew) this.ids.forgetShapes(find);
      this.ids.begin(find);
    }
  }

  /** Bytes of the last message. */
  #lastSize = 0;

  /** Writes from now on into other memory. */
  useMemory(memory: Uint8Array): void {
    this.buf = memory;
    this.view = new DataView(memory.buffer, memory.byteOffset, memory.length);
    this.limit = memory.length - SLACK;
    this.pos = 0;
    this.start = 0;
  }

  /** The message. */
  take(): Uint8Array {
    const message = this.buf.subarray(this.start, this.pos);
    this.finish();
    return message;
  }

  /** Ends the message. */
  finish(): void {
    this.#lastSize = this.pos - this.start;
    if (this.buf.length > KEEP) this.useMemory(allocate(POOL));
  }

  /** Makes room for `bytes` more. The message moves to new memory when it has to. */
  reserve(bytes: number): void {
    if (this.pos + bytes <= this.limit) return;
    const used = this.pos - this.start;
    const size = Math.max((used + bytes + SLACK) * 2, POOL);
    const old = this.buf.subarray(this.start, this.pos);
    this.useMemory(allocate(size));
    this.buf.set(old);
    this.pos = used;
  }

  fail(kind: ErrorKind, detail?: string): MsgpackEncodeError {
    return new MsgpackEncodeError(kind, formatPath(this.trail ?? []), detail);
  }

  byte(value: number): void {
    if (this.pos > this.limit) this.reserve(1);
    this.buf[this.pos++] = value;
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buf.set(bytes, this.pos);
    this.pos += bytes.length;
  }

  /** Writes the value of the message. */
  message(value: unknown): void {
    this.write(value);
    this.complete();
  }

  /** Writes the texts that wait, so that what was written can be looked at. */
  complete(): void {
    this.#batch?.flush(this);
  }

  /** Writes any value. */
  write(value: unknown): void {
    if (this.pos > this.limit) this.reserve(1);
    switch (typeof value) {
      case 'string':
        this.text(value);
        return;
      case 'number':
        this.number(value);
        return;
      case 'object':
        if (value === null) this.buf[this.pos++] = M.NIL;
        else this.#object(value);
        return;
      case 'boolean':
        this.buf[this.pos++] = value ? M.TRUE : M.FALSE;
        return;
      case 'undefined':
        this.#undefined();
        return;
      case 'bigint':
        writeBigInt(this, value);
        return;
      case 'function':
        this.#function(value as (...args: never[]) => unknown);
        return;
      default:
        throw this.fail('unsupported_type', typeof value);
    }
  }

  #undefined(): void {
    if (this.config.undefinedAsNil) {
      this.buf[this.pos++] = M.NIL;
      return;
    }
    this.buf[this.pos++] = M.FIXEXT1;
    this.buf[this.pos++] = M.EXT_UNDEFINED;
    this.buf[this.pos++] = 0;
  }

  #function(value: (...args: never[]) => unknown): void {
    const extension = this.config.extensions.ofValue(value);
    if (extension !== undefined) writeInstance(this, value);
    else this.write(this.config.writeFunction?.(value));
  }

  number(value: number): void {
    if (value >>> 0 === value && this.#plainNumbers) {
      if (value === 0 && 1 / value < 0 && !this.config.compatible) this.float(value);
      else this.#unsigned(value);
    } else if (value >> 0 === value && this.#plainNumbers) this.#negative(value);
    else if (Number.isSafeInteger(value) && this.#plainNumbers && !this.config.compatible)
      this.#large(value);
    else this.float(value);
  }

  #unsigned(value: number): void {
    const { buf, pos } = this;
    if (value < this.fix) {
      buf[pos] = value;
      this.pos = pos + 1;
    } else if (value < 0x100) {
      buf[pos] = M.UINT8;
      buf[pos + 1] = value;
      this.pos = pos + 2;
    } else if (value < 0x10000) {
      buf[pos] = M.UINT16;
      buf[pos + 1] = value >> 8;
      buf[pos + 2] = value;
      this.pos = pos + 3;
    } else {
      buf[pos] = M.UINT32;
      this.view.setUint32(pos + 1, value);
      this.pos = pos + 5;
    }
  }

  /** An integer of 32 bits, whatever the options for numbers. */
  integer(value: number): void {
    if (value < 0) this.#negative(value);
    else this.#unsigned(value);
  }

  #negative(value: number): void {
    const { buf, pos } = this;
    if (value >= -32) {
      buf[pos] = value;
      this.pos = pos + 1;
    } else if (value >= -0x80) {
      buf[pos] = M.INT8;
      buf[pos + 1] = value;
      this.pos = pos + 2;
    } else if (value >= -0x8000) {
      buf[pos] = M.INT16;
      buf[pos + 1] = value >> 8;
      buf[pos + 2] = value;
      this.pos = pos + 3;
    } else {
      buf[pos] = M.INT32;
      this.view.setInt32(pos + 1, value);
      this.pos = pos + 5;
    }
  }

  /** A safe integer outside 32 bits. */
  #large(value: number): void {
    const { pos, view } = this;
    const high = Math.floor(value / 0x100000000);
    this.buf[pos] = value < 0 ? M.INT64 : M.UINT64;
    view.setInt32(pos + 1, high);
    view.setUint32(pos + 5, value >>> 0);
    this.pos = pos + 9;
  }

  float(value: number): void {
    const { pos, view, config } = this;
    if ((config.float32 !== 0 || config.lossless32) && this.#fits32(value)) {
      this.buf[pos] = M.FLOAT32;
      view.setFloat32(pos + 1, value);
      this.pos = pos + 5;
      return;
    }
    this.buf[pos] = M.FLOAT64;
    if (config.canonical && Number.isNaN(value)) view.setBigUint64(pos + 1, NAN_BITS);
    else view.setFloat64(pos + 1, value);
    this.pos = pos + 9;
  }

  #fits32(value: number): boolean {
    if (this.config.lossless32) {
      if (!Number.isNaN(value)) return Object.is(Math.fround(value), value);
      // The low 29 bits of a NaN have no place in 32 bits.
      this.view.setFloat64(this.pos + 1, value);
      return (this.view.getUint32(this.pos + 5) & 0x1fffffff) === 0;
    }
    if (!(value < 0x100000000 && value >= -0x80000000)) return false;
    if (this.config.float32 < 4) return true;
    const scaled = value * decimalScale(value);
    return scaled >> 0 === scaled;
  }

  /** Writes a str, lone surrogates as U+FFFD. */
  text(value: string): void {
    const n = value.length;
    if (this.bundle?.add(this, value)) return;
    if (n >= VERY_SHORT && n < 0x100 && this.#batch?.takes(this, value)) {
      if (this.pos + n > this.limit) this.reserve(n + 2);
      const size = n < 32 ? 1 : 2;
      this.#textHeader(this.pos, size, n);
      this.pos += size + n;
      this.#batch.add(this, value, this.pos - n);
    } else if (n >= SHORT || !this.#shortText(value)) this.textAtOnce(value);
  }

  /** Writes a short str when it is ASCII. */
  #shortText(value: string): boolean {
    const n = value.length;
    if (this.pos + n > this.limit) this.reserve(n + 1);
    if (!writeAscii(this.buf, value, this.pos + 1)) return false;
    this.buf[this.pos] = 0xa0 | n;
    this.pos += 1 + n;
    return true;
  }

  /** Writes a str in one call into the platform. */
  textAtOnce(value: string): void {
    const n = value.length;
    if (this.pos + n * 3 > this.limit) this.reserve(n * 3 + 5);
    const { buf, pos } = this;
    // The header that the text has when it is ASCII; the text moves when it has another.
    const guess = n < 32 ? 1 : n < 0x100 ? 2 : n < 0x10000 ? 3 : 5;
    const length = writeUtf8(buf, value, pos + guess);
    const size = length < 32 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 5;
    if (size !== guess) buf.copyWithin(pos + size, pos + guess, pos + guess + length);
    this.#textHeader(pos, size, length);
    this.pos = pos + size + length;
  }

  #textHeader(pos: number, size: number, length: number): void {
    const { buf } = this;
    if (size === 1) buf[pos] = 0xa0 | length;
    else if (size === 2) {
      buf[pos] = M.STR8;
      buf[pos + 1] = length;
    } else if (size === 3) {
      buf[pos] = M.STR16;
      buf[pos + 1] = length >> 8;
      buf[pos + 2] = length;
    } else {
      if (length > 0xffffffff) throw this.fail('out_of_range', 'a str of more than 2^32 - 1 bytes');
      buf[pos] = M.STR32;
      this.view.setUint32(pos + 1, length);
    }
  }

  /** A header of a count or a length: the short form, then markers of 16 and 32 bits. */
  header(short: number, max: number, marker16: number, count: number): void {
    this.reserve(5);
    const { buf, pos } = this;
    if (count <= max) {
      buf[pos] = short | count;
      this.pos = pos + 1;
    } else if (count < 0x10000) {
      buf[pos] = marker16;
      buf[pos + 1] = count >> 8;
      buf[pos + 2] = count;
      this.pos = pos + 3;
    } else {
      buf[pos] = marker16 + 1;
      this.view.setUint32(pos + 1, count);
      this.pos = pos + 5;
    }
  }

  arrayHeader(count: number): void {
    this.header(0x90, 15, M.ARRAY16, count);
  }

  mapHeader(count: number): void {
    this.header(0x80, 15, M.MAP16, count);
  }

  bin(bytes: Uint8Array): void {
    const n = bytes.length;
    this.reserve(n + 5);
    if (n < 0x100) {
      this.buf[this.pos++] = M.BIN8;
      this.buf[this.pos++] = n;
    } else this.header(0, -1, M.BIN16, n);
    this.buf.set(bytes, this.pos);
    this.pos += n;
  }

  extHeader(type: number, length: number): void {
    if (type === M.EXT_RECORD && this.config.records)
      throw this.fail('unsupported_type', 'ext 0x72 defines records while these are on');
    this.reserve(6);
    const fixed = FIXEXT.indexOf(length);
    if (fixed >= 0) this.buf[this.pos++] = M.FIXEXT1 + fixed;
    else if (length < 0x100) {
      this.buf[this.pos++] = M.EXT8;
      this.buf[this.pos++] = length;
    } else this.header(0, -1, M.EXT16, length);
    this.buf[this.pos++] = type;
  }

  ext(type: number, payload: Uint8Array): void {
    this.extHeader(type, payload.length);
    this.raw(payload);
  }

  #object(value: object): void {
    if (this.references?.repeated(this, value)) return;
    if (Array.isArray(value)) {
      if (Object.getPrototypeOf(value) === Array.prototype) this.array(value);
      else writeInstance(this, value);
      return;
    }
    const proto = Object.getPrototypeOf(value);
    if (proto === Object.prototype) this.plain(value);
    else writeInstance(this, value);
  }

  /** Goes one container deeper. */
  enter(container: object): void {
    if (this.open !== null) {
      if (this.open.includes(container)) throw this.fail('cycle');
      this.open.push(container);
    }
    if (++this.depth > this.maxDepth) throw this.fail('depth_limit');
  }

  leave(): void {
    this.depth--;
    if (this.open !== null) {
      this.open.pop();
      (this.trail as PathPart[]).length = this.depth;
    }
  }

  /** Notes the place of the next element in the container being written. */
  mark(part: PathPart): void {
    if (this.trail !== null) {
      this.trail.length = this.depth;
      this.trail[this.depth - 1] = part;
    }
  }

  array(array: readonly unknown[]): void {
    this.enter(array);
    const n = array.length;
    this.arrayHeader(n);
    for (let i = 0; i < n; i++) {
      if (this.trail !== null) this.mark(i);
      const value = array[i];
      if (typeof value === 'number') {
        if (this.pos > this.limit) this.reserve(1);
        this.number(value);
      } else this.write(value);
    }
    this.leave();
  }

  /** A plain object. */
  plain(object: object): void {
    this.enter(object);
    if (!this.#predict) this.#unpredicted(object);
    else if (this.ids !== null) this.#shaped(object, this.shapes.ofPlain(object));
    else this.#map(object, this.shapes.find(object));
    this.leave();
  }

  /** An object of which only its own enumerable fields count. */
  fieldsOf(object: object): void {
    this.enter(object);
    this.#unpredicted(object);
    this.leave();
  }

  #unpredicted(object: object): void {
    if (this.#selects) {
      const chosen = this.ids !== null && (this.config.chooseRecord?.(object) ?? true);
      writeSelected(this, object, chosen ? this.ids : null);
    } else this.#shaped(object, this.shapes.ofKeys(Object.keys(object)));
  }

  #shaped(object: object, shape: Shape): void {
    const { ids, config } = this;
    const wanted =
      ids !== null && (config.chooseRecord === undefined || config.chooseRecord(object));
    if (wanted && (shape.isRecord || (config.compatible && shape.keys.length === 0))) {
      if ((ids as RecordIds).write(this, shape)) {
        if (shape.values !== null && this.trail === null) shape.values(this, object);
        else this.#values(object, shape);
        return;
      }
    }
    this.#map(object, shape);
  }

  /** The map of an object; a dictionary has no shape. */
  #map(object: object, shape: Shape | null): void {
    const keys = shape === null ? Object.keys(object) : shape.keys;
    const n = keys.length;
    if (this.config.variableMapSize || n > 0xffff) this.mapHeader(n);
    else this.header(0, -1, M.MAP16, n);
    if (shape === null || this.trail !== null || this.bundle !== null) this.#entries(object, keys);
    else if (shape.fields !== null) shape.fields(this, object);
    else this.#fields(object, shape);
  }

  /** Fields whose keys are written as any text. */
  #entries(object: object, keys: readonly string[]): void {
    for (const key of keys) {
      if (this.trail !== null) this.mark(key);
      this.text(key);
      this.write((object as Record<string, unknown>)[key]);
    }
  }

  /**
   * The fields of a shape that has no generated encoder: their keys are written four
   * bytes at a time, and within for…in engines know the places of their values.
   */
  #fields(object: object, shape: Shape): void {
    this.shapes.used(shape, false);
    const { keys, words } = shape;
    let i = 0;
    for (const key in object) {
      if (key !== keys[i]) break;
      this.#key(words[i] as Int32Array, shape, i++);
      this.write((object as Record<string, unknown>)[key]);
    }
    // The rest where a getter or a toJSON changed the object.
    if (i < keys.length) this.#entries(object, keys.slice(i));
  }

  #key(words: Int32Array, shape: Shape, index: number): void {
    const length = shape.lengths[index] as number;
    if (words.length === 0) {
      this.raw(shape.keyBytes[index] as Uint8Array);
      return;
    }
    if (this.pos > this.limit) this.reserve(1);
    const { view, pos } = this;
    for (let i = 0; i < words.length; i++) view.setInt32(pos + 4 * i, words[i] as number);
    this.pos = pos + length;
  }

  #values(object: object, shape: Shape): void {
    const { keys } = shape;
    let i = 0;
    if (this.trail === null) {
      this.shapes.used(shape, true);
      for (const key in object) {
        if (key !== keys[i]) break;
        this.write((object as Record<string, unknown>)[key]);
        i++;
      }
    }
    // All of them where the way is kept, the rest where the object changed meanwhile.
    for (; i < keys.length; i++) {
      const key = keys[i] as string;
      if (this.trail !== null) this.mark(key);
      this.write((object as Record<string, unknown>)[key]);
    }
  }

  /** A Map, whose keys may be any values. */
  map(map: ReadonlyMap<unknown, unknown>): void {
    this.enter(map);
    if (this.config.sortKeys) writeSortedMap(this, map);
    else {
      this.mapHeader(map.size);
      for (const [key, value] of map) {
        if (this.trail !== null) this.trail.length = this.depth - 1;
        this.write(key);
        if (this.trail !== null) this.mark({ key });
        this.write(value);
      }
    }
    this.leave();
  }
}

const FIXEXT = [1, 2, 4, 8, 16];
