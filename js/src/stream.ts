/**
 * `packord/stream`: Web Streams and iterables, in every runtime.
 */
export {
  type Chunks,
  decodeArrayStream,
  decodeAsync,
  decodeIter,
  decodeMultiStream,
  encodeIter,
} from './stream/iterate.ts';
export { PackrTransformStream, UnpackrTransformStream } from './stream/web.ts';
