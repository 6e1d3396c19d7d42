/** Streams and iterables of chunks as sources. */
import { chunksOf } from '../../stream/chunks.ts';
import { type Chunk, chunkBytes } from '../../stream/Feed.ts';
import type { ChunkSource } from './byte-source.ts';

/** Sources that are read once, from the beginning to the end. */
export type ChunkedBytes = Iterable<Chunk> | AsyncIterable<Chunk> | ReadableStream<Chunk>;

/** Waits for a promise, but not longer than until a signal. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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

export function isChunked(source: unknown): source is ChunkedBytes {
  return (
    typeof source === 'object' &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source || 'getReader' in source)
  );
}

export function chunkSource(chunks: ChunkedBytes, signal: AbortSignal | undefined): ChunkSource {
  const iterator = chunksOf(chunks)[Symbol.asyncIterator]();
  return {
    kind: 'chunks',
    async next() {
      const { done, value } = await orAborted(iterator.next(), signal);
      return done === true ? undefined : chunkBytes(value);
    },
    async close() {
      // Not awaited: a generator that waits for a chunk ends only after that.
      iterator.return(undefined).catch(() => undefined);
    },
  };
}
