/** Where the bytes of a container file go. */
import { joined, type OwnBytes } from '../../wire/platform.ts';

export interface ByteTarget {
  /** Writes bytes, and returns when the target is ready for more. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  /** Abandons the file: what was written stays. */
  abort(reason: unknown): Promise<void>;
}

export class MemoryTarget implements ByteTarget {
  readonly #parts: OwnBytes[] = [];

  async write(bytes: Uint8Array): Promise<void> {
    this.#parts.push(bytes as OwnBytes);
  }

  async close(): Promise<void> {}

  async abort(): Promise<void> {}

  bytes(): OwnBytes {
    return joined(this.#parts);
  }

  blob(): Blob {
    return new Blob(this.#parts, { type: 'application/vnd.packord.container' });
  }
}

export function streamTarget(stream: WritableStream<Uint8Array>): ByteTarget {
  const writer = stream.getWriter();
  // Whoever writes receives it.
  writer.closed.catch(() => undefined);
  return {
    async write(bytes) {
      await writer.ready;
      await writer.write(bytes);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason).catch(() => undefined),
  };
}
