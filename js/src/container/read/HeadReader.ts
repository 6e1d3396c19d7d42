import { type Header, newHeader, readHeader } from '../../wire/header.ts';
import { integerAt } from '../../wire/integers.ts';
import * as M from '../../wire/markers.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { endOf, fault } from '../source/fail.ts';
import { MAX_HEADER } from '../source/pass.ts';

export class HeadReader {
  readonly window: FileWindow;
  readonly header: Header = newHeader();

  constructor(window: FileWindow) {
    this.window = window;
  }

  /**
   * Reads the header at an offset, and returns the offset after it. It is a promise only where bytes have to be
   * loaded: most headers are in memory, and there can be many.
   *
   * @throws MsgpackDecodeError
   */
  next(offset: number): number | Promise<number> {
    const { window } = this;
    return window.has(offset, MAX_HEADER)
      ? this.#read(offset)
      : window.load(offset, MAX_HEADER).then(() => this.#read(offset));
  }

  #read(offset: number): number {
    const { bytes, view, start } = this.window;
    const at = offset - start;
    if (!readHeader(view, at, bytes.length, this.header)) throw endOf(this.window);
    if (this.header.kind === 'reserved') throw fault('reserved_marker', offset);
    return offset + this.header.size;
  }

  /** Returns the integer from 0 up whose header was read at an offset; undefined for any other value. */
  uint(offset: number): number | undefined {
    const { view, start } = this.window;
    const at = offset - start;
    // Above 2^53 it is not exact, and larger than any size.
    const value = M.isInteger(view.getUint8(at)) ? Number(integerAt(view, at)) : -1;
    return value >= 0 ? value : undefined;
  }
}
