/**
 * `packord` in Node: all of the browser's entry and Node's streams.
 */
export * from './index.ts';
export {
  PackrStream,
  PackrStream as EncoderStream,
  type StreamOptions,
  UnpackrStream,
  UnpackrStream as DecoderStream,
} from './stream/node.ts';
