import { MsgpackEncodeError } from '../../errors/errors.ts';
import { binHeader } from '../../wire/keys.ts';
import { joined, type OwnBytes } from '../../wire/platform.ts';
import { type Codecs, NONE } from '../codec/codecs.ts';
import { crc32c } from '../codec/crc32c.ts';
import { webCodecs } from '../codec/web-codecs.ts';
import { IndexBuilder, newScalarEncoder } from '../index/IndexBuilder.ts';
import { SchemaBuilder } from '../index/SchemaBuilder.ts';
import { StatisticsBuilder } from '../index/StatisticsBuilder.ts';
import { markOf } from '../source/marks.ts';
import { type ByteTarget, MemoryTarget, streamTarget } from '../target/ByteTarget.ts';
import { bodyWriter } from './body-writer.ts';
import { arrayHeaderSize, PlainBlock } from './PlainBlock.ts';
import { rowPacker } from './row-packer.ts';
import { type ContainerWriterOptions, headerBytes, type WriterSettings, writerSettings } from './writer-options.ts';

/** Maximum size of the plain body of one row. */
const MAX_ROW = 1 << 26;
/** Maximum size of an integer of 32 bits. */
const MAX_INTEGER = 5;

/** What {@link ContainerWriter.write} returns where there is nothing to wait for. */
const DONE: Promise<void> = /* @__PURE__ */ Promise.resolve();

/** What a writer begins with: an empty file, or one that is appended to. */
export interface WriterBegin {
  readonly target: ByteTarget;
  readonly settings: WriterSettings;
  readonly size: number;
  readonly index: IndexBuilder;
  /** Whether the file ends with an index. */
  readonly hasIndex: boolean;
}

/** What is in a file that was finished. */
export interface ContainerSummary {
  /** Number of rows and messages, and of blocks. */
  readonly count: number;
  readonly blocks: number;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * Writes a container file (spec/container.md section 7). Rows are packed when they are passed, and written
 * block by block, with the next block being filled while one is compressed. A program that awaits each
 * call holds no more than three blocks in memory.
 *
 * A file without the end that `finish` writes can be read, up to the last whole block.
 *
 * @example
 * const writer = await ContainerWriter.open(stream, { stats: ['time'] });
 * for (const row of rows) await writer.write(row);
 * await writer.finish();
 */
export class ContainerWriter {
  readonly #target: ByteTarget;
  readonly #settings: WriterSettings;
  readonly #pack: (row: unknown) => Uint8Array;
  readonly #chunksOf: (block: PlainBlock) => Uint8Array[];
  readonly #index: IndexBuilder;
  readonly #schema: SchemaBuilder = new SchemaBuilder();
  readonly #mark: Uint8Array;
  #statistics: StatisticsBuilder | null;
  #block: PlainBlock = new PlainBlock();
  #count: number;
  #size: number;
  #hasIndex: boolean;
  /** Settles when all blocks that were ended are written. */
  #running: Promise<void> = DONE;
  #failure: { readonly error: unknown } | undefined;
  #isEnded = false;

  /** @internal */
  protected constructor({ target, settings, size, index, hasIndex }: WriterBegin) {
    const { messages, header } = settings;
    this.#target = target;
    this.#settings = settings;
    this.#size = size;
    this.#count = index.count;
    this.#index = index;
    this.#hasIndex = hasIndex;
    this.#pack = rowPacker(settings.values, !messages);
    this.#chunksOf = bodyWriter(settings);
    this.#mark = markOf(header.sync);
    this.#statistics = header.stats === undefined ? null : new StatisticsBuilder(header.stats);
  }

  /**
   * Begins a file, and writes its header.
   *
   * @param target a stream; in Node also the path of a file, which is replaced, a FileHandle, or a stream of
   * Node. Without one, the file is kept in memory, for {@link bytes} and {@link blob}
   * @throws TypeError for an option with a wrong value
   * @throws whatever writing to the target throws
   */
  static async open(
    target: WritableStream<Uint8Array> | null,
    options: ContainerWriterOptions = {},
  ): Promise<ContainerWriter> {
    const begin = beginFile(options, webCodecs(), () => targetOf(target));
    return new ContainerWriter(await begin);
  }

