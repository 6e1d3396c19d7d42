/** The sources that every platform has: memory, Blobs, servers, streams. */
import { bytesIn } from '../../wire/memory.ts';
import {
  type ByteSource,
  type ChunkedBytes,
  chunkSource,
  isChunked,
  orAborted,
  type RandomSource,
} from './byte-source.ts';
import { httpSource } from './http-source.ts';

/** Bytes of a Blob that are read at once at least, and rather than once more. */
const BLOB_STEP = 1 << 20;
const BLOB_GAP = 1 << 14;

/**
 * What a container file can be read from: bytes in memory, a Blob or a File, the URL of a file on a server,
 * or a stream of chunks.
 */
export type WebSource = Uint8Array | ArrayBuffer | ArrayBufferView | Blob | URL | string | Response | ChunkedBytes;

function memorySource(whole: Uint8Array): RandomSource {
  return {
    kind: 'random',
    size: whole.length,
    whole,
    step: 0,
    gap: 0,
    read: async (offset, length) => whole.subarray(offset, offset + length),
    close: async () => undefined,
  };
}

function blobSource(blob: Blob, signal: AbortSignal | undefined): RandomSource {
  return {
    kind: 'random',
    size: blob.size,
    step: BLOB_STEP,
    gap: BLOB_GAP,
    async read(offset, length) {
      const part = blob.slice(offset, offset + length).arrayBuffer();
      return new Uint8Array(await orAborted(part, signal));
    },
    close: async () => undefined,
  };
}

/** Opens a source that every platform has; anything else is a TypeError. */
export async function webSource(source: WebSource, signal: AbortSignal | undefined): Promise<ByteSource> {
  const bytes = bytesIn(source);
  if (bytes !== undefined) return memorySource(bytes);
  if (source instanceof Blob) return blobSource(source, signal);
  if (typeof source === 'string' || source instanceof URL) return httpSource(source, signal);
  if (source instanceof Response && source.body !== null) return chunkSource(source.body, signal);
  if (isChunked(source)) return chunkSource(source, signal);
  throw new TypeError('A container file is read from bytes, a Blob, a URL or a stream');
}
