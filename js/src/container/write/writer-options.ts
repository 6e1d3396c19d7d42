/** Options of writers of container files (spec/container.md section 7). */
import { PackrClass } from '../../api/Packr.ts';
import { isMap } from '../../wire/markers.ts';
import { type Codec, type Codecs, codecOf, missingCodec } from '../codec/codecs.ts';
import { crc32c } from '../codec/crc32c.ts';
import { newScalarEncoder } from '../index/IndexBuilder.ts';
import type { ContainerHeader } from '../read/ContainerHeader.ts';
import { BEGINNING, SYNC_SIZE } from '../source/marks.ts';
import type { RowOptions } from './row-packer.ts';

const MAX_BLOCK_SIZE = 1 << 26;
const BLOCK_SIZE = 1 << 22;
const BLOCK_ROWS = 65_536;

/**
 * Options of writers of container files.
 *
 * @example
 * await ContainerWriter.open('events.pkd', { stats: ['time', 'user.id'], meta: { source: 'api' } });
 */
export interface ContainerWriterOptions {
  /**
   * The codec of blocks: `none`, `deflate`, `zstd` where the platform has it (Node from 22.15 on), or one of
   * `codecs`. Default 'deflate'.
   */
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
  /** The paths whose statistics are kept. Default: those of the scalars in the first row, at most 32. */
  stats?: readonly string[] | undefined;
  /** What the program wants to have in the header. Default: none. */
  meta?: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown> | undefined;
  /** The 16 sync bytes, for files that are to be the same twice. Default: random. */
  sync?: Uint8Array | undefined;
  /** Codecs that the platform lacks, or to be used in place of its own. */
  codecs?: Codecs | undefined;
  /** How values are written: options of `Packr` such as `extensions` and `skipNil`. */
  values?: RowOptions | undefined;
}

/** What a header decides, and is not decided again for what is appended. */
const OF_HEADER = ['stats', 'meta', 'sync'] as const;

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
  readonly values: RowOptions;
}

const NAMES: readonly string[] =
  /* @__PURE__ */ 'stats meta sync codec level blockSize blockRows columns messages codecs values'.split(' ');

function need(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message);
}

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;

/** Checks options; `appended` is the header of the file that is appended to. */
export function writerSettings(
  options: ContainerWriterOptions,
  platform: Codecs,
  appended?: ContainerHeader,
): WriterSettings {
  for (const name of Object.keys(options)) need(NAMES.includes(name), `There is no option ${name}`);
  if (appended !== undefined)
    for (const name of OF_HEADER) need(options[name] === undefined, `The header of the file decides about ${name}`);
  const { blockSize = BLOCK_SIZE, blockRows = BLOCK_ROWS } = options;
  need(isWhole(blockSize, MAX_BLOCK_SIZE), `blockSize is from 1 to ${MAX_BLOCK_SIZE}`);
  need(isWhole(blockRows, 0xffffffff), 'blockRows is an integer from 1 up');
  const { codec: name = appended?.codec ?? 'deflate' } = options;
  const codec = codecOf(name, options.codecs ?? {}, platform);
  if (codec === undefined) throw new TypeError(`Writing fails: ${missingCodec(name)}`);
  if (codec.compress === undefined) {
    const hint = name === 'zstd' ? ' here (Node has that from 22.15 on)' : '';
    throw new TypeError(`The codec ${JSON.stringify(name)} cannot compress${hint}`);
  }
  return {
    header: appended ?? newHeader(options, name),
    codecName: name,
    codec,
    level: options.level,
    blockSize,
    blockRows,
    columns: options.columns ?? true,
    messages: options.messages ?? false,
    values: options.values ?? {},
  };
}

function newHeader(options: ContainerWriterOptions, codec: string): ContainerHeader {
  const { sync = crypto.getRandomValues(new Uint8Array(SYNC_SIZE)), stats, meta } = options;
  need(sync instanceof Uint8Array && sync.length === SYNC_SIZE, 'sync has 16 bytes');
  const arePaths = Array.isArray(stats) && stats.every((path) => typeof path === 'string');
  need(stats === undefined || arePaths, 'stats is an array of paths');
  need(meta === undefined || (typeof meta === 'object' && meta !== null), 'meta is an object');
  return { sync, codec, meta: meta as ContainerHeader['meta'], stats };
}

export function headerBytes({ sync, codec, meta, stats }: ContainerHeader): Uint8Array {
  const to = newScalarEncoder();
  to.raw(BEGINNING);
  to.mapHeader(2 + [meta, stats].filter((value) => value !== undefined).length);
  to.string('sync');
  to.bin(sync);
  to.string('codec');
  to.string(codec);
  if (meta !== undefined) {
    const packed = new PackrClass().pack(meta);
    need(isMap(packed[0] as number), 'meta is a map');
    to.string('meta');
    to.raw(packed);
  }
  if (stats !== undefined) {
    to.string('stats');
    to.arrayHeader(stats.length);
    for (const path of stats) to.string(path);
  }
  to.reserve(16);
  to.number(crc32c(to.buf, to.start, to.pos));
  return to.take();
}
