import { MsgpackDecodeError } from '../../errors/errors.ts';
import { isEnd } from '../source/fail.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { MARK_SIZE } from '../source/marks.ts';
import type { BlockFrame } from './BlockFrame.ts';
import type { BlockWalk, FoundBlock, WalkOptions } from './BlockWalk.ts';
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
