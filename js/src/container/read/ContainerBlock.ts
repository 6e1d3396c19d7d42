import type { BlockStatistics } from '../index/predicate.ts';
import type { BlockChunk, FoundBlock } from './BlockFrame.ts';
import type { BodyReader } from './BodyReader.ts';
import type { RowSelection } from './RowSelection.ts';

/** A block of a container file, whose crcs are right. Its body is read when it is asked for. */
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
  /** The parts of the body, each of which is compressed by itself. */
  readonly chunks: readonly BlockChunk[];
  /** The codec of the chunks. */
  readonly codec: string;
  /** The chunks one after another: a view of memory of the reader, which does not change. */
  readonly data: Uint8Array;
  readonly #found: FoundBlock;
  readonly #reader: BodyReader;
  readonly #selection: RowSelection;

  /** @internal */
  constructor(found: FoundBlock, codec: string, reader: BodyReader, selection: RowSelection) {
    const { head, data } = found.frame;
    this.#found = found;
    this.offset = head.offset;
    this.size = head.end - head.offset;
    this.kind = head.kind === 1 ? 'rows' : 'messages';
    this.count = head.count;
    this.rawSize = head.rawSize;
    this.chunks = head.chunks;
    this.codec = head.codec ?? codec;
    this.data = data;
    this.#reader = reader;
    this.#selection = selection;
  }

  /** What the index says of the values in the block; null where it says nothing or is not used. */
  get stats(): BlockStatistics | null {
    return this.#found.listed?.stats ?? null;
  }

  /**
   * Unpacks the body.
   *
   * @throws MsgpackDecodeError of kind `invalid_container`
   */
  async body(): Promise<Uint8Array> {
    const body = this.#reader.body(this.#found.frame);
    await body.readAll();
    return body.bytes;
  }

  /**
   * Reads the rows or messages of the block that match `where` of the reader, with the keys of its `select`.
   *
   * @throws MsgpackDecodeError at the block-array, with the place in the body as its detail
   * @example
   * for await (const block of reader.blocks()) console.log(block.offset, (await block.values()).length);
   */
  // biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
  values(): Promise<any[]> {
    return this.#selection.values(this.#found.frame);
  }
}
