/**
 * `packord/container` in Node: all of the browser's entry, with files and streams of Node.
 */

export { ContainerLockError } from './container/FileLock.ts';
export type { WritableFile } from './container/FileTarget.ts';
export { NamedContainerReader as ContainerReader } from './container/NodeContainerReader.ts';
export { NamedContainerWriter as ContainerWriter } from './container/NodeContainerWriter.ts';
export type { NodeSource, ReadableFile } from './container/node-source.ts';
export type { NodeTarget, NodeWritable, ReadWriteFile } from './container/node-target.ts';
export type { AppendOptions } from './container/writer-options.ts';
export * from './container.ts';
