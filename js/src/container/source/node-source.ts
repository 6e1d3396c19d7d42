/** The sources that only Node has: files. */
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ByteSource, RandomSource } from './byte-source.ts';
import { ContainerSourceError } from './ContainerSourceError.ts';
import type { ChunkedBytes } from './chunk-source.ts';
import { type WebSource, webSource } from './web-sources.ts';

/** Bytes of a file that are read at once at least, and rather than once more. */
const STEP = 1 << 18;
const GAP = 1 << 14;
/** Milliseconds between two looks at the size of a file that is followed. */
const INTERVAL = 50;

/** A file that Node has opened for reading: a FileHandle of `node:fs/promises`. */
export interface ReadableFile {
  readonly fd: number;
  read(
    bytes: Uint8Array,
    at: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number; isFile(): boolean; isDirectory(): boolean }>;
  createReadStream(options: { autoClose: boolean }): AsyncIterable<unknown>;
  close(): Promise<void>;
}

/** What a container file can be read from in Node: also a path, a `file:` URL, a FileHandle or a stream of Node. */
export type NodeSource = WebSource | ReadableFile;

const isWeb = (source: string | URL): boolean => /^https?:/i.test(String(source));

function isFile(source: unknown): source is ReadableFile {
  const { read, stat, fd } = Object(source) as Partial<ReadableFile>;
  return typeof read === 'function' && typeof stat === 'function' && typeof fd === 'number';
}

/** A file, which may grow. */
class NodeFileSource implements RandomSource {
  readonly kind = 'random';
  readonly step = STEP;
  readonly gap = GAP;
  size: number;
  readonly grown?: (size: number) => Promise<void>;
  readonly #file: ReadableFile;
  readonly #isOwn: boolean;
  readonly #signal: AbortSignal | undefined;
  #isClosed = false;

  constructor(
    file: ReadableFile,
    size: number,
    isOwn: boolean,
    follows: boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#file = file;
    this.size = size;
    this.#isOwn = isOwn;
    this.#signal = signal;
    if (follows) this.grown = (before) => this.#waitFor(before);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let at = 0;
    while (at < length) {
      this.#signal?.throwIfAborted();
      const { bytesRead } = await this.#file.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  }

  async #waitFor(before: number): Promise<void> {
    const signal = this.#signal;
    for (;;) {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new ContainerSourceError('The file was closed');
      const { size } = await this.#file.stat();
      if (size < before) throw new ContainerSourceError('The file became smaller');
      this.size = size;
      if (size > before) return;
      await wait(INTERVAL, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#isOwn) await this.#file.close();
  }
}

/** Opens a source of Node: a path, a FileHandle, or what every platform has. */
export async function nodeSource(
  source: NodeSource,
  signal: AbortSignal | undefined,
  follows: boolean,
): Promise<ByteSource> {
  const isName = typeof source === 'string' || source instanceof URL;
  if (!isFile(source) && (!isName || isWeb(source))) return webSource(source as WebSource, signal);
  const file: ReadableFile = isName
    ? await open(source instanceof URL ? fileURLToPath(source) : source)
    : source;
  try {
    const stat = await file.stat();
    if (stat.isFile()) return new NodeFileSource(file, stat.size, isName, follows, signal);
    if (stat.isDirectory()) throw new TypeError('A folder is not a container file');
    // A pipe has no size, and is read once.
    return await webSource(file.createReadStream({ autoClose: isName }) as ChunkedBytes, signal);
  } catch (error) {
    if (isName) await file.close();
    throw error;
  }
}
