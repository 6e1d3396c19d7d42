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

/** Writes into a file from an offset on, or from where it is if that is null; the end closes a file that `isOwn`. */
export function fileTarget(
  file: WritableFile,
  begin: number | null,
  isOwn: boolean,
  lock: FileLock | null,
): ByteTarget {
  let position = begin;
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    try {
      if (isOwn) await file.close();
    } finally {
      await lock?.release();
    }
  };
  return {
    async write(bytes) {
      const from = position;
      try {
        for (let at = 0; at < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, at, bytes.length - at, from === null ? null : from + at);
          at += bytesWritten;
        }
      } catch (error) {
        // What is not whole would have to be repaired before anything is appended.
        if (from !== null) await file.truncate(from).catch(() => undefined);
        throw error;
      }
      if (from !== null) position = from + bytes.length;
    },
    close,
    abort: close,
  };
}
