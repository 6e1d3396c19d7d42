import type { Options } from '../api/options.ts';
import { PackrClass } from '../api/packr.ts';
import { WAIT } from './feed.ts';
import { newFeed } from './iterate.ts';

/**
 * A Web TransformStream that takes values and gives their packed bytes.
 *
 * @example
 * values.pipeThrough(new PackrTransformStream()).pipeTo(sink);
 */
export class PackrTransformStream extends TransformStream<unknown, Uint8Array> {
  constructor(options: Options = {}) {
    const packr = new PackrClass({ ...options, sequential: true });
    super({
      transform(value, controller) {
        controller.enqueue(packr.pack(value));
      },
    });
  }
}

/**
 * A Web TransformStream that takes packed bytes, however they are cut, and gives the values.
 *
 * @example
 * const values = response.body.pipeThrough(new UnpackrTransformStream());
 * for await (const value of values) console.log(value);
 */
export class UnpackrTransformStream extends TransformStream<Uint8Array, unknown> {
  constructor(options: Options = {}) {
    const feed = newFeed({ ...options, sequential: true });
    const drain = (controller: TransformStreamDefaultController<unknown>): void => {
      for (let value = feed.next(); value !== WAIT; value = feed.next()) controller.enqueue(value);
    };
    super({
      transform(chunk, controller) {
        feed.push(chunk);
        drain(controller);
      },
      flush(controller) {
        feed.end();
        drain(controller);
      },
    });
  }
}
