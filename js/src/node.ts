/**
 * `packord` in Node: all of the browser's entry and Node's streams.
 */

export {
  PackrStream,
  PackrStream as EncoderStream,
  type StreamOptions,
  UnpackrStream,
  UnpackrStream as DecoderStream,
} from './api/node-streams.ts';
export * from './index.ts';
