/** Options of writers of container files (spec/container.md section 7). */
import { PackrClass } from '../api/Packr.ts';
import type { ContainerHeader } from './ContainerHeader.ts';
import { type Codec, type Codecs, codecOf, missingCodec } from './codecs.ts';
import { newScalarEncoder } from './IndexBuilder.ts';
import { BEGINNING, SYNC_SIZE } from './marks.ts';
import type { RowOptions } from './RowPacker.ts';

const MAX_BLOCK_SIZE = 1 << 26;
const BLOCK_SIZE = 1 << 22;
const BLOCK_ROWS = 65_536;
const MAX_STRUCTURES = 8160;

/**
 * Options of writers of container files.
 *
 * @example
 * await ContainerWriter.open('events.pkd', { key: ['time', 'user.id'], meta: { source: 'api' } });
 */
export interface ContainerWriterOptions {
  /** The codec of blocks: `none`, `deflate`, `zstd` where the platform has it (Node from 22.15 on), or one of `codecs`. Default 'deflate'. */
  codec?: string | undefined;
  /** The level of the codec. Default: 6 for `deflate`, 3 for `zstd`. Browsers have no levels. */
  level?: number | undefined;
  /** Maximum size of a block in bytes, its rows as plain MessagePack. Default: 4 MiB; at most 64 MiB. */
  blockSize?: number | undefined;
  /** Maximum number of rows in a block. Default: 65536. */
  blockRows?: number | undefined;
  /** Stores rows by column where that makes them smaller (spec/columns.md). Default: true. */
  columns?: boolean | undefined;
  /** Writes messages that are not part of the table, without columns and statistics. Default: false. */
  messages?: boolean | undefined;
  /** Writes columns so that numbers can be used in a mapped file; sets the codec `none`. Default: false. */
  views?: boolean | undefined;
  /** The paths whose statistics are kept. Default: those of the scalars in the first row, at most 32. */
  key?: readonly string[] | undefined;
  /** What the program wants to have in the header. Default: none. */
  meta?: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown> | undefined;
  /** Shared record structures; maps are written as records then. Default: none. */
  structures?: readonly (readonly string[])[] | undefined;
  /** The dictionary of blocks with codec `zstd`. Default: none. */
  dictionary?: Uint8Array | undefined;
  /** The 16 sync bytes, for files that are to be the same twice. Default: random. */
  sync?: Uint8Array | undefined;
  /** Codecs that the platform lacks, or to be used in place of its own. */
  codecs?: Codecs | undefined;
  /** How values are written: options of `Packr` such as `extensions` and `ignoreUndefined`. */
  values?: RowOptions | undefined;
}

/** What a header decides, and is not decided again for what is appended. */
const OF_HEADER = ['key', 'meta', 'structures', 'dictionary', 'sync', 'views'] as const;

/** Options for appending to a file: those that its header does not decide. */
export type AppendOptions = Omit<ContainerWriterOptions, (typeof OF_HEADER)[number]>;

/** Options that were checked, with all defaults. */
export interface WriterSettings {
  readonly header: ContainerHeader;
  readonly codecName: string;
  readonly codec: Codec;
  readonly level: number | undefined;
  readonly blockSize: number;
  readonly blockRows: number;
  readonly columns: boolean;
  readonly messages: boolean;
  readonly views: boolean;
  /** Structures, where they were given: bodies have records then. */
  readonly structures: readonly (readonly string[])[] | undefined;
  readonly values: RowOptions;
}

const NAMES: readonly (keyof ContainerWriterOptions)[] = [
  ...OF_HEADER,
  'codec',
  'level',
  'blockSize',
  'blockRows',
  'columns',
  'messages',
  'codecs',
  'values',
];

function need(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message);
}

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/**
 * Checks options.
 *
 * @param appended the header of the file that is appended to
 * @throws TypeError
 */
