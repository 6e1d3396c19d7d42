import { enlarged } from '../../wire/platform.ts';
import { newScalarEncoder } from '../index/IndexBuilder.ts';

/** Room before the rows for the largest header of an array. */
const HEADER_ROOM = 5;
const FIRST_SIZE = 1 << 16;

export function arrayHeaderSize(count: number): number {
  return count < 16 ? 1 : count < 0x10000 ? 3 : HEADER_ROOM;
}

/** The rows or messages of a block as plain MessagePack, one after another. */
export class PlainBlock {
  /** The plain body from `start` to `end`. */
  bytes: Uint8Array;
  start: number = HEADER_ROOM;
  end: number = HEADER_ROOM;
  count = 0;

  /** @param size number of bytes for which there is room at first */
  constructor(size: number = FIRST_SIZE) {
    this.bytes = new Uint8Array(size + HEADER_ROOM);
  }

  get size(): number {
    return this.end - HEADER_ROOM;
  }

  get first(): number {
    return HEADER_ROOM;
  }

  add(message: Uint8Array): void {
    const end = this.end + message.length;
    if (end > this.bytes.length) this.bytes = enlarged(this.bytes, Math.max(end, 2 * this.bytes.length));
    this.bytes.set(message, this.end);
    this.end = end;
    this.count++;
  }

  /** Makes the rows one array, by a header before them. */
  toArray(): void {
    const to = newScalarEncoder();
    to.arrayHeader(this.count);
    const header = to.take();
    this.start = HEADER_ROOM - header.length;
    this.bytes.set(header, this.start);
  }
}
