import { Transform, type TransformCallback, type TransformOptions } from 'node:stream';
import { type Callable, callable } from '../api/callable.ts';
import type { Options } from '../api/options.ts';
import { PackrClass } from '../api/packr.ts';
import { type InternalOptions, UnpackrClass } from '../api/unpackr.ts';
import { Feed, WAIT } from './feed.ts';

/** Options of the streams: those of packing and those of Node's streams. */
export type StreamOptions = Options & TransformOptions;

/** What stands for nil in a stream of objects, which can't carry null. */
const NULL_VALUE: symbol = /* @__PURE__ */ Symbol.for('null');

class PackrTransform extends Transform {
  readonly packr: PackrClass;

  constructor(options: StreamOptions & { packr?: PackrClass } = {}) {
    super({ ...options, writableObjectMode: true });
    this.packr = options.packr ?? new PackrClass({ ...options, sequential: true });
  }

  override _transform(
    value: unknown,
    _encoding: BufferEncoding,
    callback: TransformCallback,
  ): void {
    let bytes: Buffer;
    try {
      bytes = this.packr.pack(value);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback(null, bytes);
  }
}

class UnpackrTransform extends Transform {
  readonly unpackr: UnpackrClass;
  readonly #feed: Feed;

  constructor(options: StreamOptions & { unpackr?: UnpackrClass } = {}) {
    super({ ...options, objectMode: true });
    this.unpackr =
      options.unpackr ?? new UnpackrClass({ ...options, sequential: true } as InternalOptions);
    this.#feed = new Feed(this.unpackr.newReader());
  }

  override _transform(
    chunk: Uint8Array,
    _encoding: BufferEncoding,
    callback: TransformCallback,
  ): void {
    this.#feed.push(chunk);
    this.#drain(callback);
  }

  override _flush(callback: TransformCallback): void {
    this.#feed.end();
    this.#drain(callback);
  }

  #drain(callback: TransformCallback): void {
    try {
      for (let value = this.#feed.next(); value !== WAIT; value = this.#feed.next())
        this.push(value === null ? this.getNullValue() : value);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback();
  }

  /** What is delivered for nil: a subclass may choose another value. */
  getNullValue(): unknown {
    return NULL_VALUE;
  }
}

/**
 * A Node stream that takes values and gives their packed bytes. Record definitions are
 * written once for the whole stream.
 *
 * @example
 * const stream = new PackrStream();
 * stream.pipe(socket);
 * stream.write({ id: 1 });
 */
export type PackrStream = PackrTransform;
export const PackrStream: Callable<typeof PackrTransform> = /* @__PURE__ */ callable(
  PackrTransform,
  'PackrStream',
);

/**
 * A Node stream that takes packed bytes, however they are cut, and gives the values.
 * Nil is delivered as `Symbol.for('null')`.
 *
 * @example
 * socket.pipe(new UnpackrStream()).on('data', (value) => console.log(value));
 */
export type UnpackrStream = UnpackrTransform;
export const UnpackrStream: Callable<typeof UnpackrTransform> = /* @__PURE__ */ callable(
  UnpackrTransform,
  'UnpackrStream',
);
