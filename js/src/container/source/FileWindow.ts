import { dataViewOf, joined, NO_BYTES } from '../../wire/platform.ts';
import type { ByteSource, RandomSource } from './byte-source.ts';
import { ContainerSourceError } from './ContainerSourceError.ts';

const FIRST_SIZE = 1 << 16;

/**
 * The part of a file that is in memory. Offsets are those of the file. What was handed out as a view of
 * `bytes` is never written over.
 */
export class FileWindow {
  /** The bytes from `start` to `end`. */
  bytes: Uint8Array = NO_BYTES;
  view: DataView = dataViewOf(NO_BYTES);
  start = 0;
  /** Bytes from this offset on are kept, as they may be read again. */
  hold: number = Number.POSITIVE_INFINITY;
  /** Maximum number of bytes of a stream that are kept so. */
  readonly maxHeld: number;
  /** Number of bytes that are read at least, of a source that is not a stream. */
  readonly #step: number;
  readonly source: ByteSource;
  /** Memory for chunks, with room after `bytes`. */
  #memory: Uint8Array = NO_BYTES;
  #ended = false;

  constructor(
    source: ByteSource,
    step: number = source.kind === 'random' ? source.step : 0,
    maxHeld: number = Number.POSITIVE_INFINITY,
  ) {
    this.source = source;
    this.#step = step;
    this.maxHeld = maxHeld;
    if (source.kind === 'random' && source.whole !== undefined) this.put(source.whole, 0);
  }

  get end(): number {
    return this.start + this.bytes.length;
  }

  /** Size of the file; undefined where the end of a stream has not come yet. */
  get size(): number | undefined {
    if (this.source.kind === 'random') return this.source.size;
    return this.#ended ? this.end : undefined;
  }

  has(offset: number, length: number): boolean {
    return offset >= this.start && offset + length <= this.start + this.bytes.length;
  }

  slice(offset: number, length: number): Uint8Array {
    return this.bytes.subarray(offset - this.start, offset - this.start + length);
  }

  put(bytes: Uint8Array, offset: number): void {
    this.bytes = bytes;
    this.view = dataViewOf(bytes);
    this.start = offset;
  }

  /**
   * Reads bytes into memory, and returns how many there are from `offset` on: fewer than `length` at the
   * end of the file.
   *
   * @param ahead number of bytes after them that will be wanted
   */
  async load(offset: number, length: number, ahead = 0): Promise<number> {
    if (!this.has(offset, length)) {
      if (this.source.kind === 'chunks') await this.#pull(offset, length + ahead);
      else await this.#read(offset, length, ahead);
    }
    return Math.max(0, this.end - offset);
  }

  /** Returns bytes that the file has, which is not a stream, and leaves the window as it is. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    if (this.has(offset, length)) return this.slice(offset, length);
    const bytes = await (this.source as RandomSource).read(offset, length);
    if (bytes.length < length) throw new ContainerSourceError('The file became smaller');
    return bytes;
  }

  async reaches(size: number): Promise<boolean> {
    if (this.source.kind === 'random') return size <= this.source.size;
    return size <= this.end || (await this.load(size - 1, 1)) > 0;
  }

  async #read(offset: number, length: number, ahead: number): Promise<void> {
    const { source } = this;
    if (source.kind !== 'random' || source.whole !== undefined) return;
    const { size } = source;
    const isInside = offset >= this.start && offset <= this.end;
    const keep = isInside ? Math.max(this.start, Math.min(this.hold, offset)) : offset;
    const before = isInside ? this.bytes.subarray(keep - this.start) : NO_BYTES;
    const from = keep + before.length;
    const to = Math.min(Math.max(offset + length + ahead, from + this.#step), size);
    if (to <= from) {
      if (!isInside) this.put(NO_BYTES, offset);
      return;
    }
    const rest = await this.read(from, to - from);
    this.put(before.length === 0 ? rest : joined([before, rest]), keep);
  }

  async #pull(offset: number, length: number): Promise<void> {
    const { source } = this;
    if (source.kind !== 'chunks') return;
    if (offset < this.start) throw new RangeError('A stream is not read twice');
    while (!this.#ended && this.end < offset + length) {
      const chunk = await source.next();
      if (chunk === undefined) this.#ended = true;
      else {
        const held = Math.max(this.hold, this.end + chunk.length - this.maxHeld);
        this.#add(chunk, Math.max(this.start, Math.min(offset, held)));
      }
    }
  }

  /** Adds a chunk; bytes before `keep` need not be kept. */
  #add(chunk: Uint8Array, keep: number): void {
    const { start, end } = this;
    if (end + chunk.length <= keep) {
      this.#memory = NO_BYTES;
      this.put(NO_BYTES, end + chunk.length);
      return;
    }
    const used = end - start;
    if (used + chunk.length > this.#memory.length) {
      const kept = this.bytes.subarray(Math.min(used, keep - start));
      // Twice what is needed, so that the time is linear in the number of bytes.
      const size = Math.max(2 * (kept.length + chunk.length), FIRST_SIZE);
      this.#memory = new Uint8Array(size);
      this.#memory.set(kept);
      this.#memory.set(chunk, kept.length);
      this.put(this.#memory.subarray(0, kept.length + chunk.length), end - kept.length);
      return;
    }
    this.#memory.set(chunk, used);
    this.put(this.#memory.subarray(0, used + chunk.length), start);
  }
}
