import { named } from '../../api/callable.ts';
import { nodeCodecs } from '../codec/node-codecs.ts';
import { type NodeSource, nodeSource } from '../source/node-source.ts';
import { ContainerReader, type ContainerReaderOptions, openFile, type ReaderPlatform } from './ContainerReader.ts';

/**
 * Reads a container file in Node: also from the path of a file, a FileHandle or a stream of Node, and with
 * `follow` while the file grows. See {@link ContainerReader}.
 *
 * @example
 * const reader = await ContainerReader.open('events.pkd');
 * for await (const row of reader) console.log(row);
 * await reader.close();
 */
export class NodeContainerReader extends ContainerReader {
  /** @internal */
  protected static override platform(): ReaderPlatform {
    return {
      codecs: nodeCodecs(),
      source: (source, signal, follows) => nodeSource(source as NodeSource, signal, follows),
    };
  }

  /** See {@link ContainerReader.open}. */
  static override async open(source: NodeSource, options: ContainerReaderOptions = {}): Promise<NodeContainerReader> {
    return new NodeContainerReader(await openFile(source, options, NodeContainerReader.platform()));
  }
}

/** `ContainerReader` of `packord/container` in Node. */
export const NamedContainerReader: typeof NodeContainerReader = /* @__PURE__ */ named(
  NodeContainerReader,
  'ContainerReader',
);
export type NamedContainerReader = NodeContainerReader;
