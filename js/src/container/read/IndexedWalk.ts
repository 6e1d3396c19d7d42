import { MsgpackDecodeError } from '../../errors/errors.ts';
import type { ContainerIndex, IndexedBlock } from '../index/ContainerIndex.ts';
import { isSkipped } from '../index/predicate.ts';
import type { RandomSource } from '../source/byte-source.ts';
import { fault, isEnd } from '../source/fail.ts';
import { FileWindow } from '../source/FileWindow.ts';
import type { BlockFrame } from './BlockFrame.ts';
import type { BlockWalk, FoundBlock, WalkOptions } from './BlockWalk.ts';
import { FrameReader } from './FrameReader.ts';

/** Bytes of a block-array around its data, mostly. */
const FRAME_SIZE = 128;
/** Size of blocks, in gaps of the source, up to which they are read whole. */
const WHOLE_GAPS = 4;

/** Reads the blocks that an index names (spec/container.md section 3). */
export class IndexedWalk implements BlockWalk {
  readonly #source: RandomSource;
  readonly #index: ContainerIndex;
  readonly #options: WalkOptions;
  /** Number of the next block, and the end of the last one that was returned. */
  #number = 0;
  #end = 0;
  /** Bytes that were read with those of another block, and their offset. */
  #ahead: { readonly at: number; readonly bytes: Uint8Array } | undefined;

  constructor(source: RandomSource, index: ContainerIndex, options: WalkOptions) {
    this.#source = source;
    this.#index = index;
    this.#options = options;
  }

  async next(): Promise<FoundBlock | undefined> {
    while (this.#number < this.#index.length) {
      this.#options.signal?.throwIfAborted();
      const number = this.#number++;
      const block = this.#index.block(number);
      if (!this.#isWanted(block)) continue;
      this.#end = block.offset + block.size;
      try {
        return { frame: await this.#frame(block, number), listed: block };
      } catch (error) {
        this.#pass(block.offset, error);
      }
    }
    return undefined;
  }

  async fault(frame: BlockFrame, error: unknown): Promise<void> {
    this.#pass(frame.head.offset, error);
  }

  #pass(from: number, error: unknown): void {
    if (!(error instanceof MsgpackDecodeError) || !this.#options.skips) {
      this.#number = this.#index.length;
      throw error;
    }
    this.#options.damaged.push({ from, to: this.#end, error });
  }

  #isWanted(block: IndexedBlock): boolean {
    const { first, last, conditions } = this.#options;
    if (block.offset < first || block.offset >= last) return false;
    return conditions.length === 0 || !isSkipped(block.stats, block.count, conditions);
  }

  /** Reads a block; an entry of the index that is wrong is a fault of the index. */
  async #frame(block: IndexedBlock, number: number): Promise<BlockFrame> {
    const { offset, size, count } = block;
    const end = offset + size;
    const window = new FileWindow(this.#within(end));
    const { maxBlock, knows, isLazy } = this.#options;
    const length = Math.min(size, maxBlock + FRAME_SIZE);
    const isWhole = !isLazy || size <= WHOLE_GAPS * this.#source.gap;
    if (isWhole && this.#source.whole === undefined) window.put(await this.#bytes(block, length, number), offset);
    const frames = new FrameReader(window, this.#options);
    try {
      if ((await frames.isMark(offset)) && (await frames.kindAfter(offset)) === 'block') {
        const checks = { number, isLazy, knows, listed: { count, end } };
        const part = await frames.marked(offset, checks);
        if (part.kind === 'block') return part.frame;
      }
    } catch (error) {
      // What the index says ends here is not the end of the file.
      if (!isEnd(error)) throw error;
    }
    throw fault('invalid_container', this.#index.offset, `its block at ${offset} is another`);
  }

  #within(end: number): RandomSource {
    const source = this.#source;
    const read = (offset: number, length: number) => source.read(offset, length);
    const { gap } = source;
    const step = this.#options.isLazy ? gap : FRAME_SIZE;
    const part = { kind: 'random' as const, size: end, step, gap, read, close: source.close };
    return source.whole === undefined ? part : { ...part, whole: source.whole.subarray(0, end) };
  }

  /** Reads bytes of a block, and with them those of small blocks that follow it. */
  async #bytes({ offset, size }: IndexedBlock, length: number, number: number): Promise<Uint8Array> {
    const isWhole = length === size;
    const { at, bytes } = this.#ahead ?? { at: 0, bytes: new Uint8Array(0) };
    if (offset >= at && offset + length <= at + bytes.length) return bytes.subarray(offset - at, offset - at + length);
    const end = isWhole ? this.#endOfRun(offset + length, number) : offset + length;
    const read = await this.#source.read(offset, end - offset);
    this.#ahead = { at: offset, bytes: read };
    return read.subarray(0, length);
  }

  /** Returns the end of the blocks after one that are needed too and follow without a gap. */
  #endOfRun(from: number, number: number): number {
    let end = from;
    for (let next = number + 1; next < this.#index.length; next++) {
      const block = this.#index.block(next);
      const isNext = block.offset === end && this.#isWanted(block);
      if (!isNext || end + block.size - from > this.#source.step) break;
      end += block.size;
    }
    return end;
  }
}
