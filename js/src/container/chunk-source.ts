/** Streams and iterables of chunks as sources. */
import { chunksOf } from '../api/iterate.ts';
import type { Chunk } from '../stream/Feed.ts';
import { bytesIn } from '../wire/memory.ts';
import type { ChunkSource } from './byte-source.ts';

/** Sources that are read once, from the beginning to the end. */
export type ChunkedBytes = Iterable<Chunk> | AsyncIterable<Chunk> | ReadableStream<Chunk>;

/** Waits for a promise, but not longer than until a signal. */
export async function orAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort: (() => void) | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort);
      }),
    ]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}

function bytesOfChunk(chunk: Chunk): Uint8Array {
  const bytes = Array.isArray(chunk) ? Uint8Array.from(chunk) : bytesIn(chunk);
  if (bytes !== undefined) return bytes;
  throw new TypeError('A chunk must be a Uint8Array, an ArrayBuffer, a view of one or numbers');
}

/** Whether a value can be read in chunks. */
export function isChunked(source: unknown): source is ChunkedBytes {
  return (
    typeof source === 'object' &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source || 'getReader' in source)
  );
}

/** Makes a source of chunks. */
export function chunkSource(chunks: ChunkedBytes, signal: AbortSignal | undefined): ChunkSource {
  const iterator = chunksOf(chunks)[Symbol.asyncIterator]();
  return {
    kind: 'chunks',
    async next() {
      const { done, value } = await orAborted(iterator.next(), signal);
      return done === true ? undefined : bytesOfChunk(value);
    },
    async close() {
      // Not awaited: a generator that waits for a chunk ends only after that.
      iterator.return(undefined).catch(() => undefined);
    },
  };
}
