import type { FoundBlock } from './BlockWalk.ts';
import type { BodyReader } from './BodyReader.ts';
import type { BlockStatistics } from './predicate.ts';
import type { RowFilter } from './RowFilter.ts';

/** A block of a container file, whose crc is right. Its body is read when it is asked for. */
export class ContainerBlock {
  /** Offset of its mark in the file. */
  readonly offset: number;
  /** Bytes of the mark and the block-array. */
  readonly size: number;
  /** Whether it has rows of the table, or messages. */
  readonly kind: 'rows' | 'messages';
  /** Number of rows or messages. */
  readonly count: number;
  /** Size of the body in bytes. */
  readonly rawSize: number;
  /** CRC-32C of `data`. */
  readonly crc: number;
  /** The codec of `data`. */
  readonly codec: string;
  /** The body, compressed: a view of memory of the reader, which does not change. */
  readonly data: Uint8Array;
  readonly #found: FoundBlock;
  readonly #reader: BodyReader;
  readonly #filter: RowFilter;

  /** @internal */
  constructor(found: FoundBlock, codec: string, reader: BodyReader, filter: RowFilter) {
    const { frame } = found;
    this.#found = found;
    this.offset = frame.offset;
    this.size = frame.end - frame.offset;
    this.kind = frame.kind === 1 ? 'rows' : 'messages';
    this.count = frame.count;
    this.rawSize = frame.rawSize;
    this.crc = frame.crc;
    this.codec = frame.codec ?? codec;
    this.data = frame.data;
    this.#reader = reader;
    this.#filter = filter;
  }

  /** What the index says of the values in the block; null where it says nothing or is not used. */
  get stats(): BlockStatistics | null {
    return this.#found.listed?.stats ?? null;
  }

  /**
   * Unpacks the body.
   *
   * @throws MsgpackDecodeError of kind `invalid_ext`
   */
  body(): Promise<Uint8Array> {
    return this.#reader.body(this.#found.frame);
  }

  /**
   * Reads the rows or messages of the block that match `where` of the reader.
   *
   * @throws MsgpackDecodeError at the block-array, with the place in the body as its detail
   * @example
   * for await (const block of reader.blocks()) console.log(block.offset, (await block.values()).length);
   */
  // biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
  async values(): Promise<any[]> {
    return this.#filter.values(this.#found.frame, await this.body());
  }
}