export function writerSettings(
  options: ContainerWriterOptions,
  platform: Codecs,
  appended?: ContainerHeader,
): WriterSettings {
  for (const name of Object.keys(options))
    need(NAMES.includes(name as keyof ContainerWriterOptions), `There is no option ${name}`);
  if (appended !== undefined)
    for (const name of OF_HEADER)
      need(options[name] === undefined, `The header of the file decides about ${name}`);
  const { views = false, blockSize = BLOCK_SIZE, blockRows = BLOCK_ROWS } = options;
  need(isWhole(blockSize, MAX_BLOCK_SIZE), `blockSize is from 1 to ${MAX_BLOCK_SIZE}`);
  need(isWhole(blockRows, 0xffffffff), 'blockRows is an integer from 1 up');
  const { codec: name = views ? 'none' : (appended?.codec ?? 'deflate') } = options;
  need(!views || name === 'none', 'views needs the codec none');
  const codec = codecOf(name, options.codecs ?? {}, platform);
  if (codec === undefined) throw new TypeError(`Writing fails: ${missingCodec(name)}`);
  if (codec.compress === undefined)
    throw new TypeError(`The codec ${JSON.stringify(name)} cannot compress`);
  return {
    header: appended ?? newHeader(options, name),
    codecName: name,
    codec,
    level: options.level,
    blockSize,
    blockRows,
    columns: options.columns ?? true,
    messages: options.messages ?? false,
    views,
    structures: appended === undefined ? options.structures : given(appended.structures),
    values: options.values ?? {},
  };
}

/** Of a file that is appended to, no structures and an empty list are the same. */
function given(
  structures: readonly (readonly string[])[],
): readonly (readonly string[])[] | undefined {
  return structures.length === 0 ? undefined : structures;
}

function newHeader(options: ContainerWriterOptions, codec: string): ContainerHeader {
  const { sync = crypto.getRandomValues(new Uint8Array(SYNC_SIZE)), structures } = options;
  need(sync instanceof Uint8Array && sync.length === SYNC_SIZE, 'sync has 16 bytes');
  const { key, meta, dictionary } = options;
  need(key === undefined || areTexts(key), 'key is an array of paths');
  const areLists =
    structures === undefined ||
    (Array.isArray(structures) &&
      structures.length <= MAX_STRUCTURES &&
      structures.every((keys) => areTexts(keys)));
  need(areLists, `structures are at most ${MAX_STRUCTURES} arrays of strings`);
  need(dictionary === undefined || dictionary instanceof Uint8Array, 'dictionary has bytes');
  need(meta === undefined || (typeof meta === 'object' && meta !== null), 'meta is an object');
  return {
    sync,
    codec,
    structures: structures ?? [],
    dictionary,
    meta: meta as ContainerHeader['meta'],
    key,
  };
}

/** Returns the bytes of the header of a new file. */
export function headerBytes({ header, structures }: WriterSettings): Uint8Array {
  const { sync, codec, dictionary, meta, key } = header;
  const to = newScalarEncoder();
  to.begin(0);
  to.raw(BEGINNING);
  const others = [structures, dictionary, meta, key].filter((value) => value !== undefined);
  to.mapHeader(2 + others.length);
  to.string('sync');
  to.bin(sync);
  to.string('codec');
  to.string(codec);
  const texts = (list: readonly string[]): void => {
    to.arrayHeader(list.length);
    for (const text of list) to.string(text);
  };
  if (structures !== undefined) {
    to.string('structures');
    to.arrayHeader(structures.length);
    for (const keys of structures) texts(keys);
  }
  if (dictionary !== undefined) {
    to.string('dictionary');
    to.bin(dictionary);
  }
  if (meta !== undefined) {
    to.string('meta');
    to.raw(packedMap(meta));
  }
  if (key !== undefined) {
    to.string('key');
    texts(key);
  }
  return to.take();
}

function packedMap(meta: object): Uint8Array {
  const packed = new PackrClass({ useRecords: false }).pack(meta);
  const marker = packed[0] as number;
  need((marker & 0xf0) === 0x80 || marker === 0xde || marker === 0xdf, 'meta is a map');
  return packed;
}
