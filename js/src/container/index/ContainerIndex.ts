import { UnpackrClass } from '../../api/Unpackr.ts';
import { skipPlain } from '../../columns/malformed.ts';
import { MsgpackDecodeError } from '../../errors/errors.ts';
import { DIALECT } from '../../options/dialect.ts';
import { type Header, newHeader, readHeader } from '../../wire/header.ts';
import { dataViewOf } from '../../wire/platform.ts';
import { crc32c } from '../codec/crc32c.ts';
import { ContainerSourceError } from '../source/ContainerSourceError.ts';
import type { FileWindow } from '../source/FileWindow.ts';
import { agrees, MARK_SIZE, TRAILER_HEAD, TRAILER_SIZE, trailerAt } from '../source/marks.ts';
import { passValues } from '../source/pass.ts';
import { type BlockStatistics, type PathStatistics, statisticsOf } from './predicate.ts';

const VERSION = 1n;
/** Bytes of the smallest mark and block-array. */
const MIN_BLOCK = 25;
/** Bytes at the end of a file that are read at once. */
const TAIL = 1 << 16;

/** A type of the values at a path, as a schema names it. */
export type SchemaType = 'bool' | 'int' | 'uint' | 'float' | 'str' | 'bin' | 'timestamp' | 'array' | 'map' | 'ext';

export const SCHEMA_TYPES: readonly SchemaType[] =
  /* @__PURE__ */ 'bool int uint float str bin timestamp array map ext'.split(' ') as SchemaType[];

/** What a table has at a path. */
export interface SchemaEntry {
  /** The types that occur. */
  readonly types: readonly SchemaType[];
  /** Whether the value is nil or missing in a row. */
  readonly nullable: boolean;
}

/** The schema of a table, by paths; `tags[]` are the elements of an array. */
export type ContainerSchema = ReadonlyMap<string, SchemaEntry>;

/** A block as the index lists it. */
export interface IndexedBlock {
  /** Offset of its mark. */
  readonly offset: number;
  /** Bytes of the mark and the block-array. */
  readonly size: number;
  /** Number of rows or messages. */
  readonly count: number;
  readonly stats: BlockStatistics | null;
}

/** The index of a file. It keeps its bytes, and reads statistics when they are asked for. */
export class ContainerIndex {
  /** Offset of its mark. */
  readonly offset: number;
  /** Number of blocks. */
  readonly length: number;
  /** Number of rows and messages in all blocks. */
  readonly count: number;
  /** The schema of the table; undefined where the file has none. */
  readonly schema: ContainerSchema | undefined;
  /** Offset, size, count and position of statistics of each block. */
  readonly #numbers: Float64Array;
  readonly #bytes: Uint8Array;
  readonly #unpackr: UnpackrClass = newUnpackr();

  /** @internal */
  constructor(offset: number, bytes: Uint8Array, read: Entries) {
    this.offset = offset;
    this.#bytes = bytes;
    this.#numbers = read.numbers;
    this.length = read.numbers.length / FIELDS;
    this.count = read.count;
    this.schema = read.schema;
  }

  /** Returns a block by its number, from 0 up. */
  block(number: number): IndexedBlock {
    const at = number * FIELDS;
    const [offset = 0, size = 0, count = 0] = this.#numbers.subarray(at, at + FIELDS);
    const index = this;
    return {
      offset,
      size,
      count,
      get stats() {
        return index.stats(number);
      },
    };
  }

  /** Returns the statistics of a block; null where it has none. */
  stats(number: number): BlockStatistics | null {
    const map: unknown = this.#unpackr.unpack(this.packedStats(number));
    if (!(map instanceof Map)) return null;
    const stats = new Map<string, PathStatistics>();
    for (const [path, entry] of map) {
      const known = typeof path === 'string' ? statisticsOf(entry) : undefined;
      if (known !== undefined) stats.set(path, known);
    }
    return stats;
  }

  /** Iterates over all blocks in the order of the file. */
  *[Symbol.iterator](): Generator<IndexedBlock, void, undefined> {
    for (let number = 0; number < this.length; number++) yield this.block(number);
  }

