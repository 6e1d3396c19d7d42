import { type ErrorKind, MsgpackDecodeError } from '../errors/errors.ts';
import { isOwnClass, latin1String, NO_BYTES, viewOf } from '../wire/platform.ts';
import { decodeHere, invalidAt, SHORT_STRING, shortString } from '../wire/utf8.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import type { DecodeFeatures } from './DecoderState.ts';
import { MIN_WIDE, type WideStrings } from './WideStrings.ts';

const NO_VIEW = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));

/** Maximum size of a buffer that is kept between calls, with the views of it. */
const KEEP_BUFFER = 1 << 16;
/** Maximum size of a slice of ASCII, and so of what one kept string holds in memory. */
const WINDOW = 1 << 14;
/** Number of strings below a size in bytes that a message has before a slice is taken. */
const SHORT_STRINGS = 4;
const SHORT = SHORT_STRING + 1;
/** Size from which platforms may have no string: V8's maximum is 2^28 or 2^29 characters. */
const HUGE = 1 << 28;
const ASCII: readonly string[] = /* @__PURE__ */ Array.from({ length: 128 }, (_, i) => String.fromCharCode(i));

/** Thrown, without the cost of a stack trace, where a stream has to wait for more bytes. */
export const INCOMPLETE: unique symbol = Symbol('incomplete');

/**
 * The part of the decoder that holds the bytes, makes errors and reads strings.
 *
 * Positions count in the whole ArrayBuffer: a buffer that is used again needs no new views.
 */
export class StringDecoder {
  readonly config: DecodeConfig;
  src: Uint8Array = NO_BYTES;
  view: DataView = NO_VIEW;
  /** The bytes that the caller passed. Bytes that are handed out are views of it. */
  source: Uint8Array = NO_BYTES;
  base = 0;
  pos = 0;
  end = 0;
  partial = false;
  #buffer: ArrayBufferLike = NO_BYTES.buffer;
  /** Whether views of the source are of the platform's own class. */
  #ownClass = false;
  /** A part of the message, with a character for each byte. */
  latin = '';
  /** The position before which the strings in `latin` are known to be ASCII. */
  asciiEnd = 0;
  #latinStart = 0;
  #latinEnd = 0;
  /** Number of short strings that are still made before a slice is taken. */
  #shortLeft = 0;
  readonly #wide: WideStrings | null;

