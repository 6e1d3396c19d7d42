import { MsgpackDecodeError } from '../errors/errors.ts';
import type { BlockWalk, DamagedRange, FoundBlock, WalkOptions } from './BlockWalk.ts';
import type { FileWindow } from './FileWindow.ts';
import { type BlockFrame, FrameReader } from './FrameReader.ts';
import { fault, isEnd } from './fail.ts';
import { MarkSearch } from './MarkSearch.ts';

/** Bytes that blocks at fault may take: for each byte that was passed, in largest blocks, and at least. */
const WORK_PER_BYTE = 64;
const WORK_BLOCKS = 16;
const LEAST_WORK = 1 << 26;

/** Reads the blocks of a file from front to back, without its index (spec/container.md sections 2.2, 5, 6). */
export class SequentialWalk implements BlockWalk {
  readonly #window: FileWindow;
  readonly #frames: FrameReader;
  readonly #search: MarkSearch;
  readonly #options: WalkOptions;
  readonly #damaged: DamagedRange[];
  /** Offset at which the next part begins; undefined at the end. */
  #pos: number | undefined;
  /** Whether a search led there. */
  #found = false;
  #isAligned = false;
  /** Bytes of blocks that were returned and of what searches passed; bytes read for blocks at fault. */
  #passed = 0;
  #spent = 0;

  constructor(
    window: FileWindow,
    mark: Uint8Array,
    codec: string,
    headerEnd: number,
    options: WalkOptions,
    damaged: DamagedRange[],
  ) {
    this.#window = window;
    this.#frames = new FrameReader(window, mark, codec, options.maxBlock);
    this.#search = new MarkSearch(this.#frames);
    this.#options = options;
    this.#damaged = damaged;
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
        if (frame !== undefined) {
          this.#passed += frame.end - frame.offset;
          return { frame, listed: undefined };
        }
      } catch (error) {
        if (!(isEnd(error) && (await this.#waits()))) await this.#pass(at, error);
      }
    }
    return undefined;
  }

  async fault(frame: BlockFrame, error: unknown): Promise<void> {
    // Each such block can be in the data of another.
    const size = frame.end - frame.offset;
    this.#passed -= size;
    this.#spent += size + frame.rawSize;
    await this.#pass(frame.offset, error);
  }

  /** Goes to the first block of the split. */
  async #align(): Promise<void> {
    if (this.#isAligned) return;
    this.#isAligned = true;
    const { first } = this.#options;
    // A stream is read from its beginning in any case, and what is in it is known.
    if (first <= (this.#pos as number) || this.#window.source.kind === 'chunks') return;
    this.#pos = await this.#find(first);
    this.#found = true;
  }

  /** Reads what is at an offset; returns the block that is there, if it is one of the split. */
  async #step(at: number): Promise<BlockFrame | undefined> {
    const { first, last, knows } = this.#options;
    if (at >= last && (await this.#frames.isMark(at))) {
      // The next split looks for its first block, and would pass over a damaged one.
      if (!this.#found) await this.#frames.marked(at, {});
      this.#pos = undefined;
      return undefined;
    }
    const part = await this.#frames.part(at, { knows });
    this.#found = false;
    if (part.kind === 'end') {
      this.#pos = (await this.#waits()) ? at : undefined;
      return undefined;
    }
    if (part.kind !== 'block') {
      this.#pos = part.end;
      return undefined;
    }
    this.#pos = part.frame.end;
    return at < first ? undefined : part.frame;
  }

  /** Passes over a fault, or throws it. */
  async #pass(at: number, error: unknown): Promise<void> {
    this.#pos = undefined;
    if (!(error instanceof MsgpackDecodeError) || !this.#options.skips) throw error;
    this.#window.hold = Number.POSITIVE_INFINITY;
    const next = await this.#find(at + 1);
    this.#pos = next;
    this.#found = true;
    const to = next ?? this.#window.size ?? this.#window.end;
    this.#damaged.push({ from: at, to, error });
    this.#passed += to - at;
    const free = Math.max(WORK_BLOCKS * this.#options.maxBlock, LEAST_WORK);
    if (this.#spent > WORK_PER_BYTE * this.#passed + free) {
      this.#pos = undefined;
      throw fault('length_limit', at, 'too many blocks that cannot be read');
    }
  }

  /** Looks for the next mark that counts. */
  async #find(from: number): Promise<number | undefined> {
    for (let start = from; ; start = Math.max(from, this.#window.end - this.#frames.mark.length)) {
      const found = await this.#search.find(start);
      if (found !== undefined || !(await this.#waits())) return found;
    }
  }

  /** Waits until a file that is followed has grown; returns false for any other. */
  async #waits(): Promise<boolean> {
    const { source } = this.#window;
    if (source.kind !== 'random' || source.grown === undefined) return false;
    await source.grown(source.size);
    return true;
  }
}
