import { type Header, type MarkerKind, newHeader, readHeader } from '../../wire/header.ts';
import { integerAt } from '../../wire/integers.ts';
import * as M from '../../wire/markers.ts';
import { invalidAt } from '../../wire/utf8.ts';
import { missingCodec } from '../codec/codecs.ts';
import { crc32c } from '../codec/crc32c.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { type BlockPlace, blockFault, endOf, fault } from '../source/fail.ts';
import { agrees, beginsMark, isTrailer, MARK_SIZE, TRAILER_SIZE } from '../source/marks.ts';
import { charge, MAX_HEADER, type PassLimits, passValues } from '../source/pass.ts';
import { type BlockChunk, BlockFrame, type BlockHead, type WalkOptions } from './BlockFrame.ts';

const MIN_ELEMENTS = 5;
const INDEX_ELEMENTS = 4;
const MAX_CODEC_SIZE = 64;
/** Maximum number of elements in the list of chunks, three for each. */
const MAX_CHUNK_NUMBERS = 3 * 4096;
const MAX_CRC = 0xffffffff;
/** Bytes that hold all of a block-array before its data, mostly. */
const FRAME_SIZE = 128;

/** What the start of a block-array says, up to its data: `more` is the number of elements after the data. */
type FrameStart = Omit<BlockHead, 'offset' | 'end'> & { readonly more: number; readonly chunkBytes: number };

/** What follows a mark or comes in place of one. */
export type Part =
  | { readonly kind: 'block'; readonly frame: BlockFrame }
  | { readonly kind: 'index' | 'trailer'; readonly end: number }
  | { readonly kind: 'end' };

/** What is done otherwise than in reading all of the next block. */
export interface FrameChecks {
  readonly number?: number | undefined;
  /** Whether chunks are read, and their crcs compared, when they are needed. */
  readonly isLazy?: boolean;
  /** Whether a codec can be unpacked; absent: each. */
  readonly knows?: (codec: string) => boolean;
  readonly crcOf?: (offset: number, size: number) => number;
  /** Number of bytes after the data that will be wanted, or that many by its size. */
  readonly ahead?: (dataSize: number) => number;
  readonly limits?: PassLimits;
  /** What the index says of the block: its count, and where it ends. */
  readonly listed?: { readonly count: number; readonly end: number };
}

/** Reads what marks begin, up to the bodies of blocks. */
export class FrameReader {
  readonly window: FileWindow;
  readonly mark: Uint8Array;
  readonly #options: WalkOptions;
  readonly #heads: HeadReader;

  constructor(window: FileWindow, options: WalkOptions) {
    this.window = window;
    this.mark = options.mark;
    this.#options = options;
    this.#heads = new HeadReader(window);
  }

  /** Returns what is at an offset at which a block, an index or a trailer may begin. */
  async part(offset: number, checks: FrameChecks): Promise<Part> {
    const { window, mark } = this;
    if (!window.has(offset, MARK_SIZE)) await window.load(offset, MARK_SIZE);
    const at = offset - window.start;
    const available = window.bytes.length - at;
    if (available <= 0) return { kind: 'end' };
    if (agrees(window.bytes, at, mark)) {
      if (available < MARK_SIZE) throw endOf(window);
      return this.marked(offset, checks);
    }
    if (!isTrailer(window.bytes, at)) throw fault('invalid_container', offset, 'a mark was expected');
    if (available < TRAILER_SIZE) throw endOf(window);
    return { kind: 'trailer', end: offset + TRAILER_SIZE };
  }

  async isMark(offset: number): Promise<boolean> {
    const { window, mark } = this;
    const available = await window.load(offset, MARK_SIZE);
    return available >= MARK_SIZE && agrees(window.bytes, offset - window.start, mark);
  }

