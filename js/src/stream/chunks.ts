/** The messages of sources that arrive in chunks: each function reads with a feed that its caller made. */
import { type Chunk, type Feed, WAIT } from './Feed.ts';

/** A source of chunks. */
export type Chunks = Iterable<Chunk> | AsyncIterable<Chunk> | ReadableStream<Chunk> | Blob;

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

/**
 * Iterates over the messages of chunks that are there. Where a stream goes on after a fault, so does the iterator that
 * threw it: `next` returns the message after it.
 */
export function decodeSync(source: Iterable<Chunk>, feed: Feed): IterableIterator<unknown> {
  const chunks = source[Symbol.iterator]();
  let hasEnded = false;
  let isDone = false;
  const close = (): void => {
    isDone = true;
    chunks.return?.();
  };
  const pull = (): void => {
    // A source that throws is not closed, and not asked again.
    isDone = true;
    if (hasEnded) return;
    const { done = false, value: chunk } = chunks.next();
    isDone = false;
    hasEnded = done;
    if (hasEnded) feed.end();
    else push(chunk);
  };
  const push = (chunk: Chunk): void => {
    try {
      feed.push(chunk);
    } catch (error) {
      close();
      throw error;
    }
  };
  const next = (): IteratorResult<unknown, undefined> => {
    while (!isDone) {
      try {
        const value = feed.next();
        if (value !== WAIT) return { done: false, value };
      } catch (error) {
        if (feed.hasFailed) close();
        throw error;
      }
      pull();
    }
    return { done: true, value: undefined };
  };
  const end = (value?: undefined): IteratorResult<unknown, undefined> => {
    close();
    return { done: true, value };
  };
  // It is iterable, and has helpers such as map where generators have them.
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  return Object.assign(Object.create(prototype), { next, return: end });
}

/** Returns an object, such as an async iterator, that `await using` ends where the language has that. */
export function disposable<T extends object>(given: T, end: (given: T) => Promise<unknown>): T {
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  if (asyncDispose === undefined) return given;
  const value = async (): Promise<void> => {
    await end(given);
  };
  return Object.defineProperty(given, asyncDispose, { value });
}

/** Iterates over the messages of chunks as they arrive, and goes on as {@link decodeSync} does. */
export function decodeChunks(source: Chunks, feed: Feed): AsyncIterableIterator<unknown> {
  const chunks = chunksOf(source);
  let hasEnded = false;
  let isDone = false;
  let pulling: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    isDone = true;
    await chunks.return();
  };
  const pull = async (): Promise<void> => {
    try {
      const { done = false, value: chunk } = await chunks.next();
      hasEnded = done;
      if (done) feed.end();
      else feed.push(chunk as Chunk);
    } catch (error) {
      await close();
      throw error;
    } finally {
      pulling = null;
    }
  };
  const messages: AsyncIterableIterator<unknown> = {
    async next() {
      // Calls that do not wait for each other get the messages in their order.
      while (pulling !== null) await pulling.catch(() => undefined);
      while (!isDone) {
        try {
          const value = feed.next();
          if (value !== WAIT) return { done: false, value };
        } catch (error) {
          if (feed.hasFailed) await close();
          throw error;
        }
        if (hasEnded) break;
        pulling = pull();
        await pulling;
      }
      isDone = true;
      return { done: true, value: undefined };
    },
    async return(value) {
      await close();
      return { done: true, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return disposable(messages, close);
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

export function decodeElements(source: Chunks, feed: Feed): AsyncIterableIterator<unknown> {
  feed.elements();
  return decodeChunks(source, feed);
}
