import { Transform, type TransformCallback, type TransformOptions } from 'node:stream';
import { DIALECT, type InternalOptions } from '../options/dialect.ts';
import type { Options } from '../options/options.ts';
import { Feed, WAIT } from '../stream/Feed.ts';
import { NO_BYTES } from '../wire/platform.ts';
import { type Callable, callable } from './callable.ts';
import { APPEND } from './modes.ts';
import { PackrClass } from './Packr.ts';
import { UnpackrClass } from './Unpackr.ts';

/** The options of Node's streams and of these classes, which a Packr does not have. */
const STREAM_OPTIONS = [
  ...['allowHalfOpen', 'autoDestroy', 'captureRejections', 'construct', 'decodeStrings'],
  ...['defaultEncoding', 'destroy', 'emitClose', 'encoding', 'final', 'flush', 'highWaterMark'],
  ...['objectMode', 'read', 'readableHighWaterMark', 'readableObjectMode', 'signal', 'transform'],
  ...['writableHighWaterMark', 'writableObjectMode', 'write', 'writev', 'packr', 'unpackr'],
];

function packingOptions(options: object): InternalOptions {
  const rest: Record<string, unknown> = { ...options };
  for (const name of STREAM_OPTIONS) delete rest[name];
  return rest;
}

/** Options of the streams: those for packing and those of Node's streams. */
export type StreamOptions = Options & TransformOptions;

/** Replaces nil in a stream of objects, which can't contain null. */
const NULL_VALUE: symbol = /* @__PURE__ */ Symbol.for('null');

class PackrTransform extends Transform {
  readonly packr: PackrClass;
  /** Messages that wait, one after another: the memory, and their begin and end in it. */
  #memory: Uint8Array = NO_BYTES;
  #from = 0;
  #to = 0;
  /** Size in bytes from which on they don't wait; 0 when each message is a chunk. */
  readonly #size: number;
  #scheduled = false;
  readonly #flushLater = (): void => {
    this.#scheduled = false;
    this.#passOn();
  };

  constructor(options: StreamOptions & { packr?: PackrClass } = {}) {
    super({ ...options, writableObjectMode: true });
    this.packr = options.packr ?? new PackrClass({ ...packingOptions(options), sequential: true });
    const alone = (options as InternalOptions)[DIALECT]?.oneChunkEach || this.readableObjectMode;
    this.#size = alone ? 0 : this.readableHighWaterMark;
  }

  /**
   * Packs a value. Passing a chunk on costs more than packing a small value, so the messages of
   * one tick make one chunk, up to the size that the consumer asks for.
   */
  override _transform(value: unknown, _encoding: string, callback: TransformCallback): void {
    const { packing } = this.packr;
    let memory: Uint8Array;
    try {
      memory = packing.run(value, APPEND);
    } catch (error) {
      this.#passOn();
      callback(error as Error);
      return;
    }
    const { begun } = packing;
    if (memory !== this.#memory || begun !== this.#to) {
      this.#passOn();
      this.#memory = memory;
      this.#from = begun;
    }
    this.#to = packing.offset;
    if (this.#to - this.#from >= this.#size || this.readableLength >= this.#size) this.#passOn();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      process.nextTick(this.#flushLater);
    }
    callback();
  }

  override _flush(callback: TransformCallback): void {
    this.#passOn();
    callback();
  }

  #passOn(): void {
    if (this.#from === this.#to) return;
    const chunk = this.#memory.subarray(this.#from, this.#to);
    this.#from = this.#to;
    this.push(chunk);
  }
}

class UnpackrTransform extends Transform {
  readonly unpackr: UnpackrClass;
  readonly #feed: Feed;
  /** The callback of the chunk whose values the consumer did not take yet. */
  #waiting: TransformCallback | null = null;
  #draining = false;
  #asked = false;

  constructor(options: StreamOptions & { unpackr?: UnpackrClass } = {}) {
    super({ ...options, objectMode: true });
    this.unpackr = options.unpackr ?? new UnpackrClass({ ...packingOptions(options), sequential: true });
    this.#feed = new Feed(this.unpackr.newDecoder());
  }

  override _transform(chunk: Uint8Array, _encoding: string, callback: TransformCallback): void {
    try {
      this.#feed.push(chunk);
    } catch (error) {
      callback(error as Error);
      return;
    }
    this.#drain(callback);
  }

  override _flush(callback: TransformCallback): void {
    this.#feed.end();
    this.#drain(callback);
  }

  /** Replaces the waiting for the consumer in Transform, which is done here already. */
  override _write(chunk: Uint8Array, encoding: string, callback: TransformCallback): void {
    this._transform(chunk, encoding, callback);
  }

  override _read(): void {
    if (this.#draining) {
      this.#asked = true;
      return;
    }
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    this.#drain(waiting);
  }

  /** Delivers values until there are no more, or until the consumer has enough. */
  #drain(callback: TransformCallback): void {
    const feed = this.#feed;
    this.#draining = true;
    try {
      for (let value = feed.next(); value !== WAIT; value = feed.next()) {
        this.#asked = false;
        // The consumer may ask for more while it receives this value.
        if (!this.push(value === null ? this.getNullValue() : value) && !this.#asked) {
          this.#waiting = callback;
          return;
        }
      }
    } catch (error) {
      callback(error as Error);
      return;
    } finally {
      this.#draining = false;
    }
    callback();
  }

  /** Returns the value that is delivered for nil; a subclass may return another one. */
  getNullValue(): unknown {
    return NULL_VALUE;
  }
}

/**
 * A Node stream from values to packed bytes. Record definitions are written once for the
 * whole stream. The messages of one tick make one chunk; with `readableObjectMode: true` each
 * message is a chunk.
 *
 * @example
 * const stream = new PackrStream();
 * stream.pipe(socket);
 * stream.write({ id: 1 });
 */
export type PackrStream = PackrTransform;
export const PackrStream: Callable<typeof PackrTransform> = /* @__PURE__ */ callable(PackrTransform, 'PackrStream');

/**
 * A Node stream from packed bytes, cut anywhere, to values. Nil is delivered as
 * `Symbol.for('null')`.
 *
 * @example
 * socket.pipe(new UnpackrStream()).on('data', (value) => console.log(value));
 */
export type UnpackrStream = UnpackrTransform;
export const UnpackrStream: Callable<typeof UnpackrTransform> = /* @__PURE__ */ callable(
  UnpackrTransform,
  'UnpackrStream',
);