  /** Number of rows and messages so far, those in earlier blocks of the file included. */
  get count(): number {
    return this.#count;
  }

  /** Size of the file in bytes so far, without the rows of the block that is being filled. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a row, or a message with the option `messages`. The promise settles when the writer is ready for
   * the next one.
   *
   * @throws MsgpackEncodeError for a row that cannot be packed; the writer can be used on
   * @throws whatever writing to the target throws, from this call on
   * @example
   * await writer.write({ time: new Date(), city: 'Oslo' });
   */
  write(row: unknown): Promise<void> {
    try {
      this.#check();
      return this.#add(this.#pack(row));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Adds all rows of an iterable, an async iterable or a stream of objects, one after another.
   *
   * @example
   * await writer.writeAll([{ id: 1 }, { id: 2 }]);
   */
  async writeAll(rows: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
    if (Symbol.asyncIterator in rows) for await (const row of rows) await this.write(row);
    else
      for (const row of rows) {
        const ready = this.write(row);
        // Waiting for nothing would take as long as packing a small row.
        if (ready !== DONE) await ready;
      }
  }

  #add(row: Uint8Array): Promise<void> {
    const { messages, blockSize, blockRows } = this.#settings;
    if (row.length + (messages ? 0 : 1) > MAX_ROW) {
      const detail = `a row has at most ${MAX_ROW} bytes`;
      const error = new MsgpackEncodeError('length_limit', '$', detail);
      // Bundles that cannot write container files have no description of it.
      error.message = `length_limit at $: value exceeds a length limit: ${detail}`;
      throw error;
    }
    const { size, count } = this.#block;
    const header = messages ? 0 : arrayHeaderSize(count + 1);
    const isFull = count > 0 && size + row.length + header > blockSize;
    const before = isFull ? this.#endBlock() : undefined;
    this.#block.add(row);
    this.#count++;
    return this.#block.count >= blockRows ? this.#endBlock() : (before ?? DONE);
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#isEnded) throw new TypeError('The container file is finished');
  }

  /** Ends the block, and returns a promise that settles when the block before it is written. */
  #endBlock(): Promise<void> {
    const block = this.#block;
    const before = this.#running;
    const { messages } = this.#settings;
    this.#block = new PlainBlock(block.bytes.length);
    let stats: Uint8Array | null = null;
    if (!messages) {
      block.toArray();
      const { bytes, first, end, count } = block;
      this.#statistics ??= new StatisticsBuilder(StatisticsBuilder.chosen(bytes, first, end));
      const to = newScalarEncoder();
      this.#statistics.write(to, bytes, first, count);
      // A copy, as the memory of the encoder is much larger.
      stats = new Uint8Array(to.take());
      this.#schema.add(bytes, first, count);
    }
    const chunks = this.#chunksOf(block);
    this.#running = this.#store(block.count, chunks, stats, before).catch((error: unknown) => {
      this.#failure ??= { error };
      throw error;
    });
    // Each later call receives it.
    this.#running.catch(() => undefined);
    return before;
  }

  /** Compresses and writes a block, after those before it. */
  async #store(
    count: number,
    chunks: readonly Uint8Array[],
    stats: Uint8Array | null,
    before: Promise<void>,
  ): Promise<void> {
    const packed = await Promise.all(chunks.map((chunk) => this.#compressed(chunk)));
    await before;
    const offset = this.#size;
    const bytes = this.#blockBytes(count, chunks, packed);
    await this.#target.write(bytes);
    this.#size += bytes.length;
    this.#index.add(offset, bytes.length, count, stats);
    this.#hasIndex = false;
  }

  /** Compresses a chunk; one that does not get smaller stays as it is. */
  async #compressed(chunk: Uint8Array): Promise<Uint8Array> {
    const { codec, level } = this.#settings;
    if (codec === NONE) return chunk;
    const data = (await codec.compress?.(chunk, { level })) ?? chunk;
    return data.length < chunk.length ? data : chunk;
  }

  #blockBytes(count: number, chunks: readonly Uint8Array[], packed: readonly Uint8Array[]): Uint8Array {
    const { messages, header, codecName } = this.#settings;
    const size = packed.reduce((sum, { length }) => sum + length, 0);
    const to = newScalarEncoder();
    to.raw(this.#mark);
    to.reserve(MAX_INTEGER * (3 * chunks.length + 4));
    to.arrayHeader(5);
    to.number(messages ? 0 : 1);
    to.number(count);
    if (codecName === header.codec) to.nil();
    else to.string(codecName);
    to.arrayHeader(3 * chunks.length);
    chunks.forEach((chunk, i) => {
      const data = packed[i] as Uint8Array;
      to.number(chunk.length);
      to.number(data.length);
      to.number(crc32c(data));
    });
    to.raw(binHeader(size));
    return joined([to.take(), ...packed]);
  }

  /**
   * Ends the block that is being filled, and writes it. The promise settles when all blocks are written.
   *
   * @throws whatever writing to the target throws
   */
  async flush(): Promise<void> {
    this.#check();
    if (this.#block.count > 0) this.#endBlock();
    await this.#running;
    this.#check();
  }

  /**
   * Ends the file: writes the last block, the index and the trailer, and closes the target.
   *
   * @throws whatever writing to the target throws
   * @example
   * const { count, size } = await writer.finish();
   */
  async finish(): Promise<ContainerSummary> {
    this.#check();
    try {
      await this.flush();
      this.#isEnded = true;
      if (!this.#hasIndex) {
        const { sync } = this.#settings.header;
        const bytes = this.#index.write(sync, this.#size, this.#schema);
        if (bytes !== undefined) {
          await this.#target.write(bytes);
          this.#size += bytes.length;
        }
      }
      await this.#target.close();
    } catch (error) {
      this.#failure ??= { error };
      await this.abort(error);
      throw error;
    }
    return { count: this.#index.count, blocks: this.#index.length, size: this.#size };
  }

  /**
   * Abandons the file: it stays as it is, without the rows of the block that is being filled and without an
   * index. After `finish` it does nothing.
   */
  async abort(reason?: unknown): Promise<void> {
    if (this.#isEnded && this.#failure === undefined) return;
    this.#isEnded = true;
    await this.#running.catch(() => undefined);
    await this.#target.abort(reason);
  }

  /**
   * Returns a stream that writes rows here and finishes the file at its end.
   *
   * @example
   * await rows.pipeTo(writer.writable());
   */
  writable(): WritableStream<unknown> {
    return new WritableStream({
      write: (row) => this.write(row),
      close: async () => {
        await this.finish();
      },
      abort: (reason) => this.abort(reason),
    });
  }

  /**
   * Returns the file that was kept in memory.
   *
   * @throws TypeError where there is a target
   */
  bytes(): OwnBytes {
    return this.#memory.bytes();
  }

  /**
   * Returns the file that was kept in memory as a Blob.
   *
   * @throws TypeError where there is a target
   */
  blob(): Blob {
    return this.#memory.blob();
  }

  get #memory(): MemoryTarget {
    if (this.#target instanceof MemoryTarget) return this.#target;
    throw new TypeError('The container file is not in memory');
  }
}

/** Makes the target of what every platform has. */
export function targetOf(target: WritableStream<Uint8Array> | null): ByteTarget {
  if (target === null) return new MemoryTarget();
  if (target instanceof WritableStream) return streamTarget(target);
  throw new TypeError('A container file is written to a WritableStream, or to null for memory');
}

/** Begins a new file: checks the options, opens the target and writes the header. */
export async function beginFile(
  options: ContainerWriterOptions,
  codecs: Codecs,
  openTarget: () => ByteTarget | Promise<ByteTarget>,
): Promise<WriterBegin> {
  const settings = writerSettings(options, codecs);
  const header = headerBytes(settings.header);
  const target = await openTarget();
  try {
    await target.write(header);
  } catch (error) {
    await target.abort(error);
    throw error;
  }
  return { target, settings, size: header.length, index: new IndexBuilder(), hasIndex: false };
}
