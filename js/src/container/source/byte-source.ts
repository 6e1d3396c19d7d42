/** Where the bytes of a container file come from. */

/** A file of which any part can be read. */
export interface RandomSource {
  readonly kind: 'random';
  /** Size in bytes; it grows where the file is followed. */
  readonly size: number;
  /** The bytes, where all of them are in memory. */
  readonly whole?: Uint8Array;
  /** Number of bytes that are read at least, where the file has them. */
  readonly step: number;
  /** Number of bytes that take less time than reading once more. */
  readonly gap: number;
  /** Reads bytes that the file has. Fewer are returned only where it became smaller. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Frees what can be opened again, where nothing is being read. */
  rest?(): Promise<void>;
  /** Waits until the file is larger than `size`; only where it is followed. */
  grown?(size: number): Promise<void>;
  close(): Promise<void>;
}

/** A file that is read once from the beginning to the end. */
export interface ChunkSource {
  readonly kind: 'chunks';
  /** Returns the next bytes; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export type ByteSource = RandomSource | ChunkSource;
