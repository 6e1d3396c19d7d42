import { bytesIn, NO_BYTES } from '../../wire/memory.ts';
import { type Codec, NONE } from '../codec/codecs.ts';
import { blockFault } from '../source/fail.ts';
import type { BlockChunk, BlockFrame } from './BlockFrame.ts';

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

  /**
   * Reads all chunks.
   *
   * @throws MsgpackDecodeError of kind `invalid_container`
   */
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
