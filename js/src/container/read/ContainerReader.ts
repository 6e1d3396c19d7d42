import { disposable } from '../../stream/chunks.ts';
import type { Codecs } from '../codec/codecs.ts';
import { webCodecs } from '../codec/web-codecs.ts';
import { type ContainerIndex, type ContainerSchema, readIndex } from '../index/ContainerIndex.ts';
import { type CheckedCondition, checkPredicate, type Predicate } from '../index/predicate.ts';
import type { ByteSource } from '../source/byte-source.ts';
import { FileWindow } from '../source/FileWindow.ts';
import { isEnd } from '../source/fail.ts';
import { type WebSource, webSource } from '../source/web-sources.ts';
import type { BlockFrame, BlockWalk, DamagedRange, FoundBlock, WalkOptions } from './BlockFrame.ts';
import { BodyReader, checkValueOptions, type ValueOptions } from './BodyReader.ts';
import { ContainerBlock } from './ContainerBlock.ts';
import { type ContainerHeader, type ReadHeader, readContainerHeader } from './ContainerHeader.ts';
import { RowIterator } from './RowIterator.ts';
import { type ColumnBatch, RowSelection } from './RowSelection.ts';
import { IndexedWalk, SequentialWalk } from './walks.ts';

const MAX_BLOCK = 1 << 26;
/** Bytes that are read at least for the header. */
const OPEN_STEP = 1 << 16;

/**
 * Options of readers of container files.
 *
 * @example
 * await ContainerReader.open(file, { where: [['price', '>=', 10]], onBadBlock: 'skip' });
 */
export interface ContainerReaderOptions {
  /** Maximum size in bytes of a body, and of the data of a block. Default: 64 MiB. */
  maxBlock?: number | undefined;
  /**
   * What a fault in the file leads to: an error after the blocks before it, or with 'skip' reading on at the
   * next block that is whole; `damaged` of the reader then has the fault. Default 'error'.
   */
  onBadBlock?: 'error' | 'skip' | undefined;
  /** Returns only rows and messages that match. Blocks that cannot have one are not read. */
  where?: Predicate | undefined;
  /**
   * The keys that rows and messages have of theirs, if they are maps. Where rows are stored by column, nothing of the
   * others is read, except for `where`. Default: all.
   */
  select?: readonly string[] | undefined;
  /** Leaves out blocks that cannot have a match, and no rows: for programs that compare them otherwise. */
  prune?: Predicate | undefined;
  /** Whether the index is used. Default: true, where the source allows that. */
  index?: boolean | undefined;
  /** Reads only blocks whose marks begin in this range of offsets, the first one included. */
  split?: readonly [number, number] | undefined;
  /** Waits at the end of a file for what is appended, until `signal` ends that. In Node, for files. Default: false. */
  follow?: boolean | undefined;
  /** Codecs that the platform lacks, or to be used in place of its own. */
  codecs?: Codecs | undefined;
  /** Ends reading with the reason of the signal as the error. */
  signal?: AbortSignal | undefined;
  /** How values are read: options of `Unpackr` such as `maps`, `timestamps` and `int64`. */
  values?: ValueOptions | undefined;
}

export interface ReaderPlatform {
  readonly codecs: Codecs;
  source(source: unknown, signal: AbortSignal | undefined, follows: boolean): Promise<ByteSource> | ByteSource;
}

interface OpenedFile {
  readonly source: ByteSource;
  readonly window: FileWindow;
  readonly read: ReadHeader;
  readonly index: ContainerIndex | null;
  readonly platform: ReaderPlatform;
  readonly options: ContainerReaderOptions;
}

/**
 * Reads a container file (spec/container.md): its rows and messages in their order, or the blocks that they
 * are in. With bytes, Blobs, files and servers that send ranges, the index at the end of the file is used:
 * blocks that cannot have a match are not read. A stream is read once, without the index.
 *
 * @example
 * const reader = await ContainerReader.open(bytes, { where: [['price', '>=', 10]] });
 * for await (const row of reader) console.log(row);
 */
// biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
export class ContainerReader implements AsyncIterable<any> {
  /** @internal */
  protected static platform(): ReaderPlatform {
    return {
      codecs: webCodecs(),
      source: (source, signal) => webSource(source as WebSource, signal),
    };
  }

  /** What the header says. */
  readonly header: ContainerHeader;
  /** The index; null where there is none that can be used. */
  readonly index: ContainerIndex | null;
  readonly #file: OpenedFile;
  readonly #conditions: readonly CheckedCondition[];
  readonly #prunes: readonly CheckedCondition[];
  readonly #bodies: BodyReader;
  readonly #selection: RowSelection;
  readonly #damaged: DamagedRange[] = [];
  #isRead = false;

