import { crc32c, crcOfRest } from './crc32c.ts';
import type { FileWindow } from './FileWindow.ts';

/** Number of bytes from one known CRC to the next. */
const STEP = 1 << 10;

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

  /** Returns the CRC-32C of a range that is in the window. */
  of(offset: number, size: number): number {
    if (size < 4 * STEP) return this.#crc(offset, size, 0);
    const reached = this.#base + (this.#known.length - 1) * STEP;
    if (offset < this.#base || offset > reached) {
      this.#base = offset;
      this.#known = [0];
    }
    this.#forget(offset);
    const first = Math.ceil((offset - this.#base) / STEP);
    const at = this.#base + first * STEP;
    const end = offset + size;
    const rest = crcOfRest(this.#known[first] as number, this.#upTo(end), end - at);
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

  /** Forgets what is before an offset, once it is more than half. */
  #forget(offset: number): void {
    const steps = Math.floor((offset - this.#base) / STEP);
    if (steps < 1024 || steps < this.#known.length / 2) return;
    this.#known = this.#known.slice(steps);
    this.#base += steps * STEP;
  }

  #crc(offset: number, size: number, before: number): number {
    const { bytes, start } = this.#window;
    return crc32c(bytes, offset - start, offset - start + size, before);
  }
}
