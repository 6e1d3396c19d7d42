import { type Chunk, Feed, WAIT } from '../stream/Feed.ts';
import type { Packed } from '../wire/platform.ts';
import type { InternalOptions } from './dialect.ts';
import type { Options } from './options.ts';
import { PackrClass } from './Packr.ts';
import { UnpackrClass } from './Unpackr.ts';

/** A source of chunks. */
export type Chunks = Iterable<Chunk> | AsyncIterable<Chunk> | ReadableStream<Chunk> | Blob;

/** Makes the feed of a new stream. */
export function newFeed(options: InternalOptions = {}): Feed {
  return new Feed(new UnpackrClass(options).newDecoder());
}

function* values(feed: Feed): Generator<unknown, void, undefined> {
  for (;;) {
    const value = feed.next();
    if (value === WAIT) return;
    yield value;
  }
}

/** Yields the chunks of a source, or of a Blob. A ReadableStream that can't be iterated is read, and released. */
export async function* chunksOf(source: Chunks): AsyncGenerator<Chunk, void, undefined> {
  if (source instanceof Blob) {
    yield* chunksOf(source.stream());
    return;
  }
  if (Symbol.asyncIterator in source || Symbol.iterator in source) {
    yield* source as AsyncIterable<Chunk>;
    return;
  }
  const reader = (source as ReadableStream<Chunk>).getReader();
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

function* decodeSync(source: Iterable<Chunk>, feed: Feed): Generator<unknown, void, undefined> {
  for (const chunk of source) {
    feed.push(chunk);
    yield* values(feed);
  }
  feed.end();
  yield* values(feed);
}

async function* decodeChunks(source: Chunks, feed: Feed): AsyncGenerator<unknown, void, undefined> {
  for await (const chunk of chunksOf(source)) {
    feed.push(chunk);
    yield* values(feed);
  }
  feed.end();
  yield* values(feed);
}

/**
 * Unpacks the messages of a stream: returns an iterator for an iterable of chunks, and an async
 * iterator for an async iterable or a ReadableStream.
 *
 * @throws MsgpackDecodeError with offsets from the first byte of the stream
 * @example
 * for (const value of decodeIter([chunk1, chunk2])) console.log(value);
 */
export function decodeIter(source: Iterable<Chunk>, options?: Options): IterableIterator<unknown>;
export function decodeIter(
  source: AsyncIterable<Chunk> | ReadableStream<Chunk> | Blob,
  options?: Options,
): AsyncIterableIterator<unknown>;
export function decodeIter(
  source: Chunks,
  options: Options = {},
): IterableIterator<unknown> | AsyncIterableIterator<unknown> {
  if (source === null || typeof source !== 'object')
    throw new TypeError(
      'The source of chunks must be an iterable, an async iterable or a ReadableStream',
    );
  const feed = newFeed(options);
  return Symbol.iterator in source ? decodeSync(source, feed) : decodeChunks(source, feed);
}

function* encodeSync(
  source: Iterable<unknown>,
  packr: PackrClass,
): Generator<Uint8Array, void, undefined> {
  for (const value of source) yield packr.pack(value);
}

async function* encodeAsync(
  source: AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown> | Iterable<unknown>>,
  packr: PackrClass,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const value of await source) yield packr.pack(value);
}

/**
 * Packs the values of an iterable, or of an async iterable or a promise of one.
 *
 * @throws MsgpackEncodeError
 * @example
 * for (const bytes of encodeIter([{ a: 1 }, { a: 2 }])) socket.write(bytes);
 */
export function encodeIter(source: Iterable<unknown>, options?: Options): IterableIterator<Packed>;
export function encodeIter(
  source: AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown> | Iterable<unknown>>,
  options?: Options,
): AsyncIterableIterator<Packed>;
export function encodeIter(
  source:
    | Iterable<unknown>
    | AsyncIterable<unknown>
    | PromiseLike<AsyncIterable<unknown> | Iterable<unknown>>,
  options: Options = {},
): IterableIterator<Uint8Array> | AsyncIterableIterator<Uint8Array> {
  if (source === null || typeof source !== 'object')
    throw new TypeError(
      'The source of values must be an iterable, an async iterable or a promise of one',
    );
  const packr = new PackrClass(options);
  return Symbol.iterator in source ? encodeSync(source, packr) : encodeAsync(source, packr);
}

/**
 * Unpacks the one message of a body that arrives in chunks, such as `response.body`.
 *
 * @throws MsgpackDecodeError
 * @example
 * const value = await decodeAsync((await fetch('/data')).body);
 */
export async function decodeAsync(source: Chunks, options: Options = {}): Promise<unknown> {
  const feed = newFeed(options);
  let value: unknown = WAIT;
  const look = (): void => {
    if (value === WAIT) value = feed.next();
    const extra = value === WAIT || options.trailing === 'allow' ? undefined : feed.trailing();
    if (extra !== undefined) throw extra;
  };
  for await (const chunk of chunksOf(source)) {
    if (value !== WAIT && options.trailing === 'allow') break;
    feed.push(chunk);
    look();
  }
  feed.end();
  look();
  if (value === WAIT) throw feed.empty();
  return value;
}

/**
 * Unpacks the messages of a body that arrives in chunks.
 *
 * @throws MsgpackDecodeError
 * @example
 * for await (const value of decodeMultiStream(response.body)) console.log(value);
 */
export function decodeMultiStream(
  source: Chunks,
  options: Options = {},
): AsyncIterableIterator<unknown> {
  return decodeChunks(source, newFeed(options));
}

/**
 * Unpacks the elements of the one array in a body, each as soon as it has arrived. A message
 * that is not an array counts as its only element.
 *
 * @throws MsgpackDecodeError
 * @example
 * for await (const row of decodeArrayStream(response.body)) table.append(row);
 */
export async function* decodeArrayStream(
  source: Chunks,
  options: Options = {},
): AsyncGenerator<unknown, void, undefined> {
  const feed = newFeed({ ...options, sequential: true });
  feed.elements();
  yield* decodeChunks(source, feed);
}
