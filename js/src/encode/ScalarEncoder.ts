import { type EncodeErrorKind, isStackEnd, MsgpackEncodeError, type PathPart, UNKNOWN_PATH } from '../errors/errors.ts';
import * as M from '../wire/markers.ts';
import { allocate, isOwnClass, viewOf, writeUtf8 } from '../wire/platform.ts';
import { known, SHORT, writeAscii, writeHere } from '../wire/utf8.ts';
import type { EncodeConfig } from './EncodeConfig.ts';
import type { EncodeFeatures } from './EncodeFeatures.ts';
import type { MoreTypes, ScalarState, StringCollector } from './EncoderState.ts';
import type { StringBatch } from './StringBatch.ts';

/** Number of bytes after `limit` that are always free: more than any header or number takes. */
const SLACK = 32;
/** Size of the memory from which small messages are cut. */
const POOL = 1 << 14;
/** Size of the memory for several larger messages. */
const POOL_MAX = 1 << 19;
/** Maximum size of memory that is kept for further messages. */
const KEEP = 1 << 26;
/** Strings below this length are written at once, even where they could wait. */
const VERY_SHORT = 12;
/** Number of characters up to which the header of a str is known before they are written. */
const FIXSTR_ANYWAY = 10;
/** Number of bytes below which a copy byte by byte takes less time than a call of `set`. */
const FEW_BYTES = 24;
const FIXEXT = [1, 2, 4, 8, 16];

const LENGTH = /* @__PURE__ */ Object.getOwnPropertyDescriptor(
  /* @__PURE__ */ Object.getPrototypeOf(Uint8Array.prototype),
  'length',
) as { get(): number };

/** Returns the number of bytes of an array, whatever the program made of its property `length`. */
function sizeOf(bytes: Uint8Array): number {
  return LENGTH.get.call(bytes);
}

/**
 * The part of the encoder that owns the memory and writes headers, numbers, strings and bytes.
 * Memory grows as needed. Positions are those in `buf`.
 */
export class ScalarEncoder implements ScalarState {
  readonly config: EncodeConfig;
  buf: Uint8Array = allocate(POOL);
  view: DataView = new DataView(this.buf.buffer, this.buf.byteOffset, this.buf.length);
  /** The memory of `buf` and its place there, where messages are of the platform's own class. */
  #memory: ArrayBufferLike | null = this.buf.buffer;
  #offset = this.buf.byteOffset;
  pos = 0;
  limit: number = this.buf.length - SLACK;
  start = 0;
  /** Integers below this take one byte: 0x80, or 0x40 while records are on. */
  readonly fix: number;
  /** Integers below this are written by generated encoders: none where a subclass has its own way for them. */
  inline = 0x10000;
  trail: PathPart[] | null = null;
  bundle: StringCollector | null = null;
  readonly moreTypes: MoreTypes | undefined;
  readonly #paths: EncodeFeatures['writePaths'];
  /** Takes strings that can wait; null where positions in the message are kept. */
  #batch: StringBatch | null = null;
  readonly #strings: StringBatch | null;
  /** Writes floats where options apply to them. */
  readonly #floats: EncodeFeatures['writeFloats'];
  readonly #strict: StringCollector | null;
  #lastSize = 0;

  constructor(config: EncodeConfig, features: EncodeFeatures) {
    this.config = config;
    this.moreTypes = features.writeRich;
    this.#paths = features.writePaths;
    if (config.float32 !== 0 || config.lossless32 || config.canonical) this.#floats = features.writeFloats;
    this.#strict = features.writeSelection?.strictText?.(config) ?? null;
    this.fix = config.records ? 0x40 : 0x80;
    this.#strings = features.writePrediction?.newBatch() ?? null;
  }

  /** Begins a message after the last one. With `adjacent` there is no gap between the two. */
  begin(adjacent = false): void {
    // A message that has to move is expensive: the next one is likely to be as large.
    const likely = 256 + this.#lastSize + (this.#lastSize >> 2);
    if (this.pos + likely > this.limit || this.detached)
      this.useMemory(allocate(Math.max(POOL, likely + SLACK, Math.min(likely * 8, POOL_MAX))));
    if (!adjacent) this.pos = (this.pos + 7) & ~7;
    this.start = this.pos;
    this.bundle = this.#strict;
    this.#strings?.clear();
    this.#batch = this.trail === null ? this.#strings : null;
  }

