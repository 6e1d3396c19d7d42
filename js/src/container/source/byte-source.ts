/** Where the bytes of a container file come from, and streams and iterables of chunks as sources. */
import { chunksOf } from '../../stream/chunks.ts';
import { type Chunk, chunkBytes } from '../../stream/Feed.ts';

/** A file of which any part can be read. */
export interface RandomSource {
  readonly kind: 'random';
  /** Size in bytes; it grows where the file is followed. */
  readonly size: number;
  /** The bytes, where all of them are in memory. */
  readonly whole?: Uint8Array;
  /** Number of bytes that are read at least, where the file has them. */
  readonly step: number;
  /** Number of bytes that take less time than reading once more. */
  readonly gap: number;
  /** Reads bytes that the file has. Fewer are returned only where it became smaller. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Frees what can be opened again, where nothing is being read. */
  rest?(): Promise<void>;
  /** Waits until the file is larger than `size`; only where it is followed. */
  grown?(size: number): Promise<void>;
  close(): Promise<void>;
}

/** A file that is read once from the beginning to the end. */
export interface ChunkSource {
  readonly kind: 'chunks';
  /** Returns the next bytes; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export type ByteSource = RandomSource | ChunkSource;

/** Sources that are read once, from the beginning to the end. */
export type ChunkedBytes = Iterable<Chunk> | AsyncIterable<Chunk> | ReadableStream<Chunk>;

/** Waits for a promise, but not longer than until a signal. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
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
