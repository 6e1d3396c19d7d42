import { INCOMPLETE, type Reader } from '../decode/reader.ts';
import { MsgpackDecodeError } from '../errors/errors.ts';
import { formatPath } from '../errors/path.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import { allocate } from '../wire/platform.ts';
import { Scanner } from './scanner.ts';

/** What {@link Feed.next} gives when it has to wait for more bytes, or the stream ended. */
export const WAIT: unique symbol = Symbol('wait');

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/**
 * Reads the messages of a stream from chunks, without any input or output of its own
 * (spec/format.md section 6). However the bytes are cut, values and errors are the same.
 *
 * A message that is whole in the chunk is read at once. For one that is not, a scanner
 * looks for its end, so that the whole work is linear in the length of the stream.
 */
export class Feed {
  readonly #reader: Reader;
  /** What came and was not read: `#bytes` from `#from` to `#to`. */
  #bytes: Uint8Array = NO_BYTES;
  #from = 0;
  #to = 0;
  /** Whether `#bytes` is memory of our own, with room behind `#to`. */
  #own = false;
  /** Offset of `#bytes[0]` in the stream, and number of the message. */
  #offset = 0;
  #message = 0;
  #ended = false;
  #scanner: Scanner | null = null;
  /** Length of the partial message at which the reader is asked whether it is at fault. */
  #nextLook = 0;
  #failure: unknown;
  /** Elements of the array that are still to come; -1 before its header; undefined without one. */
  #elements: number | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
    reader.partial = true;
  }

  /** Adds the bytes that came. */
  push(chunk: Uint8Array): void {
    const rest = this.#to - this.#from;
    if (rest === 0) {
      this.#offset += this.#to;
      this.#bytes = chunk;
      this.#own = false;
      this.#from = 0;
      this.#to = chunk.length;
      return;
    }
    if (!this.#own || this.#to + chunk.length > this.#bytes.length) {
      // What was read may be views of the old memory, so that it is not written over.
      const bytes = allocate(Math.max((rest + chunk.length) * 2, 1024));
      bytes.set(this.#bytes.subarray(this.#from, this.#to));
      this.#offset += this.#from;
      this.#bytes = bytes;
      this.#own = true;
      this.#from = 0;
      this.#to = rest;
    }
    this.#bytes.set(chunk, this.#to);
    this.#to += chunk.length;
  }

  /** Says that no more bytes will come. */
  end(): void {
    this.#ended = true;
  }

  /** From now on, the elements of the array that comes next count as messages. */
  elements(): void {
    this.#elements = -1;
  }

  /** The error of bytes behind the one message of a body; undefined when there are none. */
  trailing(): MsgpackDecodeError | undefined {
    if (this.#from === this.#to) return undefined;
    return new MsgpackDecodeError('trailing_bytes', this.#offset + this.#from);
  }

  /** The error of a body without a message. */
  empty(): MsgpackDecodeError {
    return new MsgpackDecodeError('eof', this.#offset + this.#to);
  }

  /** The next value, or {@link WAIT}. */
  next(): unknown {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#from === this.#to && this.#elements === undefined) return WAIT;
    try {
      return this.#next();
    } catch (error) {
      this.#failure = this.#placed(error);
      throw this.#failure;
    }
  }

  #next(): unknown {
    if (this.#elements !== undefined && !this.#element()) return WAIT;
    const available = this.#to - this.#from;
    if (available === 0) return WAIT;
    if (this.#scanner === null && available <= this.#reader.config.maxBuffer) {
      const value = this.#read(this.#to);
      if (value !== WAIT) return value;
    }
    if (this.#scanner === null) {
      this.#scanner = new Scanner(this.#reader);
      this.#nextLook = available * 2;
    }
    const scanner = this.#scanner;
    this.#open(this.#to);
    const result = scanner.scan();
    if (result === 'whole') return this.#read(this.#to);
    if (result === 'over') throw this.#tooLarge(scanner);
    if (available >= scanner.need && (result === 'fault' || available >= this.#nextLook)) {
      this.#nextLook = available * 2;
      const value = this.#read(this.#to);
      if (value !== WAIT) return value;
    }
    if (this.#ended) {
      this.#reader.partial = false;
      return this.#read(this.#to);
    }
    return WAIT;
  }

  /** The error for a value that announces too much, unless there is a fault before it. */
  #tooLarge(scanner: Scanner): unknown {
    const marker = this.#from + scanner.marker;
    try {
      this.#read(this.#to);
    } catch (error) {
      // Of the faults at the same marker, depth is looked for first.
      if (error instanceof MsgpackDecodeError) {
        const same =
          scanner.overByElements && error.offset === marker && error.kind === 'depth_limit';
        if (error.offset < marker || same) return error;
      }
    }
    const detail = 'the message needs more than maxBuffer';
    return new MsgpackDecodeError('length_limit', marker, { detail });
  }

  /** Reads the array's header where that is still to be done; false when there is nothing to read. */
  #element(): boolean {
    const available = this.#to - this.#from;
    if (this.#elements === -1) {
      const header = newHeader();
      this.#open(this.#to);
      const { view, pos, end } = this.#reader;
      if (!readHeader(view, pos, end, header)) {
        if (this.#ended) throw new MsgpackDecodeError('eof', this.#to);
        return false;
      }
      const isArray = header.kind === 'array';
      this.#elements = isArray ? header.count : 1;
      if (isArray) this.#from += header.size;
      return this.#element();
    }
    if (this.#elements === 0) {
      if (available > 0) throw new MsgpackDecodeError('trailing_bytes', this.#from);
      return false;
    }
    if (available === 0 && this.#ended) throw new MsgpackDecodeError('eof', this.#to);
    return available > 0;
  }

  #open(to: number): void {
    const reader = this.#reader;
    if (reader.source === this.#bytes) reader.seek(this.#from, to);
    else reader.open(this.#bytes, this.#from, to);
  }

  /** Reads a message from the bytes up to `to`; WAIT when they are too few. */
  #read(to: number): unknown {
    const reader = this.#reader;
    this.#open(to);
    try {
      const value = reader.message();
      this.#from = reader.pos - reader.base;
      this.#message++;
      if (this.#elements !== undefined) this.#elements--;
      this.#scanner = null;
      return value;
    } catch (error) {
      if (error === INCOMPLETE) return WAIT;
      throw error;
    } finally {
      if (this.#from === this.#to) reader.close();
    }
  }

  /** An error with its offset in the stream and the number of its message. */
  #placed(error: unknown): unknown {
    if (!(error instanceof MsgpackDecodeError)) return error;
    return new MsgpackDecodeError(error.kind, error.offset + this.#offset, {
      path: error.path ?? formatPath([], this.#message),
      cause: error.cause,
    });
  }
}
