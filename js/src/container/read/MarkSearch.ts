import { MsgpackDecodeError } from '../../errors/errors.ts';
import { isEnd } from '../source/fail.ts';
import { findMark, MARK_SIZE } from '../source/marks.ts';
import { charge, TOO_LONG } from '../source/pass.ts';
import { CrcRanges, FEW_BYTES } from './CrcRanges.ts';
import type { FrameReader, Part } from './FrameReader.ts';

/** Bytes of values that searches may pass: for each byte that is searched, and in addition. */
const PASSES = 16;
const FREE_PASSES = 1 << 26;

/** Looks for the next mark that counts (spec/container.md section 5). */
export class MarkSearch {
  readonly #frames: FrameReader;
  readonly #crcs: CrcRanges;
  readonly #budget = { left: FREE_PASSES };
  /** Offset from which on no mark counts, in a file of this size. */
  #noneFrom: number = Number.POSITIVE_INFINITY;
  #noneSize: number | undefined;

  constructor(frames: FrameReader) {
    this.#frames = frames;
    this.#crcs = new CrcRanges(frames.window);
  }

  /**
   * Returns the offset of the first mark from `from` on that counts, or else that of the first block that
   * the end of the file cuts off; undefined without either.
   */
  async find(from: number): Promise<number | undefined> {
    const { window, mark } = this.#frames;
    const isSame = this.#noneSize !== undefined && window.size === this.#noneSize;
    const isKnown = isSame && from >= this.#noneFrom;
    let cut: number | undefined;
    let offset = Math.max(from, window.start);
    for (;;) {
      const available = await window.load(offset, MARK_SIZE);
      if (available < MARK_SIZE) {
        this.#noneFrom = isSame ? Math.min(this.#noneFrom, from) : from;
        this.#noneSize = window.size;
        return cut;
      }
      const at = findMark(window.bytes, offset - window.start, mark);
      // The last bytes can be the beginning of a mark.
      const next = at < 0 ? window.end - MARK_SIZE + 1 : window.start + at;
      this.#budget.left += (next - offset) * PASSES;
      offset = next;
      if (at < 0) continue;
      const found = await this.#counts(offset);
      if (found === true) return offset;
      if (found === 'cut') cut ??= offset;
      // The search goes on for a mark that counts, but not a second time.
      if (cut !== undefined && isKnown) return cut;
      // What was passed over is lost where a stream had more of it than is held.
      offset = Math.max(offset + 1, window.start);
    }
  }

  /** Whether the mark at an offset counts; 'cut' where the end of the file leaves that open. */
  async #counts(offset: number): Promise<boolean | 'cut'> {
    const { window } = this.#frames;
    const { hold } = window;
    window.hold = Math.min(hold, offset);
    const isIndex = (await this.#frames.kindAfter(offset)) === 'index';
    try {
      await this.#marked(offset);
      return window.start <= offset;
    } catch (error) {
      if (error === TOO_LONG) return false;
      if (!(error instanceof MsgpackDecodeError)) throw error;
      return isEnd(error) && !isIndex && window.start <= offset ? 'cut' : false;
    } finally {
      window.hold = hold;
    }
  }

  #marked(offset: number): Promise<Part> {
    this.#crcs.begin(offset);
    const limits = { budget: this.#budget };
    return this.#frames.marked(offset, {
      crcOf: (at, size) => {
        charge(limits, Math.min(size, FEW_BYTES));
        return this.#crcs.of(at, size);
      },
      // The window is to grow in steps that are in proportion to its size.
      ahead: (dataSize) => dataSize >> 2,
      limits,
    });
  }
}
