import type { Decoder } from '../decode/Decoder.ts';
import { explain } from '../decode/explain.ts';
import { INCOMPLETE } from '../decode/StringDecoder.ts';
import { formatPath, MsgpackDecodeError } from '../errors/errors.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import { allocate, bytesIn, NO_BYTES } from '../wire/platform.ts';
import type { MessagePasser } from './MessagePasser.ts';
import { MessageScanner } from './MessageScanner.ts';

/** What {@link Feed.next} returns when it has to wait for more bytes, or the stream ended. */
export const WAIT: unique symbol = Symbol('wait');

/** A part of a stream. */
export type Chunk = Uint8Array | ArrayBuffer | ArrayBufferView | readonly number[];

export function chunkBytes(chunk: Chunk): Uint8Array {
  if (Array.isArray(chunk)) return Uint8Array.from(chunk as readonly number[]);
  const bytes = bytesIn(chunk);
  if (bytes !== undefined) return bytes;
  throw new TypeError('A chunk must be a Uint8Array, an ArrayBuffer, a view of one or numbers');
}

/** The faults after which no stream goes on. */
const ENDING: readonly (string | undefined)[] = ['eof', 'reserved_marker', 'trailing_bytes'];

/** Allocates memory of the class of a chunk, so that payloads do not depend on where it is cut. */
function memoryLike(chunk: Uint8Array, size: number): Uint8Array {
  const memory = allocate(size);
  return chunk.constructor === Uint8Array ? new Uint8Array(memory.buffer) : memory;
}

/**
 * Reads the messages of a stream from chunks, without input or output of its own
 * (spec/format.md section 6). Values and errors do not depend on where the stream is cut.
 *
 * A message that is whole in the chunk is read at once. For another one, a MessageScanner
 * finds its end, so that the time is linear in the length of the stream. With a MessagePasser the stream
 * goes on after most faults.
 */
export class Feed {
  readonly #decoder: Decoder;
  /** The bytes that were not read yet: `#bytes` from `#from` to `#to`. */
  #bytes: Uint8Array = NO_BYTES;
  #from = 0;
  #to = 0;
  /** Whether `#bytes` is memory of the feed, with room after `#to`. */
  #own = false;
  /** Offset of `#bytes[0]` in the stream, and number of the message. */
  #offset = 0;
  #message = 0;
  #ended = false;
  #scanner: MessageScanner | null = null;
  /** Size of the partial message at which the decoder looks for a fault in it. */
  #nextLook = 0;
  readonly #Passer: (new (decoder: Decoder) => MessagePasser) | undefined;
  /** Passes over a message whose fault was thrown. */
  #passer: MessagePasser | null = null;
  /** The fault that ends the stream, and whether it was thrown. */
  #failure: unknown;
  #isReported = false;
  /** Whether a message exceeds maxBuffer. */
  #isFull = false;
  /** Pending elements of the array; -1 before its header; undefined without an array. */
  #elements: number | undefined;

  /** @param Passer without it, each fault ends the stream */
  constructor(decoder: Decoder, Passer?: new (decoder: Decoder) => MessagePasser) {
    this.#decoder = decoder;
    this.#Passer = Passer;
    decoder.partial = true;
  }

