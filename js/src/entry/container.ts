/**
 * `packord/container`: container files, which hold many rows in blocks that are compressed, split and
 * skipped one by one (spec/container.md).
 *
 * @example
 * import { ContainerReader } from 'packord/container';
 * const reader = await ContainerReader.open('https://example.com/events.pkd');
 * for await (const row of reader) console.log(row);
 */

export type { Codec, Codecs } from '../container/codec/codecs.ts';
export {
  ContainerIndex,
  type ContainerSchema,
  type IndexedBlock,
  type SchemaEntry,
  type SchemaType,
} from '../container/index/ContainerIndex.ts';
export type {
  BlockStatistics,
  Comparison,
  Condition,
  PathStatistics,
  Predicate,
} from '../container/index/predicate.ts';
export type { BlockChunk, DamagedRange } from '../container/read/BlockFrame.ts';
export type { ValueOptions } from '../container/read/BodyReader.ts';
export { ContainerBlock } from '../container/read/ContainerBlock.ts';
export type { ContainerHeader } from '../container/read/ContainerHeader.ts';
export { ContainerReader, type ContainerReaderOptions } from '../container/read/ContainerReader.ts';
export type { ColumnBatch, ColumnValues } from '../container/read/RowSelection.ts';
export { ContainerSourceError } from '../container/source/ContainerSourceError.ts';
export type { WebSource } from '../container/source/web-sources.ts';
export { type ContainerSummary, ContainerWriter } from '../container/write/ContainerWriter.ts';
export type { RowOptions } from '../container/write/row-packer.ts';
export type { ContainerWriterOptions } from '../container/write/writer-options.ts';
export { MsgpackDecodeError, MsgpackEncodeError } from '../errors/errors.ts';
