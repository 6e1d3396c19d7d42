/** The sources that only Node has: files. */
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ByteSource, ChunkedBytes, RandomSource } from './byte-source.ts';
import { ContainerSourceError } from './ContainerSourceError.ts';
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

/** Makes the source of a file, which may grow; `path` is its path where it was opened by that. */
function fileSource(
  given: ReadableFile,
  { size, ino }: { readonly size: number; readonly ino: number },
  path: string | undefined,
  follows: boolean,
  signal: AbortSignal | undefined,
): RandomSource {
  /** The file, unless it is closed until something is read of it. */
  let file: Promise<ReadableFile> | undefined = Promise.resolve(given);
  let isClosed = false;
  const reopened = async (): Promise<ReadableFile> => {
    const again = await open(path as string).catch(() => undefined);
    const stat = await again?.stat().catch(() => undefined);
    if (again !== undefined && stat?.ino === ino && stat.size >= source.size) return again;
    await again?.close();
    file = undefined;
    throw new ContainerSourceError('The file changed while it was being read');
  };
  /** Returns the file, which is opened again where that is needed. */
  const opened = (): Promise<ReadableFile> => {
    if (isClosed) throw new ContainerSourceError('The file was closed');
    file ??= reopened();
    return file;
  };
  const grown = async (before: number): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const stat = await (await opened()).stat();
      if (stat.size < before) throw new ContainerSourceError('The file became smaller');
      source.size = stat.size;
      if (stat.size > before) return;
      await wait(INTERVAL, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  };
  const source = {
    kind: 'random' as const,
    step: STEP,
    gap: GAP,
    size,
    ...(follows && { grown }),
    async read(offset: number, length: number): Promise<Uint8Array> {
      const bytes = new Uint8Array(length);
      const from = await opened();
      let at = 0;
      while (at < length) {
        signal?.throwIfAborted();
        const { bytesRead } = await from.read(bytes, at, length - at, offset + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return bytes.subarray(0, at);
    },
    async rest(): Promise<void> {
      const before = file;
      if (path === undefined || before === undefined) return;
      file = undefined;
      await (await before.catch(() => undefined))?.close();
    },
    async close(): Promise<void> {
      isClosed = true;
      await source.rest();
    },
  };
  return source;
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
    if (stat.isFile()) return fileSource(file, stat, path, follows, signal);
    if (stat.isDirectory()) throw new TypeError('A folder is not a container file');
    // A pipe has no size, and is read once.
    return await webSource(file.createReadStream({ autoClose: isName }) as ChunkedBytes, signal);
  } catch (error) {
    if (isName) await file.close();
    throw error;
  }
}