  /** Whether the program transferred the memory, with an earlier message in it. */
  get detached(): boolean {
    return this.buf.length === 0;
  }

  useMemory(memory: Uint8Array): void {
    const { buffer, byteOffset } = memory;
    this.view = new DataView(buffer, byteOffset, memory.length);
    this.buf = memory;
    this.#memory = isOwnClass(memory) ? buffer : null;
    this.#offset = byteOffset;
    this.limit = memory.length - SLACK;
    this.pos = 0;
    this.start = 0;
  }

  /** Ends the message and returns it. */
  take(): Uint8Array {
    const { start, pos } = this;
    const message =
      this.#memory === null ? this.buf.subarray(start, pos) : viewOf(this.#memory, this.#offset + start, pos - start);
    this.finish();
    return message;
  }

  finish(): void {
    this.#lastSize = Math.min(this.pos - this.start, KEEP);
    if (this.buf.length > KEEP) this.useMemory(allocate(POOL));
  }

  /** Makes room for `bytes` more. The message moves to new memory when it has to. */
  reserve(bytes: number): void {
    if (this.pos + bytes <= this.limit) return;
    const used = this.pos - this.start;
    const old = this.buf.subarray(this.start, this.pos);
    this.useMemory(this.#room(used + bytes + SLACK));
    this.buf.set(old);
    this.pos = used;
  }

  /** Allocates memory for a message that grows: twice its size, or this size where that is too much. */
  #room(size: number): Uint8Array {
    for (const wanted of [Math.max(size * 2, POOL), size])
      try {
        return allocate(wanted);
      } catch (error) {
        // Else it is above the platform's maximum, or there is no memory.
        if (isStackEnd(error)) throw error;
      }
    throw this.fail('out_of_range', 'no memory for the message');
  }

  fail(kind: EncodeErrorKind, detail?: string): MsgpackEncodeError {
    const path = this.#paths?.formatPath(this.trail ?? []) ?? UNKNOWN_PATH;
    return new MsgpackEncodeError(kind, path, detail);
  }

  byte(value: number): void {
    if (this.pos > this.limit) this.reserve(1);
    this.buf[this.pos++] = value;
  }

  nil(): void {
    this.byte(M.NIL);
  }

  bool(value: boolean): void {
    this.byte(value ? M.TRUE : M.FALSE);
  }

  raw(bytes: Uint8Array): void {
    const n = sizeOf(bytes);
    this.reserve(n);
    this.buf.set(bytes, this.pos);
    this.pos += n;
  }

  complete(): void {
    this.#batch?.flush(this);
  }

  number(value: number): void {
    if (value >>> 0 === value) {
      if (value === 0 && 1 / value < 0) this.float(value);
      else this.#unsigned(value);
    } else if (value >> 0 === value) this.#negative(value);
    else if (Number.isSafeInteger(value) && !this.config.largeAsFloat) this.#large(value);
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

  /** Writes a safe integer of more than 32 bits. */
  #large(value: number): void {
    const { pos, view } = this;
    const high = Math.floor(value / 0x100000000);
    this.buf[pos] = value < 0 ? M.INT64 : M.UINT64;
    view.setInt32(pos + 1, high);
    view.setUint32(pos + 5, value >>> 0);
    this.pos = pos + 9;
  }

  /** Writes a bigint of 64 bits with all of them. */
  integer64(value: bigint, isSigned: boolean): void {
    const { pos } = this;
    this.buf[pos] = isSigned ? M.INT64 : M.UINT64;
    this.view.setBigUint64(pos + 1, BigInt.asUintN(64, value));
    this.pos = pos + 9;
  }

  /** Writes a bigint as any integer, in the smallest format: with 64 bits it is unsigned from 0 on. */
  anyInteger(value: bigint): void {
    if (value >= -0x80000000n && value <= 0xffffffffn) this.integer(Number(value));
    else if (value < 0n && BigInt.asIntN(64, value) === value) this.integer64(value, true);
    else if (BigInt.asUintN(64, value) === value) this.integer64(value, false);
    else if (this.config.bigInts) this.moreTypes?.writeLargeBigInt(this, value);
    else throw this.fail('out_of_range', 'a bigint of more than 64 bits; see bigint');
  }