  /** Returns the bytes of a block's statistics in the index. @internal */
  packedStats(number: number): Uint8Array {
    const at = this.#numbers[number * FIELDS + 3] as number;
    const { end } = skipPlain(this.#bytes, dataViewOf(this.#bytes), at, this.#bytes.length);
    return this.#bytes.subarray(at, end);
  }
}

/** Numbers that are kept for each block. */
const FIELDS = 4;

interface Entries {
  readonly numbers: Float64Array;
  readonly count: number;
  readonly schema: ContainerSchema | undefined;
}

/** Reads integers as bigints, so that they differ from floats. */
const newUnpackr = (): UnpackrClass =>
  new UnpackrClass({
    maps: 'map',
    timestamps: 'timestamp',
    [DIALECT]: { decode: () => ({ integersAsBigInt: true, int64: 'bigint' }) },
  });

/** Reads the index at the end of a file, whose header ends at an offset; null where there is none that can be used. */
export async function readIndex(
  window: FileWindow,
  mark: Uint8Array,
  headerEnd: number,
  maxBlock: number,
): Promise<ContainerIndex | null> {
  const { size } = window;
  if (size === undefined || size < headerEnd + TRAILER_SIZE) return null;
  const end = size - TRAILER_SIZE;
  // With the trailer, mostly the index is read as well.
  const tail = Math.max(0, size - TAIL);
  await window.load(tail, size - tail);
  const at = end - window.start;
  const offset = trailerAt(window.bytes, window.view, at) ?? -1;
  if (offset < headerEnd || offset > end - MARK_SIZE || end - offset - MARK_SIZE > maxBlock) return null;
  await window.load(offset, size - offset);
  const covered = window.slice(offset, end + TRAILER_HEAD - offset);
  const crc = window.view.getUint32(end + TRAILER_HEAD - window.start);
  if (!agrees(window.bytes, offset - window.start, mark) || crc !== crc32c(covered)) return null;
  const from = offset + MARK_SIZE;
  try {
    if ((await passValues(window, from, 1, { limit: end })) !== end) return null;
  } catch (error) {
    if (error instanceof ContainerSourceError || !(error instanceof MsgpackDecodeError)) throw error;
    return null;
  }
  // A copy, as the window may have much more.
  const bytes = new Uint8Array(window.slice(from, end - from));
  const entries = entriesOf(bytes, headerEnd, offset);
  return entries === undefined ? null : new ContainerIndex(offset, bytes, entries);
}

/** Reads an index-array, which is well-formed; undefined where it is not one that can be used. */
function entriesOf(bytes: Uint8Array, headerEnd: number, end: number): Entries | undefined {
  const reader = new EntryReader(bytes);
  if (reader.next('array') < 4 || reader.value() !== 'index' || reader.value() !== VERSION) return undefined;
  const length = reader.next('array');
  if (length < 0) return undefined;
  const numbers = new Float64Array(length * FIELDS);
  let before = headerEnd;
  let total = 0;
  for (let i = 0; i < numbers.length; i += FIELDS) {
    const fields = reader.next('array');
    if (fields < FIELDS) return undefined;
    const [offset, size, count] = [reader.uint(), reader.uint(), reader.uint()];
    if (!(offset >= before && size >= MIN_BLOCK && offset + size <= end && count >= 0)) return undefined;
    before = offset + size;
    total += count;
    numbers.set([offset, size, count, reader.p], i);
    if (!reader.skipStats()) return undefined;
    reader.skip(fields - FIELDS);
  }
  const totals = reader.value();
  if (!(totals instanceof Map) || !Number.isSafeInteger(total)) return undefined;
  if (totals.get('count') !== BigInt(total)) return undefined;
  return { numbers, count: total, schema: schemaOf(totals.get('schema')) };
}

class EntryReader {
  p = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #header: Header = newHeader();
  readonly #unpackr: UnpackrClass = newUnpackr();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = dataViewOf(bytes);
  }

  #peek(): Header {
    readHeader(this.#view, this.p, this.#bytes.length, this.#header);
    return this.#header;
  }

  /** Enters a container, and returns the number of its elements; -1 for anything else. */
  next(kind: 'array' | 'map'): number {
    const header = this.#peek();
    if (header.kind !== kind) return -1;
    this.p += header.size;
    return header.count;
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.p = skipPlain(this.#bytes, this.#view, this.p, this.#bytes.length).end;
  }

  value(): unknown {
    const start = this.p;
    this.skip(1);
    return this.#unpackr.unpack(this.#bytes.subarray(start, this.p));
  }

  /** Reads an integer from 0 up; -1 for anything else. */
  uint(): number {
    const { kind } = this.#peek();
    const value = kind === 'integer' ? this.value() : undefined;
    return typeof value === 'bigint' && value >= 0n ? Number(value) : -1;
  }

  skipStats(): boolean {
    const { kind } = this.#peek();
    const isStats = kind === 'map' || kind === 'nil';
    this.skip(1);
    return isStats;
  }
}

/** Returns a schema that was read; undefined for one of another form. */
function schemaOf(value: unknown): ContainerSchema | undefined {
  if (!(value instanceof Map)) return undefined;
  const schema = new Map<string, SchemaEntry>();
  for (const [path, entry] of value as Map<unknown, unknown>) {
    if (typeof path !== 'string' || !Array.isArray(entry)) return undefined;
    const [types, nullable] = entry as unknown[];
    const areTypes = Array.isArray(types) && types.every((type) => SCHEMA_TYPES.includes(type));
    if (!areTypes || typeof nullable !== 'boolean') return undefined;
    schema.set(path, { types, nullable });
  }
  return schema;
}
