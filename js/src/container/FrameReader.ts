import { type Header, newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { invalidAt } from '../wire/utf8.ts';
import { missingCodec } from './codecs.ts';
import { crc32c } from './crc32c.ts';
import type { FileWindow } from './FileWindow.ts';
import { endOf, fault } from './fail.ts';
import { agrees, isTrailer, MARK_SIZE, TRAILER_SIZE } from './marks.ts';
import { MAX_HEADER, type PassLimits, passValues } from './pass.ts';

/** Number of elements that a block-array has at least, those of padding not counted. */
const MIN_ELEMENTS = 6;
const MAX_CODEC_SIZE = 64;
const MAX_PADDING = 7;
/** Bytes that hold all of a block-array before its data, mostly. */
const FRAME_SIZE = 128;

/** A block-array, of which all is known but its body. */
export interface BlockFrame {
  /** Offset of the mark, of the block-array, and of the first byte after it. */
  readonly offset: number;
  readonly at: number;
  readonly end: number;
  /** 0: messages, 1: rows. */
  readonly kind: 0 | 1;
  /** Number of messages or rows. */
  readonly count: number;
  /** Size of the body in bytes. */
  readonly rawSize: number;
  readonly crc: number;
  /** The codec that the block names; null for that of the header. */
  readonly codec: string | null;
  /** The body, compressed. */
  readonly data: Uint8Array;
}

/** What the start of a block-array says. */
interface FrameHead {
  kind: number;
  count: number;
  rawSize: number;
  crc: number;
  codec: string | null;
  /** Number of elements after data. */
  more: number;
  dataAt: number;
  dataSize: number;
}

/** What follows a mark or comes in place of one. */
export type Part =
  | { readonly kind: 'block'; readonly frame: BlockFrame }
  | { readonly kind: 'index' | 'trailer'; readonly end: number }
  | { readonly kind: 'end' };

/** What a search does otherwise than reading. */
export interface FrameChecks {
  /** Whether a codec can be unpacked; absent: each. */
  readonly knows?: (codec: string) => boolean;
  /** Returns the CRC-32C of data in the window. */
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
  readonly #codec: string;
  readonly #maxBlock: number;
  readonly #header: Header = newHeader();

  constructor(window: FileWindow, mark: Uint8Array, codec: string, maxBlock: number) {
    this.window = window;
    this.mark = mark;
    this.#codec = codec;
    this.#maxBlock = maxBlock;
  }

  /**
   * Returns what is at an offset at which a block, an index or a trailer may begin.
   *
   * @throws MsgpackDecodeError
   */
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
    const isCut = available === 1 && window.bytes[at] === M.FIXEXT8;
    if (isCut || (isTrailer(window.bytes, at) && available < TRAILER_SIZE)) throw endOf(window);
    if (isTrailer(window.bytes, at)) return { kind: 'trailer', end: offset + TRAILER_SIZE };
    throw fault('invalid_ext', offset, 'a mark was expected');
  }

  /** Whether the mark of the file is at an offset. */
  async isMark(offset: number): Promise<boolean> {
    const { window, mark } = this;
    const available = await window.load(offset, MARK_SIZE);
    return available >= MARK_SIZE && agrees(window.bytes, offset - window.start, mark);
  }

  /** Reads what follows the mark at an offset. */
  async marked(offset: number, checks: FrameChecks): Promise<Part> {
    const at = offset + MARK_SIZE;
    const { window } = this;
    switch (await this.kindAfter(offset)) {
      case 'index':
        return { kind: 'index', end: await passValues(window, at, 1, checks.limits) };
      case 'block':
        return { kind: 'block', frame: await this.#frame(offset, checks) };
      case 'cut':
        throw endOf(window);
      default:
        throw fault('invalid_ext', at, 'a mark is followed by an array');
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
    const isArray = (marker & 0xf0) === 0x90 || marker === M.ARRAY16 || marker === M.ARRAY32;
    if (!isArray) return 'other';
    if (!readHeader(view, p, bytes.length, this.#header)) return 'cut';
    if (this.#header.count === 0) return 'block';
    const first = bytes[p + this.#header.size];
    if (first === undefined) return 'cut';
    const isText = (first >= 0xa0 && first < 0xc0) || (first >= M.STR8 && first <= M.STR32);
    return isText ? 'index' : 'block';
  }

  /** Reads the header at an offset, and returns the offset after it. */
  async #next(offset: number): Promise<number> {
    const { window } = this;
    if (!window.has(offset, MAX_HEADER)) await window.load(offset, MAX_HEADER);
    const at = offset - window.start;
    const marker = window.bytes[at];
    if (marker === undefined) throw endOf(window);
    if (marker === M.RESERVED) throw fault('reserved_marker', offset);
    if (!readHeader(window.view, at, window.bytes.length, this.#header)) throw endOf(window);
    return offset + this.#header.size;
  }

  /** Reads the block-array after the mark at an offset, and checks all but its body. */
  async #frame(offset: number, checks: FrameChecks): Promise<BlockFrame> {
    const at = offset + MARK_SIZE;
    const { window } = this;
    const head = await this.#head(at);
    const { rawSize, dataAt, dataSize } = head;
    if (rawSize > this.#maxBlock || dataSize > this.#maxBlock)
      throw fault('length_limit', at, `maxBlock is ${this.#maxBlock}`);
    const codec = head.codec ?? this.#codec;
    if (checks.knows?.(codec) === false) throw fault('invalid_ext', at, missingCodec(codec));
    await window.load(dataAt, dataSize, checks.ahead?.(dataSize));
    if (!window.has(dataAt, dataSize)) throw endOf(window);
    const data = window.slice(dataAt, dataSize);
    let end = dataAt + dataSize;
    for (let i = 0; i < head.more; i++) end = await passValues(window, end, 1, checks.limits);
    const { listed } = checks;
    if (listed !== undefined && (listed.count !== head.count || listed.end !== end))
      throw endOf(window);
    const crc = checks.crcOf === undefined ? crc32c(data) : checks.crcOf(dataAt, dataSize);
    if (crc !== head.crc) throw fault('invalid_ext', at, 'the crc of the block is wrong');
    const { count } = head;
    const kind = (head.kind & 1) as 0 | 1;
    return { offset, at, end, kind, count, rawSize, crc, codec: head.codec, data };
  }

  /** Reads a block-array up to the header of its data, element by element. */
  async #head(at: number): Promise<FrameHead> {
    const must: (holds: boolean) => asserts holds = (holds) => {
      if (!holds) throw fault('invalid_ext', at, 'a block-array is malformed');
    };
    let p = await this.#next(at);
    const elements = this.#header.count;
    must(elements >= MIN_ELEMENTS);
    const uint = async (): Promise<number> => {
      const from = p;
      p = await this.#next(p);
      const value = this.#uint(from);
      must(value !== undefined);
      return value;
    };
    const kind = await uint();
    const needed = MIN_ELEMENTS + (kind < 2 ? 0 : 1);
    must(kind <= 3 && elements >= needed);
    const count = await uint();
    const rawSize = await uint();
    const crc = await uint();
    must(crc <= 0xffffffff);
    const codecAt = p;
    p = await this.#next(p);
    let codec: string | null = null;
    if (this.window.bytes[codecAt - this.window.start] !== M.NIL) {
      must(this.#header.kind === 'str' && this.#header.count <= MAX_CODEC_SIZE);
      codec = await this.#text(p, this.#header.count);
      p += this.#header.count;
    }
    if (kind > 1) {
      p = await this.#next(p);
      const size = this.#header.count;
      must(this.#header.kind === 'bin' && size <= MAX_PADDING);
      must((await this.#bytes(p, size)).every((byte) => byte === 0));
      p += size;
    }
    p = await this.#next(p);
    must(this.#header.kind === 'bin');
    const dataSize = this.#header.count;
    return { kind, count, rawSize, crc, codec, more: elements - needed, dataAt: p, dataSize };
  }

  /** Returns the integer from 0 up whose header was read; undefined for any other value. */
  #uint(offset: number): number | undefined {
    const { view, start } = this.window;
    const at = offset - start;
    const marker = view.getUint8(at);
    if (marker < 0x80) return marker;
    const value = NUMBERS[marker]?.(view, at + 1);
    return value !== undefined && value >= 0 ? value : undefined;
  }

  async #bytes(offset: number, size: number): Promise<Uint8Array> {
    const { window } = this;
    if (!window.has(offset, size)) await window.load(offset, size);
    if (!window.has(offset, size)) throw endOf(window);
    return window.slice(offset, size);
  }

  async #text(offset: number, size: number): Promise<string> {
    const bytes = await this.#bytes(offset, size);
    const bad = invalidAt(bytes, 0, size);
    if (bad >= 0) throw fault('invalid_utf8', offset + bad);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
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
