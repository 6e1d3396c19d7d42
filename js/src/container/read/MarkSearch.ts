import { MsgpackDecodeError } from '../../errors/errors.ts';
import { crc32c, crcOfRest } from '../codec/crc32c.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { isEnd } from '../source/fail.ts';
import { findMark, MARK_SIZE } from '../source/marks.ts';
import { charge, TOO_LONG } from '../source/pass.ts';
import type { FrameReader } from './FrameReader.ts';

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
    const limits = { budget: this.#budget };
    try {
      this.#crcs.begin(offset);
      await this.#frames.marked(offset, {
        crcOf: (at, size) => {
          charge(limits, Math.min(size, FEW_BYTES));
          return this.#crcs.of(at, size);
        },
        // The window is to grow in steps that are in proportion to its size.
        ahead: (dataSize) => dataSize >> 2,
        limits,
      });
      return window.start <= offset;
    } catch (error) {
      if (error === TOO_LONG) return false;
      if (!(error instanceof MsgpackDecodeError)) throw error;
      return isEnd(error) && !isIndex && window.start <= offset ? 'cut' : false;
    } finally {
      window.hold = hold;
    }
  }
}

/** Number of bytes from one known CRC to the next. */
const STEP = 1 << 10;
/** Size below which the CRC of a range is computed from all its bytes: the most that a range takes. */
const FEW_BYTES = 4 * STEP;

/**
 * Computes the CRCs of many ranges of a file that overlap, each byte a few times only: so a search takes
 * time in proportion to the file, also where it was made to contain false marks.
 */
class CrcRanges {
  readonly #window: FileWindow;
  /** Offset from which on CRCs are known, and those of each further step. */
  #base = 0;
  #known: number[] = [];

  constructor(window: FileWindow) {
    this.#window = window;
  }

  /** Says that the next ranges begin at an offset or after it, and are in the window up to their ends. */
  begin(offset: number): void {
    const reached = this.#base + (this.#known.length - 1) * STEP;
    if (offset < this.#base || offset > reached) {
      this.#base = offset;
      this.#known = [0];
    }
    // What is before is forgotten once it is more than half.
    const steps = Math.floor((offset - this.#base) / STEP);
    if (steps < 1024 || steps < this.#known.length / 2) return;
    this.#known = this.#known.slice(steps);
    this.#base += steps * STEP;
  }

  of(offset: number, size: number): number {
    if (size < FEW_BYTES) return this.#crc(offset, size, 0);
    const first = Math.ceil((offset - this.#base) / STEP);
    const at = this.#base + first * STEP;
    const end = offset + size;
    const whole = this.#upTo(end);
    const rest = crcOfRest(this.#known[first] as number, whole, end - at);
    // What is before the first known CRC need no longer be in the window.
    return crcOfRest(this.#crc(offset, at - offset, 0), rest, end - at);
  }

  /** Returns the CRC from the base to an offset after those that are known. */
  #upTo(offset: number): number {
    const steps = Math.floor((offset - this.#base) / STEP);
    const known = this.#known;
    for (let i = known.length; i <= steps; i++)
      known.push(this.#crc(this.#base + (i - 1) * STEP, STEP, known[i - 1] as number));
    const from = this.#base + steps * STEP;
    return this.#crc(from, offset - from, known[steps] as number);
  }

  #crc(offset: number, size: number, before: number): number {
    const { bytes, start } = this.#window;
    return crc32c(bytes, offset - start, offset - start + size, before);
  }
}
