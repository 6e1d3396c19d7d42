/** Where the bytes of a container file go. */
import type { OwnBytes } from '../../wire/memory.ts';

/** Takes the bytes of a file one after another. */
export interface ByteTarget {
  /** Writes bytes, and returns when the target is ready for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the file. */
  close(): Promise<void>;
  /** Abandons the file: what was written stays. */
  abort(reason: unknown): Promise<void>;
}

/** Keeps a file in memory. */
export class MemoryTarget implements ByteTarget {
  readonly #parts: OwnBytes[] = [];
  #size = 0;

  async write(bytes: Uint8Array): Promise<void> {
    this.#parts.push(bytes as OwnBytes);
    this.#size += bytes.length;
  }

  async close(): Promise<void> {}

  async abort(): Promise<void> {}

  /** Returns what was written. */
  bytes(): OwnBytes {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Returns what was written as a Blob. */
  blob(): Blob {
    return new Blob(this.#parts, { type: 'application/vnd.packord.container' });
  }
}

/** Writes a file into a stream. */
export class StreamTarget implements ByteTarget {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
    // Whoever writes receives it.
    this.#writer.closed.catch(() => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer.ready;
    await this.#writer.write(bytes);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  async abort(reason: unknown): Promise<void> {
    await this.#writer.abort(reason).catch(() => undefined);
  }
}
