import type { MsgpackDecodeError } from '../../errors/errors.ts';
import { bytesIn, NO_BYTES } from '../../wire/platform.ts';
import { type Codec, NONE } from '../codec/codecs.ts';
import { crc32c } from '../codec/crc32c.ts';
import type { IndexedBlock } from '../index/ContainerIndex.ts';
import type { CheckedCondition } from '../index/predicate.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { blockFault } from '../source/fail.ts';

/** A part of the body of a block, which is compressed by itself. */
export interface BlockChunk {
  /** Its place in the body, and its size there. */
  readonly rawAt: number;
  readonly rawSize: number;
  /** Its place in the data of the block, and its size there. */
  readonly at: number;
  readonly size: number;
  /** CRC-32C of its bytes in the data. */
  readonly crc: number;
}

/** What a block-array says, but for its data. */
export interface BlockHead {
  /** The number of the block in the file, where the reader counts them. */
  readonly number: number | undefined;
  /** Offset of the mark, of the block-array, and of the first byte after it. */
  readonly offset: number;
  readonly at: number;
  readonly end: number;
  /** 0: messages, 1: rows. */
  readonly kind: 0 | 1;
  readonly count: number;
  /** The codec that the block names; null for that of the header. */
  readonly codec: string | null;
  readonly chunks: readonly BlockChunk[];
  readonly rawSize: number;
  readonly dataAt: number;
  readonly dataSize: number;
}

/** A block-array, of which all is known but its body. */
export class BlockFrame {
  readonly head: BlockHead;
  /** Whether the crc of a chunk that was read is wrong. */
  isDamaged = false;
  readonly #window: FileWindow;
  readonly #data: Uint8Array | undefined;
  readonly #isChecked: boolean;

  /**
   * @param data the chunks one after another, where they are in memory
   * @param isChecked whether the crc of each chunk is checked before any is used
   */
  constructor(head: BlockHead, window: FileWindow, data: Uint8Array | undefined, isChecked: boolean) {
    this.head = head;
    this.#window = window;
    this.#data = data;
    this.#isChecked = isChecked;
  }

  /** All data: the chunks one after another. Only where they are in memory. */
  get data(): Uint8Array {
    return this.#data as Uint8Array;
  }

  /** Returns the bytes of some chunks, in their order. Chunks that are near each other are read at once. */
  async read(chunks: readonly BlockChunk[]): Promise<Uint8Array[]> {
    const { source } = this.#window;
    const gap = source.kind === 'random' ? source.gap : 0;
    const parts: Uint8Array[] = [];
    while (parts.length < chunks.length) {
      const from = parts.length;
      const { at } = chunks[from] as BlockChunk;
      let [to, end] = [from, at];
      for (let next = chunks[to]; next !== undefined && next.at - end <= gap; next = chunks[to]) {
        end = next.at + next.size;
        to++;
      }
      const bytes = this.#data?.subarray(at, end) ?? (await this.#window.read(this.head.dataAt + at, end - at));
      for (const chunk of chunks.slice(from, to)) parts.push(bytes.subarray(chunk.at - at, chunk.at - at + chunk.size));
    }
    if (!this.#isChecked) this.check((_, i) => crc32c(parts[i] as Uint8Array), chunks);
    return parts;
  }

  check(crcOf: (chunk: BlockChunk, i: number) => number, chunks: readonly BlockChunk[] = this.head.chunks): void {
    const wrong = chunks.find((chunk, i) => crcOf(chunk, i) !== chunk.crc);
    if (wrong === undefined) return;
    this.isDamaged = true;
    throw blockFault(this.head, `the crc of chunk ${this.head.chunks.indexOf(wrong)} is wrong`);
  }
}

/** A range of the bytes of a body, without its end. */
export type Range = readonly [from: number, to: number];

/** The body of a block, whose chunks are read and unpacked when they are needed. */
export class BlockBody {
  /** The body. What was not read is 00. */
  bytes: Uint8Array = NO_BYTES;
  readonly frame: BlockFrame;
  readonly #codec: Codec;
  #left: readonly BlockChunk[];

  constructor(frame: BlockFrame, codec: Codec) {
    this.frame = frame;
    this.#codec = codec;
    this.#left = frame.head.chunks;
  }

  async readAll(): Promise<void> {
    await this.#read(this.#left);
  }

  /** Reads the chunks that have a byte of some ranges. */
  async read(ranges: readonly Range[]): Promise<void> {
    await this.#read(
      this.#left.filter(({ rawAt, rawSize }) =>
        ranges.some(([from, to]) => Math.max(from, rawAt) < Math.min(to, rawAt + rawSize)),
      ),
    );
  }

  async #read(chunks: readonly BlockChunk[]): Promise<void> {
    if (chunks.length === 0) return;
    const read = new Set(chunks);
    this.#left = this.#left.filter((chunk) => !read.has(chunk));
    const { head } = this.frame;
    const parts = await this.frame.read(chunks);
    const isOne = head.chunks.length === 1;
    if (!isOne && this.bytes.length === 0) this.bytes = new Uint8Array(head.rawSize);
    for (const [i, chunk] of chunks.entries()) {
      const part = await this.#unpacked(chunk, parts[i] as Uint8Array);
      if (isOne) this.bytes = part;
      else this.bytes.set(part, chunk.rawAt);
    }
  }

  async #unpacked(chunk: BlockChunk, data: Uint8Array): Promise<Uint8Array> {
    const { size, rawSize } = chunk;
    if (size === rawSize) return data;
    const { head } = this.frame;
    const failed = (cause?: unknown) => {
      const number = head.chunks.indexOf(chunk);
      const detail = `chunk ${number} does not unpack to ${rawSize} bytes`;
      return blockFault(head, detail, undefined, cause);
    };
    let body: Uint8Array | undefined;
    try {
      if (this.#codec !== NONE) body = bytesIn(await this.#codec.decompress(data, rawSize));
    } catch (error) {
      throw failed(error);
    }
    if (body?.length !== rawSize) throw failed();
    return body;
  }
}

/** Bytes of a file that were passed over, with the fault in them. */
export interface DamagedRange {
  /** Offset of the first byte. */
  readonly from: number;
  /** Offset after the last byte. */
  readonly to: number;
  readonly error: MsgpackDecodeError;
}

export interface FoundBlock {
  readonly frame: BlockFrame;
  /** The block in the index, where that is used. */
  readonly listed: IndexedBlock | undefined;
}

/** What blocks a walk returns. */
export interface WalkOptions {
  /** The mark of the file, and the codec of blocks that name none. */
  readonly mark: Uint8Array;
  readonly codec: string;
  readonly maxBlock: number;
  /** Whether faults are passed over, and where they are added. */
  readonly skips: boolean;
  readonly damaged: DamagedRange[];
  /** Whether chunks are read, and their crcs compared, when they are needed. */
  readonly isLazy: boolean;
  /** The split: offsets in which marks begin. */
  readonly first: number;
  readonly last: number;
  readonly conditions: readonly CheckedCondition[];
  readonly knows: (codec: string) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** A way through the blocks of a file. */
export interface BlockWalk {
  /** Returns the next block; undefined at the end. A fault that is not passed over is thrown. */
  next(): Promise<FoundBlock | undefined>;
  /** Passes over the block that was returned last, in which there is a fault; or throws that. */
  fault(frame: BlockFrame, error: unknown): Promise<void>;
}
