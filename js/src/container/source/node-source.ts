/** The sources that only Node has: files. */
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
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
  read(bytes: Uint8Array, at: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{
    readonly size: number;
    readonly ino: number;
    isFile(): boolean;
    isDirectory(): boolean;
  }>;
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
  /** The file, unless it is closed until something is read of it. */
  #file: Promise<ReadableFile> | undefined;
  /** Its path, where it was opened by that, and the number that the file system has for it. */
  readonly #path: string | undefined;
  readonly #ino: number;
  readonly #signal: AbortSignal | undefined;
  #isClosed = false;

  constructor(
    file: ReadableFile,
    { size, ino }: { readonly size: number; readonly ino: number },
    path: string | undefined,
    follows: boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#file = Promise.resolve(file);
    this.size = size;
    this.#ino = ino;
    this.#path = path;
    this.#signal = signal;
    if (follows) this.grown = (before) => this.#waitFor(before);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    const file = await this.#opened();
    let at = 0;
    while (at < length) {
      this.#signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  }

  /** Returns the file, which is opened again where that is needed. */
  #opened(): Promise<ReadableFile> {
    if (this.#isClosed) throw new ContainerSourceError('The file was closed');
    this.#file ??= this.#reopened();
    return this.#file;
  }

  async #reopened(): Promise<ReadableFile> {
    const file = await open(this.#path as string).catch(() => undefined);
    const stat = await file?.stat().catch(() => undefined);
    if (file !== undefined && stat?.ino === this.#ino && stat.size >= this.size) return file;
    await file?.close();
    this.#file = undefined;
    throw new ContainerSourceError('The file changed while it was being read');
  }

  async #waitFor(before: number): Promise<void> {
    const signal = this.#signal;
    for (;;) {
      signal?.throwIfAborted();
      const { size } = await (await this.#opened()).stat();
      if (size < before) throw new ContainerSourceError('The file became smaller');
      this.size = size;
      if (size > before) return;
      await wait(INTERVAL, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  async rest(): Promise<void> {
    const file = this.#file;
    if (this.#path === undefined || file === undefined) return;
    this.#file = undefined;
    const opened = await file.catch(() => undefined);
    await opened?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.rest();
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
  // Opened again, it is the same file after a change of the folder.
  const path = isName ? resolve(source instanceof URL ? fileURLToPath(source) : source) : undefined;
  const file: ReadableFile = path === undefined ? (source as ReadableFile) : await open(path);
  try {
    const stat = await file.stat();
    if (stat.isFile()) return new NodeFileSource(file, stat, path, follows, signal);
    if (stat.isDirectory()) throw new TypeError('A folder is not a container file');
    // A pipe has no size, and is read once.
    return await webSource(file.createReadStream({ autoClose: isName }) as ChunkedBytes, signal);
  } catch (error) {
    if (isName) await file.close();
    throw error;
  }
}