  async marked(offset: number, checks: FrameChecks): Promise<Part> {
    const at = offset + MARK_SIZE;
    const { window } = this;
    switch (await this.kindAfter(offset)) {
      case 'index': {
        const { size, count } = this.#heads.header;
        const limits = { ...checks.limits, depth: 1 };
        return {
          kind: 'index',
          end: await this.#pass({ at }, at + size, count, INDEX_ELEMENTS, limits),
        };
      }
      case 'block':
        return { kind: 'block', frame: await this.#frame(offset, checks) };
      case 'cut':
        throw endOf(window);
      default:
        throw fault('invalid_container', at, 'a mark is followed by an array');
    }
  }

  /** Returns what the first bytes after the mark at an offset are; 'cut' where the file ends too early. */
  async kindAfter(offset: number): Promise<'block' | 'index' | 'other' | 'cut'> {
    const at = offset + MARK_SIZE;
    const { window } = this;
    if (!window.has(at, FRAME_SIZE)) await window.load(at, FRAME_SIZE);
    const { bytes, view, start } = window;
    const p = at - start;
    const marker = bytes[p];
    if (marker === undefined) return 'cut';
    if (!M.isArray(marker)) return 'other';
    const { header } = this.#heads;
    if (!readHeader(view, p, bytes.length, header)) return 'cut';
    if (header.count === 0) return 'block';
    const first = bytes[p + header.size];
    if (first === undefined) return 'cut';
    return M.isStr(first) ? 'index' : 'block';
  }

  /** Reads the block-array after the mark at an offset, and checks all but its body. */
  async #frame(offset: number, checks: FrameChecks): Promise<BlockFrame> {
    const { window } = this;
    const { isLazy = false, limits, listed, crcOf } = checks;
    const start = await this.#start(offset + MARK_SIZE, checks);
    const { dataAt, dataSize } = start;
    const { maxBlock } = this.#options;
    if (Math.max(start.rawSize, start.chunkBytes, dataSize) > maxBlock)
      throw blockFault(start, `maxBlock is ${maxBlock}`, 'length_limit');
    if (start.chunkBytes !== dataSize) throw blockFault(start, 'the sizes of the chunks are not that of the data');
    const codec = start.codec ?? this.#options.codec;
    if (checks.knows?.(codec) === false) throw blockFault(start, missingCodec(codec));
    let end = dataAt + dataSize;
    let data: Uint8Array | undefined;
    if (!isLazy || window.source.kind === 'chunks') {
      await window.load(dataAt, dataSize, checks.ahead?.(dataSize));
      if (!window.has(dataAt, dataSize)) throw endOf(window);
      data = window.slice(dataAt, dataSize);
    } else if (!(await window.reaches(end))) throw endOf(window);
    end = await this.#pass(start, end, start.more, 0, limits);
    if (listed !== undefined && (listed.count !== start.count || listed.end !== end)) throw endOf(window);
    const frame = new BlockFrame({ ...start, offset, end }, window, data, !isLazy);
    if (!isLazy)
      frame.check(({ at, size }) =>
        crcOf === undefined ? crc32c(data as Uint8Array, at, at + size) : crcOf(dataAt + at, size),
      );
    return frame;
  }

  /**
   * Passes over elements of an array from an offset on, and returns the offset after them. Those after the first
   * `known` may not be marks: a damaged number of elements would take in what follows.
   */
  async #pass(array: BlockPlace, offset: number, count: number, known: number, limits?: PassLimits): Promise<number> {
    const { window } = this;
    let end = offset;
    for (let i = 0; i < count; i++) {
      if (i >= known) {
        await window.load(end, 2);
        if (beginsMark(window.bytes, end - window.start)) throw blockFault(array, 'a mark is within the array');
      }
      end = await passValues(window, end, 1, limits);
    }
    return end;
  }

  /** Reads a block-array up to the header of its data, element by element. */
  async #start(at: number, { number, limits }: FrameChecks): Promise<FrameStart> {
    const heads = this.#heads;
    const { header } = heads;
    let p = at;
    const must: (holds: boolean) => asserts holds = (holds) => {
      if (!holds) throw blockFault({ at, number }, 'the block-array is malformed');
    };
    // Returns the count of the next header, which must be of a kind.
    const next = async (kind: MarkerKind): Promise<number> => {
      p = await heads.next(p);
      must(header.kind === kind);
      return header.count;
    };
    // Returns integers, the last of each three of which is a crc.
    const uints = async (count: number): Promise<number[]> => {
      const values: number[] = [];
      while (values.length < count) {
        const after = heads.next(p);
        // Waiting for nothing would take most of the time.
        const end = typeof after === 'number' ? after : await after;
        const value = heads.uint(p);
        must(value !== undefined && (values.length % 3 !== 2 || value <= MAX_CRC));
        values.push(value);
        p = end;
      }
      return values;
    };
    const elements = await next('array');
    must(elements >= MIN_ELEMENTS);
    const [kind] = await uints(1);
    must(kind === 0 || kind === 1);
    const [count] = (await uints(1)) as [number];
    p = await heads.next(p);
    let codec: string | null = null;
    if (header.kind !== 'nil') {
      must(header.kind === 'str' && header.count <= MAX_CODEC_SIZE);
      codec = await this.#text(p, header.count);
      p += header.count;
    }
    const numbers = await next('array');
    must(numbers % 3 === 0 && numbers <= MAX_CHUNK_NUMBERS);
    const listAt = p;
    const list = await uints(numbers);
    charge(limits, p - listAt);
    const chunks: BlockChunk[] = [];
    let [rawSize, chunkBytes] = [0, 0];
    for (let i = 0; i < list.length; i += 3) {
      const [raw, size, crc] = list.slice(i, i + 3) as [number, number, number];
      chunks.push({ rawAt: rawSize, rawSize: raw, at: chunkBytes, size, crc });
      rawSize += raw;
      chunkBytes += size;
    }
    const dataSize = await next('bin');
    const sizes = { rawSize, chunkBytes, dataAt: p, dataSize };
    return { number, at, kind, count, codec, chunks, ...sizes, more: elements - MIN_ELEMENTS };
  }

  async #text(offset: number, size: number): Promise<string> {
    const { window } = this;
    if (!window.has(offset, size)) await window.load(offset, size);
    if (!window.has(offset, size)) throw endOf(window);
    const bytes = window.slice(offset, size);
    const bad = invalidAt(bytes, 0, size);
    if (bad >= 0) throw fault('invalid_utf8', offset + bad);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }
}

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