  float(value: number): void {
    if (this.#floats?.writeFloat(this, value)) return;
    const { pos } = this;
    this.buf[pos] = M.FLOAT64;
    this.view.setFloat64(pos + 1, value);
    this.pos = pos + 9;
  }

  float32(value: number): void {
    const { pos } = this;
    this.buf[pos] = M.FLOAT32;
    this.view.setFloat32(pos + 1, value);
    this.pos = pos + 5;
  }

  /** Writes a str, lone surrogates as U+FFFD. */
  string(value: string): void {
    const n = value.length;
    if (this.bundle?.add(this, value)) return;
    if (n >= VERY_SHORT && n < 0x100 && this.#batch?.takes(this, value)) this.#batch.add(this, value, n);
    else if (n < SHORT) this.#shortString(value, n);
    else this.stringAtOnce(value);
  }

  #shortString(value: string, n: number): void {
    if (this.pos + n > this.limit) this.reserve(n + 1);
    const { buf, pos } = this;
    if (n <= FIXSTR_ANYWAY) {
      const end = writeHere(buf, value, 0, pos + 1);
      buf[pos] = 0x9f + end - pos;
      this.pos = end;
      return;
    }
    const done = writeAscii(buf, value, n, pos + 1);
    if (done < n) {
      this.#shortWide(value, n, done);
      return;
    }
    buf[pos] = 0xa0 | n;
    this.pos = pos + 1 + n;
  }

  /** Writes a short str of which the first characters were written. */
  #shortWide(value: string, n: number, done: number): void {
    this.pos += 1 + done;
    if (this.pos + n * 3 > this.limit) this.reserve(n * 3);
    const { buf } = this;
    const pos = this.pos - done - 1;
    const end = writeHere(buf, value, done, this.pos);
    const length = end - pos - 1;
    const size = length < 32 ? 1 : 2;
    if (size === 2) buf.copyWithin(pos + 2, pos + 1, end);
    this.strHeader(pos, size, length);
    this.pos = pos + size + length;
  }

  stringAtOnce(value: string): void {
    const n = known(value).length;
    if (this.pos + n * 3 > this.limit) this.reserve(n * 3 + 5);
    const { buf, pos } = this;
    // The header for a string of ASCII. With a header of another size the payload moves.
    const guess = n < 32 ? 1 : n < 0x100 ? 2 : n < 0x10000 ? 3 : 5;
    const length = writeUtf8(buf, value, pos + guess);
    if (length < n) throw this.fail('out_of_range', 'a str is too long');
    const size = length < 32 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 5;
    if (size !== guess) buf.copyWithin(pos + size, pos + guess, pos + guess + length);
    this.strHeader(pos, size, length);
    this.pos = pos + size + length;
  }

  strHeader(pos: number, size: number, length: number): void {
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
      if (length > 0xffffffff) throw this.fail('out_of_range', 'a str has at most 2^32 - 1 bytes');
      buf[pos] = M.STR32;
      this.view.setUint32(pos + 1, length);
    }
  }

  /** Writes the header of a count or a length, with 16 or 32 bits. */
  header(marker16: number, count: number): void {
    this.reserve(5);
    const { buf, pos } = this;
    if (count < 0x10000) {
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
    if (count < 16) this.byte(0x90 | count);
    else this.header(M.ARRAY16, count);
  }

  mapHeader(count: number): void {
    if (count < 16) this.byte(0x80 | count);
    else this.header(M.MAP16, count);
  }

  bin(bytes: Uint8Array): void {
    const n = sizeOf(bytes);
    this.reserve(n + 5);
    if (n < 0x100) {
      this.buf[this.pos++] = M.BIN8;
      this.buf[this.pos++] = n;
    } else this.header(M.BIN16, n);
    const { buf, pos } = this;
    if (n < FEW_BYTES) for (let i = 0; i < n; i++) buf[pos + i] = bytes[i] as number;
    else buf.set(bytes, pos);
    this.pos = pos + n;
  }

  extHeader(type: number, length: number): void {
    if (type === M.EXT_RECORD && this.config.records)
      throw this.fail('unsupported_type', 'ext type 0x72 defines records; see records');
    this.reserve(6);
    const fixed = FIXEXT.indexOf(length);
    if (fixed >= 0) this.buf[this.pos++] = M.FIXEXT1 + fixed;
    else if (length < 0x100) {
      this.buf[this.pos++] = M.EXT8;
      this.buf[this.pos++] = length;
    } else this.header(M.EXT16, length);
    this.buf[this.pos++] = type;
  }

  ext(type: number, payload: Uint8Array): void {
    this.extHeader(type, sizeOf(payload));
    this.raw(payload);
  }
}
