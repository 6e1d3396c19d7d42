/**
 * `packord/container`: container files, which hold many rows in blocks that are compressed, split and
 * skipped one by one (spec/container.md).
 *
 * @example
 * import { ContainerReader } from 'packord/container';
 * const reader = await ContainerReader.open('https://example.com/events.pkd');
 * for await (const row of reader) console.log(row);
 */
export type { BlockChunk } from './container/BlockFrame.ts';
export type { DamagedRange } from './container/BlockWalk.ts';
export type { ValueOptions } from './container/BodyReader.ts';
export { ContainerBlock } from './container/ContainerBlock.ts';
export type { ContainerHeader } from './container/ContainerHeader.ts';
export {
  ContainerIndex,
  type ContainerSchema,
  type IndexedBlock,
  type SchemaEntry,
  type SchemaType,
} from './container/ContainerIndex.ts';
export { ContainerReader, type ContainerReaderOptions } from './container/ContainerReader.ts';
export { ContainerSourceError } from './container/ContainerSourceError.ts';
export { type ContainerSummary, ContainerWriter } from './container/ContainerWriter.ts';
export type { Codec, Codecs } from './container/codecs.ts';
export type {
  BlockStatistics,
  Comparison,
  Condition,
  PathStatistics,
  Predicate,
} from './container/predicate.ts';
export type { RowOptions } from './container/RowPacker.ts';
export type { ColumnBatch, ColumnValues } from './container/RowSelection.ts';
export type { WebSource } from './container/web-sources.ts';
export type { ContainerWriterOptions } from './container/writer-options.ts';
export { MsgpackDecodeError, MsgpackEncodeError } from './errors/errors.ts';