  push(given: Chunk): void {
    const chunk = chunkBytes(given);
    if (this.#failure !== undefined) return;
    const rest = this.#to - this.#from;
    if (rest === 0) {
      this.#offset += this.#to;
      this.#bytes = chunk;
      this.#own = false;
      this.#from = 0;
      this.#to = chunk.length;
      return;
    }
    // Of memory that was transferred nothing is left to add to: the next call of next throws.
    if (this.#isGone) return;
    if (!this.#own || this.#to + chunk.length > this.#bytes.length) this.#keep(chunk.length);
    this.#bytes.set(chunk, this.#to);
    this.#to += chunk.length;
  }

  /** Whether the memory of the rest was transferred or made smaller. */
  get #isGone(): boolean {
    return this.#from < this.#to && this.#bytes.length < this.#to;
  }

  /** Copies the rest to memory of the feed with room for `more` bytes. */
  #keep(more: number): void {
    const rest = this.#to - this.#from;
    // Values may be views of the old memory, so it is not written over.
    const bytes = memoryLike(this.#bytes, Math.max((rest + more) * 2, 1024));
    bytes.set(this.#bytes.subarray(this.#from, this.#to));
    this.#offset += this.#from;
    this.#bytes = bytes;
    this.#own = true;
    this.#from = 0;
    this.#to = rest;
  }

  end(): void {
    this.#ended = true;
  }

  /** Makes the elements of the array that comes next count as messages. */
  elements(): void {
    this.#elements = -1;
  }

  /** Returns the error of bytes after the one message of a body; undefined without such bytes. */
  trailing(): MsgpackDecodeError | undefined {
    if (this.#from === this.#to) return undefined;
    return new MsgpackDecodeError('trailing_bytes', this.#offset + this.#from);
  }

  empty(): MsgpackDecodeError {
    return new MsgpackDecodeError('eof', this.#offset + this.#to);
  }

  /** Whether the stream has ended with a fault, which `next` throws again. */
  get hasFailed(): boolean {
    return this.#failure !== undefined && this.#isReported;
  }

  /**
   * Returns the next value, or {@link WAIT}. Unless the stream {@link hasFailed}, it goes on after a message whose
   * fault was thrown.
   */
  next(): unknown {
    if (this.#failure !== undefined) {
      this.#isReported = true;
      throw this.#failure;
    }
    const isEmpty = this.#from === this.#to;
    if (isEmpty && this.#elements === undefined && this.#passer === null) return WAIT;
    try {
      if (this.#isGone) throw new RangeError('The memory of a chunk is gone');
      const value = this.#passer === null || this.#passOver(this.#passer) ? this.#next() : WAIT;
      // The source may use the memory of its chunk again, or transfer it.
      if (value === WAIT && !this.#own && this.#from < this.#to) this.#keep(0);
      return value;
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  /** Passes over the message at fault; returns false while bytes of it are to come. */
  #passOver(passer: MessagePasser): boolean {
    const decoder = this.#decoder;
    decoder.partial = !this.#ended;
    this.#open(this.#to);
    const isWhole = passer.pass();
    this.#from = decoder.pos - decoder.base;
    if (!isWhole && this.#ended) throw new MsgpackDecodeError('eof', this.#to);
    if (!isWhole) return false;
    if (decoder.config.sequential) decoder.structures?.commit();
    else decoder.structures?.rollback();
    this.#passer = null;
    this.#count();
    return true;
  }

  #count(): void {
    this.#message++;
    if (this.#elements !== undefined) this.#elements--;
    this.#scanner = null;
  }

  /** Returns what is thrown for a fault. The stream ends with it, or its message is passed over. */
  #faultOf(thrown: unknown): unknown {
    const error = this.#placed(thrown);
    const { kind, offset } = (error ?? {}) as Partial<MsgpackDecodeError>;
    this.#isReported = true;
    const Passer = this.#passer === null && !this.#isGone && !this.#isFull && this.#Passer;
    // What bundled strings are about is known within a message alone.
    if (Passer && !this.#decoder.config.bundleStrings && !ENDING.includes(kind)) {
      this.#passer = new Passer(this.#decoder);
      try {
        this.#passOver(this.#passer);
        return error;
      } catch (second) {
        const ending = this.#placed(second) as Partial<MsgpackDecodeError>;
        if (ending.kind !== kind || ending.offset !== offset) {
          this.#isReported = false;
          this.#fail(ending);
          return error;
        }
      }
    }
    this.#fail(error);
    return error;
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#bytes = NO_BYTES;
    this.#from = 0;
    this.#to = 0;
  }

  #next(): unknown {
    if (this.#elements !== undefined && !this.#element()) return WAIT;
    const available = this.#to - this.#from;
    if (available === 0) return WAIT;
    if (this.#scanner === null && available <= this.#decoder.config.maxBuffer) {
      const value = this.#read(this.#to);
      if (value !== WAIT) return value;
    }
    if (this.#scanner === null) {
      this.#scanner = new MessageScanner(this.#decoder);
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
      this.#decoder.partial = false;
      return this.#read(this.#to);
    }
    return WAIT;
  }

  /** Returns the error of a value that announces too much, unless there is a fault before it. */
  #tooLarge(scanner: MessageScanner): unknown {
    const fault = scanner.tooLarge();
    const markerOffset = fault.offset;
    const message = this.#message;
    // It gets its path before definitions change.
    const tooLarge = this.#explained(fault);
    try {
      this.#read(this.#to);
    } catch (error) {
      // Of the faults at one marker, the depth comes first.
      if (error instanceof MsgpackDecodeError) {
        const same = scanner.overByElements && error.offset === markerOffset && error.kind === 'depth_limit';
        if (error.offset < markerOffset || same) return error;
      }
    }
    this.#message = message;
    this.#isFull = true;
    return tooLarge;
  }

  /** Reads the header of the array if it was not read; returns false with nothing to read after it. */
  #element(): boolean {
    const available = this.#to - this.#from;
    if (this.#elements === -1) {
      const header = newHeader();
      this.#open(this.#to);
      const { view, pos, end } = this.#decoder;
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
    const decoder = this.#decoder;
    if (decoder.source === this.#bytes) decoder.seek(this.#from, to);
    else decoder.open(this.#bytes, this.#from, to);
  }

  /** Reads a message from the bytes up to `to`; returns WAIT when they are too few. */
  #read(to: number): unknown {
    const decoder = this.#decoder;
    this.#open(to);
    try {
      const value = decoder.message();
      this.#from = decoder.pos - decoder.base;
      this.#count();
      return value;
    } catch (error) {
      if (error === INCOMPLETE) return WAIT;
      throw error;
    } finally {
      if (this.#from === this.#to) decoder.close();
    }
  }

  /** Returns an error with its path in the message that begins at `#from`. */
  #explained(error: unknown): unknown {
    return explain(error, this.#decoder, this.#bytes, this.#from, this.#to, this.#message);
  }

  /** Returns an error with its offset in the stream and the number of its message. */
  #placed(thrown: unknown): unknown {
    const error = this.#passer === null || this.#isGone ? this.#explained(thrown) : thrown;
    if (!(error instanceof MsgpackDecodeError)) return error;
    const { kind, offset, path = formatPath([], this.#message), detail, cause } = error;
    return new MsgpackDecodeError(kind, offset + this.#offset, { path, detail, cause });
  }
}
