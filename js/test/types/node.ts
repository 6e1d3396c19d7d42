/** A program for Node, whose compiler does not know the types of browsers. */
import { pack, unpack } from 'packord';
import { ContainerReader } from 'packord/container';
import { PackrTransformStream, UnpackrTransformStream } from 'packord/stream';

export const { readable, writable } = new PackrTransformStream();
export const values: ReadableStream<unknown> = new UnpackrTransformStream().readable;
export const open = ContainerReader.open;
export const copy: unknown = unpack(pack({ id: 1 }));
