import { named } from '../../api/callable.ts';
import { nodeCodecs } from '../codec/node-codecs.ts';
import { IndexBuilder } from '../index/IndexBuilder.ts';
import { NodeContainerReader } from '../read/NodeContainerReader.ts';
import { beginFile, ContainerWriter, type WriterBegin } from './ContainerWriter.ts';
import { type NodeTarget, nodeTarget, openExisting, type ReadWriteFile } from './node-target.ts';
import { type AppendOptions, type ContainerWriterOptions, writerSettings } from './writer-options.ts';

/**
 * Writes a container file in Node: also to the path of a file, a FileHandle or a stream of Node. See
 * {@link ContainerWriter}.
 *
 * A writer that opens a file by its path takes the lock `PATH.lock`, a file next to it, and a second one is
 * refused; the lock of a process that is gone is taken over. Writers in other languages lock the file
 * itself, which Node cannot do: these two kinds of locks know nothing of each other.
 *
 * @example
 * const writer = await ContainerWriter.open('events.pkd');
 * await writer.writeAll(rows);
 * await writer.finish();
 */
export class NodeContainerWriter extends ContainerWriter {
  /** See {@link ContainerWriter.open}. */
  static override async open(target: NodeTarget, options: ContainerWriterOptions = {}): Promise<NodeContainerWriter> {
    return new NodeContainerWriter(await beginFile(options, nodeCodecs(), () => nodeTarget(target)));
  }

  /**
   * Opens a file to append rows to it, and later a new index. What is there is not changed. A file without an
   * index is read whole before.
   *
   * @param target the path of a file, or a FileHandle that is open for reading and writing (`r+`)
   * @throws MsgpackDecodeError for a file with a cut or damaged end
   * @throws ContainerLockError where another writer has the file open
   * @example
   * const writer = await ContainerWriter.append('events.pkd');
   * await writer.write({ id: 3 });
   * await writer.finish();
   */
  static async append(target: string | URL | ReadWriteFile, options: AppendOptions = {}): Promise<NodeContainerWriter> {
    const existing = await openExisting(target);
    try {
      return new NodeContainerWriter(await appendTo(existing, options));
    } catch (error) {
      await existing.close();
      throw error;
    }
  }
}

async function appendTo(
  { file, target }: Awaited<ReturnType<typeof openExisting>>,
  options: AppendOptions,
): Promise<WriterBegin> {
  const { codecs } = options;
  const reader = await NodeContainerReader.open(file, { codecs: { ...codecs } });
  const settings = writerSettings(options, nodeCodecs(), reader.header);
  const index = new IndexBuilder();
  const { size = 0 } = reader;
  if (reader.index !== null) index.addAll(reader.index);
  else {
    for await (const block of reader.blocks()) index.add(block.offset, block.size, block.count, null);
    index.addUnknown();
  }
  return { target: target(size), settings, size, index, hasIndex: reader.index !== null };
}

/** `ContainerWriter` of `packord/container` in Node. */
export const NamedContainerWriter: typeof NodeContainerWriter = /* @__PURE__ */ named(
  NodeContainerWriter,
  'ContainerWriter',
);
export type NamedContainerWriter = NodeContainerWriter;
