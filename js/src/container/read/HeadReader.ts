import { type Header, newHeader, readHeader } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { endOf, fault } from '../source/fail.ts';
import { MAX_HEADER } from '../source/pass.ts';

/** Reads headers of single values of a file, without what follows them. */
export class HeadReader {
  readonly window: FileWindow;
  /** The header that was read last. */
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
    const marker = bytes[at];
    if (marker === undefined) throw endOf(this.window);
    if (marker === M.RESERVED) throw fault('reserved_marker', offset);
    if (!readHeader(view, at, bytes.length, this.header)) throw endOf(this.window);
    return offset + this.header.size;
  }

  /** Returns the integer from 0 up whose header was read at an offset; undefined for any other value. */
  uint(offset: number): number | undefined {
    const { view, start } = this.window;
    const at = offset - start;
    const marker = view.getUint8(at);
    if (marker < 0x80) return marker;
    const value = NUMBERS[marker]?.(view, at + 1);
    return value !== undefined && value >= 0 ? value : undefined;
  }
}

/** Reads the integers of each format. Those above 2^53 are not exact, and larger than any size. */
const NUMBERS: Readonly<Record<number, (view: DataView, at: number) => number>> = {
  [M.UINT8]: (view, at) => view.getUint8(at),
  [M.UINT16]: (view, at) => view.getUint16(at),
  [M.UINT32]: (view, at) => view.getUint32(at),
  [M.UINT64]: (view, at) => Number(view.getBigUint64(at)),
  [M.INT8]: (view, at) => view.getInt8(at),
  [M.INT16]: (view, at) => view.getInt16(at),
  [M.INT32]: (view, at) => view.getInt32(at),
  [M.INT64]: (view, at) => Number(view.getBigInt64(at)),
};
