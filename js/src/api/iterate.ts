import type { InternalOptions } from '../options/dialect.ts';
import type { Options } from '../options/options.ts';
import { type Chunks, decodeChunks, decodeElements, decodeOne, decodeSync } from '../stream/chunks.ts';
import { type Chunk, Feed } from '../stream/Feed.ts';
import { MessagePasser } from '../stream/MessagePasser.ts';
import type { Packed } from '../wire/platform.ts';
import { PackrClass } from './Packr.ts';
import type { Packs } from './packs.ts';
import type { Unpacker } from './Unpacker.ts';
import { UnpackrClass } from './Unpackr.ts';

/** Values that come later, or some of them. */
type LaterValues = AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown> | Iterable<unknown>>;

/** What is packed one by one. */
export type ManyValues = Iterable<unknown> | LaterValues;

export function newFeed(options: InternalOptions = {}): Feed {
  return new Feed(new UnpackrClass(options).newDecoder(), MessagePasser);
}

/**
 * Unpacks the messages of a stream: returns an iterator for an iterable of chunks, and an async
 * iterator for an async iterable or a ReadableStream. After a fault that leaves the end of its message
 * known (spec/format.md section 6.1), `next` of the iterator returns the message after it.
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
  return decodeBy(source, new UnpackrClass(options));
}

/** Unpacks the messages of a stream as an instance does. */
export function decodeBy(
  source: Chunks,
  unpackr: Unpacker,
): IterableIterator<unknown> | AsyncIterableIterator<unknown> {
  if (source === null || typeof source !== 'object')
    throw new TypeError('The source of chunks must be an iterable, an async iterable or a ReadableStream');
  const feed = new Feed(unpackr.newDecoder(), MessagePasser);
  return Symbol.iterator in source ? decodeSync(source, feed) : decodeChunks(source, feed);
}

function* encodeSync(source: Iterable<unknown>, packr: Packs): Generator<Packed, void, undefined> {
  for (const value of source) yield packr.pack(value);
}

async function* encodeAsync(source: LaterValues, packr: Packs): AsyncGenerator<Packed, void, undefined> {
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
  source: ManyValues,
  options: Options = {},
): IterableIterator<Packed> | AsyncIterableIterator<Packed> {
  return encodeBy(source, new PackrClass(options));
}

/** Packs values as an instance does. */
export function encodeBy(source: ManyValues, packr: Packs): IterableIterator<Packed> | AsyncIterableIterator<Packed> {
  if (source === null || typeof source !== 'object')
    throw new TypeError('The source of values must be an iterable, an async iterable or a promise of one');
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
  return decodeOne(source, newFeed(options), options.trailing === 'allow');
}

/**
 * Unpacks the messages of a body that arrives in chunks.
 *
 * @throws MsgpackDecodeError
 * @example
 * for await (const value of decodeMultiStream(response.body)) console.log(value);
 */
export function decodeMultiStream(source: Chunks, options: Options = {}): AsyncIterableIterator<unknown> {
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
export function decodeArrayStream(source: Chunks, options: Options = {}): AsyncIterableIterator<unknown> {
  return decodeElements(source, newFeed({ ...options, sequential: true }));
}
