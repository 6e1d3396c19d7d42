import { MsgpackDecodeError } from '../../errors/errors.ts';
import type { ContainerIndex, IndexedBlock } from '../index/ContainerIndex.ts';
import { isSkipped } from '../index/predicate.ts';
import type { RandomSource } from '../source/byte-source.ts';
import { FileWindow } from '../source/FileWindow.ts';
import { fault, isEnd } from '../source/fail.ts';
import { MARK_SIZE } from '../source/marks.ts';
import type { BlockFrame, BlockWalk, FoundBlock, WalkOptions } from './BlockFrame.ts';
import { FrameReader } from './FrameReader.ts';
import { MarkSearch } from './MarkSearch.ts';

/** Reads the blocks of a file from front to back, without its index (spec/container.md sections 2.2, 5, 6). */
export class SequentialWalk implements BlockWalk {
  readonly #window: FileWindow;
  readonly #frames: FrameReader;
  readonly #search: MarkSearch;
  readonly #options: WalkOptions;
  /** Offset at which the next part begins; undefined at the end. */
  #pos: number | undefined;
  /** Whether a search led there. */
  #found = false;
  #isAligned = false;
  /** Number of the next block, as long as no search has passed over others. */
  #number: number | undefined = 0;

  constructor(window: FileWindow, headerEnd: number, options: WalkOptions) {
    this.#window = window;
    this.#frames = new FrameReader(window, options);
    this.#search = new MarkSearch(this.#frames);
    this.#options = options;
    this.#pos = headerEnd;
  }

  async next(): Promise<FoundBlock | undefined> {
    await this.#align();
    while (this.#pos !== undefined) {
      const at = this.#pos;
      this.#options.signal?.throwIfAborted();
      if (this.#options.skips) this.#window.hold = at;
      try {
        const frame = await this.#step(at);
        if (frame !== undefined) return { frame, listed: undefined };
      } catch (error) {
        if (!(isEnd(error) && (await this.#waits()))) await this.#pass(at, error);
      }
    }
    return undefined;
  }

  async fault(frame: BlockFrame, error: unknown): Promise<void> {
    const { offset, end } = frame.head;
    if (frame.isDamaged) await this.#pass(offset, error);
    // What is within a block whose chunks are right is none of the file.
    else this.#options.damaged.push({ from: offset, to: end, error: this.#passable(error) });
  }

  async #align(): Promise<void> {
    if (this.#isAligned) return;
    this.#isAligned = true;
    const { first } = this.#options;
    // A stream is read from its beginning in any case, and what is in it is known.
    if (first <= (this.#pos as number) || this.#window.source.kind === 'chunks') return;
    await this.#goTo(first);
  }

  /** Reads what is at an offset; returns the block that is there, if it is one of the split. */
  async #step(at: number): Promise<BlockFrame | undefined> {
    const { first, last, knows, isLazy } = this.#options;
    if (at >= last && (await this.#frames.isMark(at))) {
      // The next split looks for its first block, and would pass over a damaged one.
      if (!this.#found) await this.#frames.marked(at, {});
      this.#pos = undefined;
      return undefined;
    }
    const part = await this.#frames.part(at, { number: this.#number, isLazy, knows });
    this.#found = false;
    if (part.kind === 'end') {
      this.#pos = (await this.#waits()) ? at : undefined;
      return undefined;
    }
    if (part.kind !== 'block') {
      this.#pos = part.end;
      return undefined;
    }
    this.#pos = part.frame.head.end;
    if (this.#number !== undefined) this.#number++;
    return at < first ? undefined : part.frame;
  }

  /** Returns a fault that can be passed over, or throws it. */
  #passable(error: unknown): MsgpackDecodeError {
    if (error instanceof MsgpackDecodeError && this.#options.skips) return error;
    this.#pos = undefined;
    throw error;
  }

  /** Goes on at the next mark after a fault, or throws it. */
  async #pass(at: number, fault: unknown): Promise<void> {
    const error = this.#passable(fault);
    this.#window.hold = Number.POSITIVE_INFINITY;
    await this.#goTo(at + 1);
    const to = this.#pos ?? this.#window.size ?? this.#window.end;
    this.#options.damaged.push({ from: at, to, error });
  }

  async #goTo(from: number): Promise<void> {
    this.#pos = undefined;
    let start = from;
    let found = await this.#search.find(start);
    while (found === undefined && (await this.#waits())) {
      start = Math.max(from, this.#window.end - MARK_SIZE);
      found = await this.#search.find(start);
    }
    this.#pos = found;
    this.#found = true;
    this.#number = undefined;
  }

  /** Waits until a file that is followed has grown; returns false for any other. */
  async #waits(): Promise<boolean> {
    const { source } = this.#window;
    if (source.kind !== 'random' || source.grown === undefined) return false;
    await source.grown(source.size);
    return true;
  }
}

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
