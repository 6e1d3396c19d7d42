/** The targets that only Node has: files and streams of Node. */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadableFile } from '../source/node-source.ts';
import type { ByteTarget } from '../target/ByteTarget.ts';
import { FileLock } from '../target/FileLock.ts';
import { fileTarget, type WritableFile } from '../target/file-target.ts';
import { targetOf } from './ContainerWriter.ts';

/** A file that is open for both. */
export type ReadWriteFile = ReadableFile & WritableFile;

/** A stream of Node to which bytes are written. */
export interface NodeWritable {
  write(bytes: Uint8Array, done: (error?: Error | null) => void): unknown;
  end(done: () => void): unknown;
  destroy(error?: Error): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * What a container file can be written to in Node: the path or the `file:` URL of a file, a FileHandle, a
 * stream, or null for memory.
 */
export type NodeTarget = string | URL | WritableFile | NodeWritable | WritableStream<Uint8Array> | null;

function nodeStreamTarget(stream: NodeWritable): ByteTarget {
  const failed = new Promise<never>((_, reject) => {
    stream.on('error', reject);
  });
  // Whoever writes receives it.
  failed.catch(() => undefined);
  /** Calls a method of the stream, and waits for it or for an error. */
  const call = async (method: (done: (error?: Error | null) => void) => unknown): Promise<void> => {
    const called = new Promise<void>((resolve, reject) => {
      method((error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
    await Promise.race([failed, called]);
  };
  return {
    write: (bytes) => call((done) => stream.write(bytes, done)),
    close: () => call((done) => stream.end(done)),
    async abort(reason) {
      stream.destroy(reason instanceof Error ? reason : undefined);
    },
  };
}

const nameOf = (path: string | URL): string => (path instanceof URL ? fileURLToPath(path) : path);

function isFile(target: unknown): target is WritableFile {
  const { write, truncate, fd } = Object(target) as Partial<WritableFile>;
  return typeof write === 'function' && typeof truncate === 'function' && typeof fd === 'number';
}

/** Returns the path of a file without symbolic links, and whether it is there and is not a file. */
async function placeOf(path: string): Promise<{ file: string; isSpecial: boolean }> {
  try {
    const file = await realpath(path);
    return { file, isSpecial: !(await stat(file)).isFile() };
  } catch {
    // What is wrong with the folder is found when the file is opened.
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    return { file: join(folder, basename(path)), isSpecial: false };
  }
}

async function openLocked(path: string, flags: number): Promise<[ReadWriteFile, FileLock | null]> {
  const { file, isSpecial } = await placeOf(path);
  const lock = isSpecial ? null : await FileLock.take(file);
  try {
    return [await open(path, flags), lock];
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** Opens a target of Node: the path of a file, which is replaced, a FileHandle, a stream. */
export async function nodeTarget(target: NodeTarget): Promise<ByteTarget> {
  if (typeof target === 'string' || target instanceof URL) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
    const [file, lock] = await openLocked(nameOf(target), flags);
    return fileTarget(file, lock === null ? null : 0, true, lock);
  }
  if (isFile(target)) return fileTarget(target, null, false, null);
  const { write, on } = Object(target) as Partial<NodeWritable>;
  if (typeof write === 'function' && typeof on === 'function') return nodeStreamTarget(target as NodeWritable);
  return targetOf(target as WritableStream<Uint8Array> | null);
}

/** Opens a file to append to it: by its path, or as a FileHandle for reading and writing. */
export async function openExisting(
  target: string | URL | ReadWriteFile,
): Promise<{ file: ReadWriteFile; target(position: number): ByteTarget; close(): Promise<void> }> {
  if (isFile(target))
    return {
      file: target,
      target: (position) => fileTarget(target, position, false, null),
      close: async () => undefined,
    };
  const [file, lock] = await openLocked(nameOf(target), constants.O_RDWR);
  return {
    file,
    target: (position) => fileTarget(file, position, true, lock),
    async close() {
      await file.close();
      await lock?.release();
    },
  };
}
