import { enlarged } from '../../wire/platform.ts';

/** Size of the memory of a new sink. */
const BEGIN = 1 << 10;
/** Maximum size of the memory that is kept for the next payload. */
const KEEP = 1 << 22;
/** Number of bytes below which a copy byte by byte takes less time than a call of `set`. */
const FEW_BYTES = 32;

/** Bytes that grow. Numbers are little-endian, as in all sections. */
export class ByteSink {
  bytes: Uint8Array = new Uint8Array(BEGIN);
  view: DataView = new DataView(this.bytes.buffer);
  size = 0;

  /** Forgets the content, and memory that only a large payload needed. */
  clear(): void {
    this.size = 0;
    if (this.bytes.length > KEEP) this.#use(new Uint8Array(BEGIN));
  }

  #use(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }

  /** Makes room for `count` bytes, and returns the position of the first, which are not cleared. */
  take(count: number): number {
    const at = this.size;
    const size = at + count;
    if (size > this.bytes.length)
      this.#use(enlarged(this.bytes.subarray(0, at), Math.max(size, 2 * this.bytes.length)));
    this.size = size;
    return at;
  }

  byte(value: number): void {
    const at = this.take(1);
    this.bytes[at] = value;
  }

  zeros(count: number): void {
    const at = this.take(count);
    this.bytes.fill(0, at, at + count);
  }

  copy(from: Uint8Array, start: number, end: number): void {
    const count = end - start;
    const at = this.take(count);
    if (count >= FEW_BYTES) {
      this.bytes.set(from.subarray(start, end), at);
      return;
    }
    const { bytes } = this;
    for (let i = 0; i < count; i++) bytes[at + i] = from[start + i] as number;
  }
}
