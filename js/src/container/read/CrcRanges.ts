import { crc32c, crcOfRest } from '../codec/crc32c.ts';
import type { FileWindow } from '../source/FileWindow.ts';

/** Number of bytes from one known CRC to the next. */
const STEP = 1 << 10;
/** Size below which the CRC of a range is computed from all its bytes: the most that a range takes. */
export const FEW_BYTES: number = 4 * STEP;

/**
 * Computes the CRCs of many ranges of a file that overlap, each byte a few times only: so a search takes
 * time in proportion to the file, also where it was made to contain false marks.
 */
export class CrcRanges {
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