  /** @internal */
  protected constructor(file: OpenedFile) {
    const { options, platform, read } = file;
    this.#file = file;
    this.header = read.header;
    this.index = file.index;
    this.#conditions = checkPredicate(options.where ?? []);
    this.#prunes = checkPredicate(options.prune ?? []);
    const { codecs = {}, values = {}, select } = options;
    this.#bodies = new BodyReader(read.header.codec, codecs, platform.codecs, values);
    this.#selection = new RowSelection(this.#bodies, this.#conditions, select);
    disposable(this, (reader) => reader.close());
  }

  /**
   * Opens a file: reads its header, and its index where the source allows that.
   *
   * A server is asked for ranges. If it sends the whole file instead, or does not tell its size, the file is
   * read as one stream, without the index. In Node, a string that is not a URL of the web is a path.
   *
   * @param source bytes, a Blob or a File, a URL, a Response, a stream or an iterable of chunks; in Node also
   * the path of a file, a FileHandle or a stream of Node
   * @throws MsgpackDecodeError for a malformed header
   * @throws ContainerSourceError where a server answers with an error
   * @throws TypeError for an option with a wrong value
   */
  static async open(source: WebSource, options: ContainerReaderOptions = {}): Promise<ContainerReader> {
    return new ContainerReader(await openFile(source, options, ContainerReader.platform()));
  }

  /** What the program that wrote the file put into its header. */
  get meta(): Readonly<Record<string, unknown>> | undefined {
    return this.header.meta;
  }

  /** Number of rows and messages in the file; undefined without an index. */
  get count(): number | undefined {
    return this.index?.count;
  }

  /** The schema of the table; undefined where the index has none. */
  get schema(): ContainerSchema | undefined {
    return this.index?.schema;
  }

  /** Size of the file in bytes; undefined for a stream. */
  get size(): number | undefined {
    const { source } = this.#file;
    return source.kind === 'random' ? source.size : undefined;
  }

  /** What was passed over so far, with `onBadBlock: 'skip'`. */
  get damaged(): readonly DamagedRange[] {
    return this.#damaged;
  }

  /**
   * Returns ranges of about the same number of bytes that have all blocks between them, each once, to be read
   * with the option `split` by readers of their own.
   *
   * @throws TypeError for a stream
   * @example
   * const [first] = (await ContainerReader.open(file)).splits(4);
   * const part = await ContainerReader.open(file, { split: first });
   */
  splits(n: number): [from: number, to: number][] {
    const { size } = this;
    if (size === undefined) throw new TypeError('A stream has no splits');
    if (!Number.isInteger(n) || n < 1) throw new TypeError('The number of splits is from 1 up');
    const { index } = this;
    const marks = index === null ? null : Array.from(index, ({ offset }) => offset);
    const length = Math.min(n, size);
    const begins = Array.from({ length }, (_, i) => {
      const at = Number((BigInt(size) * BigInt(i)) / BigInt(length));
      return marks === null || i === 0 ? at : (marks.find((mark) => mark >= at) ?? size);
    });
    return begins
      .map((from, i): [number, number] => [from, begins[i + 1] ?? size])
      .filter(([from, to]) => from < to && (marks === null || marks.some((mark) => mark >= from && mark < to)));
  }

