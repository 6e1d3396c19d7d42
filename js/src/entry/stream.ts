/** `packord/stream`: Web Streams and iterables, in every runtime. */
export {
  type BodyPacker,
  MEDIA_TYPE,
  packBlob,
  packRequest,
  packResponse,
  unpackBody,
} from '../api/bodies.ts';
export {
  decodeArrayStream,
  decodeAsync,
  decodeIter,
  decodeMultiStream,
  encodeIter,
} from '../api/iterate.ts';
export { PackrTransformStream, UnpackrTransformStream } from '../api/web-streams.ts';
export type { Chunks } from '../stream/chunks.ts';
