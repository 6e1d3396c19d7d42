/**
 * A TypeScript program without the types of Node. `npm run lint` checks it with them, and
 * `test/types.test.js` without them and with the checks of declarations.
 */
import { Packr, pack, unpack } from 'packord';
import { ContainerReader, ContainerWriter } from 'packord/container';
import * as msgpack from 'packord/msgpack';
import * as msgpackr from 'packord/msgpackr';
import { number, object } from 'packord/schema';
import { decodeAsync, encodeIter } from 'packord/stream';
import { Unpackr } from 'packord/unpack';
import { View } from 'packord/view';

const bytes: Uint8Array = pack({ a: 1 });
export const values: unknown[] = [unpack(bytes), new Unpackr().unpack(bytes)];
export const sizes: number[] = [new Packr().pack(1).length, msgpackr.pack(1).length];
export const view: View = new View(bytes);
export const one: number = unpack(bytes, object({ a: number })).a;
export const body = new Response(msgpack.encode({ a: 1 }));

export async function read(stream: ReadableStream<Uint8Array>): Promise<unknown> {
  for (const chunk of encodeIter([1, 2])) sizes.push(chunk.byteLength);
  return decodeAsync(stream);
}
export async function copy(source: Blob, target: WritableStream<Uint8Array>): Promise<number> {
  const writer = await ContainerWriter.open(target);
  for await (const row of await ContainerReader.open(source)) await writer.write(row);
  return (await writer.finish()).count;
}
