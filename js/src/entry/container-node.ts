/** `packord/container` in Node: all of the browser's entry, with files and streams of Node. */

export { NamedContainerReader as ContainerReader } from '../container/read/NodeContainerReader.ts';
export type { NodeSource, ReadableFile } from '../container/source/node-source.ts';
export { ContainerLockError } from '../container/target/FileLock.ts';
export type { WritableFile } from '../container/target/file-target.ts';
export { NamedContainerWriter as ContainerWriter } from '../container/write/NodeContainerWriter.ts';
export type { NodeTarget, NodeWritable, ReadWriteFile } from '../container/write/node-target.ts';
export type { AppendOptions } from '../container/write/writer-options.ts';
export * from './container.ts';
