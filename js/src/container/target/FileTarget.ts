import type { ByteTarget } from './ByteTarget.ts';
import type { FileLock } from './FileLock.ts';

/** A file that Node has opened for writing: a FileHandle of `node:fs/promises`. */
export interface WritableFile {
  readonly fd: number;
  write(
    bytes: Uint8Array,
    at: number,
    length: number,
    position: number | null,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** A file that is open for writing. */
export class FileTarget implements ByteTarget {
  readonly #file: WritableFile;
  readonly #lock: FileLock | null;
  readonly #isOwn: boolean;
  /** Offset at which is written; null for what has no offsets. */
  #position: number | null;
  #isClosed = false;

  constructor(file: WritableFile, position: number | null, isOwn: boolean, lock: FileLock | null) {
    this.#file = file;
    this.#position = position;
    this.#isOwn = isOwn;
    this.#lock = lock;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const begin = this.#position;
    try {
      for (let at = 0; at < bytes.length; ) {
        const position = begin === null ? null : begin + at;
        const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, position);
        at += bytesWritten;
      }
    } catch (error) {
      // What is not whole would have to be repaired before anything is appended.
      if (begin !== null) await this.#file.truncate(begin).catch(() => undefined);
      throw error;
    }
    if (begin !== null) this.#position = begin + bytes.length;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#isOwn) await this.#file.close();
    } finally {
      await this.#lock?.release();
    }
  }

  async abort(): Promise<void> {
    await this.close();
  }
}
