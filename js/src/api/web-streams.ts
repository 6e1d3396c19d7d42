import type { Options } from '../options/options.ts';
import { WAIT } from '../stream/Feed.ts';
import { newFeed } from './iterate.ts';
import { PackrClass } from './Packr.ts';

/**
 * A Web TransformStream from values to packed bytes.
 *
 * @example
 * values.pipeThrough(new PackrTransformStream()).pipeTo(sink);
 */
export class PackrTransformStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<unknown>;

  constructor(options: Options = {}) {
    const packr = new PackrClass({ ...options, sequential: true });
    const { readable, writable } = new TransformStream<unknown, Uint8Array>({
      transform(value, controller) {
        controller.enqueue(packr.pack(value));
      },
    });
    this.readable = readable;
    this.writable = writable;
  }
}

/**
 * A Web TransformStream from packed bytes, cut anywhere, to values.
 *
 * @example
 * const values = response.body.pipeThrough(new UnpackrTransformStream());
 * for await (const value of values) console.log(value);
 */
export class UnpackrTransformStream {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<Uint8Array>;

  constructor(options: Options = {}) {
    const feed = newFeed({ ...options, sequential: true });
    const drain = (controller: TransformStreamDefaultController<unknown>): void => {
      for (let value = feed.next(); value !== WAIT; value = feed.next()) controller.enqueue(value);
    };
    const { readable, writable } = new TransformStream<Uint8Array, unknown>({
      transform(chunk, controller) {
        feed.push(chunk);
        drain(controller);
      },
      flush(controller) {
        feed.end();
        drain(controller);
      },
    });
    this.readable = readable;
    this.writable = writable;
  }
}