  /**
   * Iterates over the blocks. Their bodies are not read unless `values` or `body` is called, and faults in
   * them are errors of these.
   *
   * @throws MsgpackDecodeError for a fault in the file, after the blocks before it
   * @example
   * for await (const { offset, count, stats } of reader.blocks()) console.log(offset, count, stats);
   */
  async *blocks(): AsyncGenerator<ContainerBlock, void, undefined> {
    for await (const [found] of this.#found(false))
      yield new ContainerBlock(found, this.header.codec, this.#bodies, this.#selection);
  }

  /** Iterates over the blocks of a walk; at its end the source rests. */
  async *#found(isLazy: boolean): AsyncGenerator<[FoundBlock, BlockWalk], void, undefined> {
    const { source } = this.#file;
    const walk = this.#walk(isLazy);
    try {
      for (let found = await walk.next(); found !== undefined; found = await walk.next()) yield [found, walk];
    } finally {
      if (source.kind === 'random') await source.rest?.();
    }
  }

  /**
   * Iterates over arrays of rows and messages, one array for each block. This takes less time than one row
   * after another.
   *
   * @throws MsgpackDecodeError for a fault in the file, after the blocks before it
   * @example
   * for await (const rows of reader.batches()) for (const row of rows) console.log(row);
   */
  // biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
  async *batches(): AsyncGenerator<any[], void, undefined> {
    const selection = this.#selection;
    for await (const values of this.#each(selection.isPartial, (frame) => selection.values(frame)))
      if (values.length > 0) yield values;
  }

  /**
   * Iterates over single columns of the table, one object for each block. Where rows are stored by column,
   * nothing of the other columns is read, and numbers are typed arrays. Messages are not part of the table.
   *
   * @param paths the paths of the columns
   * @throws MsgpackDecodeError for a fault in the file, after the blocks before it
   * @example
   * for await (const { count, columns } of reader.columns(['id', 'pos.x'])) console.log(columns.id);
   */
  async *columns<Path extends string>(paths: readonly Path[]): AsyncGenerator<ColumnBatch<Path>, void, undefined> {
    const none = Promise.resolve({ count: 0, columns: {} as ColumnBatch<Path>['columns'] });
    const read = (frame: BlockFrame): Promise<ColumnBatch<Path>> =>
      frame.head.kind === 1 ? this.#selection.columns(frame, paths) : none;
    for await (const batch of this.#each(true, read)) if (batch.count > 0) yield batch;
  }

  /** Reads something of each block, and passes over faults. */
  async *#each<T>(isLazy: boolean, read: (frame: BlockFrame) => Promise<T>): AsyncGenerator<T> {
    for await (const [{ frame }, walk] of this.#found(isLazy)) {
      let result: T;
      try {
        result = await read(frame);
      } catch (error) {
        await walk.fault(frame, error);
        continue;
      }
      yield result;
    }
  }

  /** Iterates over all rows and messages in the order of the file. */
  // biome-ignore lint/suspicious/noExplicitAny: values have the type that their user expects
  [Symbol.asyncIterator](): AsyncIterableIterator<any> {
    return disposable(new RowIterator(this.batches()), (rows) => rows.return());
  }

  #walk(isLazy: boolean): BlockWalk {
    const { source, window, read, options, index } = this.#file;
    const [first, last] = options.split ?? [0, Number.POSITIVE_INFINITY];
    const walk: WalkOptions = {
      mark: read.mark,
      codec: read.header.codec,
      maxBlock: options.maxBlock ?? MAX_BLOCK,
      skips: options.onBadBlock === 'skip',
      damaged: this.#damaged,
      isLazy,
      first,
      last,
      conditions: [...this.#conditions, ...this.#prunes],
      knows: (codec) => this.#bodies.knows(codec),
      signal: options.signal,
    };
    if (source.kind === 'random' && index !== null) return new IndexedWalk(source, index, walk);
    if (source.kind === 'chunks' && this.#isRead) throw new TypeError('A stream is read once');
    this.#isRead = true;
    const step = source.kind === 'random' && isLazy ? source.gap : undefined;
    const own = source.kind === 'chunks' ? window : new FileWindow(source, step);
    return new SequentialWalk(own, read.end, walk);
  }

  /** Closes the source: a file that was opened by its path, or a stream. In JavaScript `await using` does so too. */
  async close(): Promise<void> {
    await this.#file.source.close();
  }
}

const NAMES: readonly string[] =
  /* @__PURE__ */ 'maxBlock onBadBlock where select prune index split follow codecs signal values'.split(' ');

function checkOptions(options: ContainerReaderOptions): void {
  for (const name of Object.keys(options)) if (!NAMES.includes(name)) throw new TypeError(`There is no option ${name}`);
  const { maxBlock = MAX_BLOCK, onBadBlock = 'error', split, select, follow, index } = options;
  if (follow === true && index === true) throw new TypeError('A file is followed without its index');
  if (!(maxBlock >= 0)) throw new TypeError('maxBlock is a number from 0 up');
  if (onBadBlock !== 'error' && onBadBlock !== 'skip')
    throw new TypeError(`onBadBlock is error or skip, not ${String(onBadBlock)}`);
  const isSplit = Array.isArray(split) && split.length === 2 && split.every((at) => at >= 0);
  if (split !== undefined && !isSplit) throw new TypeError('A split is two offsets');
  const isSelect = Array.isArray(select) && select.every((key) => typeof key === 'string');
  if (select !== undefined && !isSelect) throw new TypeError('select is an array of keys');
  checkValueOptions(options.values ?? {});
  checkPredicate(options.where ?? []);
  checkPredicate(options.prune ?? []);
}

export async function openFile(
  given: unknown,
  options: ContainerReaderOptions,
  platform: ReaderPlatform,
): Promise<OpenedFile> {
  checkOptions(options);
  const { maxBlock = MAX_BLOCK, signal, follow = false, index: isUsed = !follow } = options;
  signal?.throwIfAborted();
  const source = await platform.source(given, signal, follow);
  if (follow && (source.kind !== 'random' || source.grown === undefined)) {
    await source.close();
    throw new TypeError('Only a file of Node can be followed');
  }
  try {
    // Of a stream, what may have to be searched is kept: a block with all that belongs to it.
    const window = new FileWindow(source, OPEN_STEP, 2 * maxBlock + (1 << 16));
    const read = await headerOf(window, maxBlock);
    const index = isUsed ? await readIndex(window, read.mark, read.end, maxBlock) : null;
    return { source, window, read, index, platform, options };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Reads the header; of a file that is followed, as soon as it is whole. */
async function headerOf(window: FileWindow, maxBlock: number): Promise<ReadHeader> {
  const { source } = window;
  for (;;)
    try {
      return await readContainerHeader(window, maxBlock);
    } catch (error) {
      if (!isEnd(error) || source.kind !== 'random' || source.grown === undefined) throw error;
      await source.grown(source.size);
    }
}