  constructor(config: DecodeConfig, features: DecodeFeatures) {
    this.config = config;
    const batches = config.sliceStrings && !config.rawStrings;
    this.#wide = batches ? (features.prediction?.newWideStrings() ?? null) : null;
  }

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
      this.#ownClass = isOwnClass(source);
      this.base = source.byteOffset;
    }
    this.pos = this.base + start;
    this.end = this.base + end;
    this.#latinEnd = 0;
    this.asciiEnd = 0;
    this.#wide?.clear();
    this.#shortLeft = SHORT_STRINGS;
  }

  /** Moves within the bytes that are open, of which there may be more than before. */
  seek(start: number, end: number): void {
    this.pos = this.base + start;
    this.end = this.base + end;
  }

  /** Releases the bytes, unless they are few. */
  close(): void {
    this.latin = '';
    this.#latinEnd = 0;
    this.asciiEnd = 0;
    this.#wide?.clear();
    if (this.src.length > KEEP_BUFFER) {
      this.source = NO_BYTES;
      this.#ownClass = false;
      this.src = NO_BYTES;
      this.view = NO_VIEW;
      this.#buffer = NO_BYTES.buffer;
    }
  }

  fail(kind: ErrorKind, position: number, detail?: string, cause?: unknown): unknown {
    return new MsgpackDecodeError(kind, position - this.base, { detail, cause });
  }

  eof(): unknown {
    return this.partial ? INCOMPLETE : this.fail('eof', this.end);
  }

  bytes(start: number, end: number): Uint8Array {
    if (this.config.copyBuffers) return Uint8Array.prototype.slice.call(this.source, start, end);
    return this.#ownClass ? viewOf(this.#buffer, this.base + start, end - start) : this.source.subarray(start, end);
  }

  string(length: number): string | Uint8Array {
    const start = this.pos;
    const end = start + length;
    this.pos = end;
    // Not in stringAt, where this test takes more time than it saves.
    return end <= this.asciiEnd && start >= this.#latinStart ? this.slice(start, end) : this.stringAt(start, length);
  }

  stringAt(start: number, length: number): string | Uint8Array {
    // Small, so that engines inline it.
    const end = start + length;
    return start >= this.#latinStart && end <= this.#latinEnd && this.isAscii(start, end)
      ? this.latin.substring(start - this.#latinStart, end - this.#latinStart)
      : this.#otherString(start, end);
  }

  isAscii(start: number, end: number): boolean {
    let bits = 0;
    if (end - start < 4) {
      for (let p = start; p < end; p++) bits |= this.src[p] as number;
      return bits < 0x80;
    }
    // The last four bytes first: the others are tested four at a time, some of them twice.
    const { view } = this;
    const last = end - 4;
    bits = view.getInt32(start, true) | view.getInt32(last, true);
    // A string in another script mostly begins in it.
    if ((bits & 0x80808080) !== 0) return false;
    let p = start + 4;
    for (; p < last - 12; p += 16)
      bits |=
        view.getInt32(p, true) | view.getInt32(p + 4, true) | view.getInt32(p + 8, true) | view.getInt32(p + 12, true);
    for (; p < last; p += 4) bits |= view.getInt32(p, true);
    return (bits & 0x80808080) === 0;
  }

  /** Returns a str that is not ASCII or not in the last slice. */
  #otherString(start: number, end: number): string | Uint8Array {
    if (end > this.end) throw this.eof();
    const { src, config } = this;
    const length = end - start;
    if (config.rawStrings) return length === 0 ? NO_BYTES : this.bytes(start - this.base, end - this.base);
    if (length < 2) {
      if (length === 0) return '';
      const c = src[start] as number;
      if (c < 0x80) return ASCII[c] as string;
    }
    if (length >= HUGE) return this.#hugeString(start, end);
    const made = length < MIN_WIDE ? undefined : this.#wide?.find(this, start, end);
    if (made !== undefined) return made;
    // Those in the last slice are not ASCII.
    if (end <= this.#latinEnd || !this.isAscii(start, end))
      return (
        this.#wide?.make(this, start, end) ?? decodeHere(src, this.view, start, end) ?? this.#illFormed(start, end)
      );
    if (!config.sliceStrings || length > WINDOW) return latin1String(src, start, end);
    if (length < SHORT && this.#shortLeft > 0) {
      this.#shortLeft--;
      return shortString(src, start, length);
    }
    this.openSlice(start, start + WINDOW);
    return this.slice(start, end);
  }

  /** Returns a str for which the platform may have no string. */
  #hugeString(start: number, end: number): string | Uint8Array {
    const { src, view } = this;
    try {
      if (this.isAscii(start, end)) return latin1String(src, start, end);
      // Checked before, as the code units of ill-formed text take twice its size.
      if (invalidAt(src, start, end) >= 0) return this.#illFormed(start, end);
      return decodeHere(src, view, start, end) as string;
    } catch (cause) {
      if (cause instanceof MsgpackDecodeError) throw cause;
      throw this.fail('length_limit', start - 5, 'the platform has no such string', cause);
    }
  }

  /** Makes a slice of the message, which ends at `end` or with the message. */
  openSlice(start: number, end: number): void {
    this.#latinStart = start;
    this.#latinEnd = Math.min(this.end, end);
    this.asciiEnd = 0;
    this.latin = latin1String(this.src, start, this.#latinEnd);
  }

  hasSlice(start: number, end: number): boolean {
    return start >= this.#latinStart && end <= this.#latinEnd;
  }

  slice(start: number, end: number): string {
    return this.latin.substring(start - this.#latinStart, end - this.#latinStart);
  }

  #illFormed(start: number, end: number): string | Uint8Array {
    const { utf8 } = this.config;
    if (utf8 === 'raw') return this.bytes(start - this.base, end - this.base);
    if (utf8 === 'error') throw this.fail('invalid_utf8', invalidAt(this.src, start, end));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.src.subarray(start, end));
  }
}
