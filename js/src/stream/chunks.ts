/** The messages of sources that arrive in chunks: each function reads with a feed that its caller made. */
import { type Chunk, type Feed, WAIT } from './Feed.ts';

/** A source of chunks. */
export type Chunks = Iterable<Chunk> | AsyncIterable<Chunk> | ReadableStream<Chunk> | Blob;

function* arrived(feed: Feed): Generator<unknown, void, undefined> {
  for (let value = feed.next(); value !== WAIT; value = feed.next()) yield value;
}

function isIterable(source: object, symbol: typeof Symbol.asyncIterator | typeof Symbol.iterator) {
  // Polyfills of ReadableStream have the property without a function.
  return typeof (source as Record<symbol, unknown>)[symbol] === 'function';
}

/** Yields the chunks of a source, or of a Blob. A ReadableStream that can't be iterated is read, and released. */
export async function* chunksOf<T>(
  source: Iterable<T> | AsyncIterable<T> | ReadableStream<T> | Blob,
): AsyncGenerator<T, void, undefined> {
  if (typeof Blob === 'function' && source instanceof Blob) {
    yield* chunksOf(source.stream() as unknown as ReadableStream<T>);
    return;
  }
  if (isIterable(source, Symbol.asyncIterator) || isIterable(source, Symbol.iterator)) {
    yield* source as AsyncIterable<T>;
    return;
  }
  const reader = (source as ReadableStream<T>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Yields the messages of chunks that are there. */
export function* decodeSync(
  source: Iterable<Chunk>,
  feed: Feed,
): Generator<unknown, void, undefined> {
  for (const chunk of source) {
    feed.push(chunk);
    yield* arrived(feed);
  }
  feed.end();
  yield* arrived(feed);
}

/** Yields the messages of chunks as they arrive. */
export async function* decodeChunks(
  source: Chunks,
  feed: Feed,
): AsyncGenerator<unknown, void, undefined> {
  for await (const chunk of chunksOf(source)) {
    feed.push(chunk);
    yield* arrived(feed);
  }
  feed.end();
  yield* arrived(feed);
}

/** Returns the one message of a source; with `trailing` bytes may follow it. */
export async function decodeOne(source: Chunks, feed: Feed, trailing: boolean): Promise<unknown> {
  let value: unknown = WAIT;
  const look = (): void => {
    if (value === WAIT) value = feed.next();
    const extra = value === WAIT || trailing ? undefined : feed.trailing();
    if (extra !== undefined) throw extra;
  };
  for await (const chunk of chunksOf(source)) {
    if (value !== WAIT && trailing) break;
    feed.push(chunk);
    look();
  }
  feed.end();
  look();
  if (value === WAIT) throw feed.empty();
  return value;
}

/** Yields the elements of the one array in a source. */
export function decodeElements(
  source: Chunks,
  feed: Feed,
): AsyncGenerator<unknown, void, undefined> {
  feed.elements();
  return decodeChunks(source, feed);
}
