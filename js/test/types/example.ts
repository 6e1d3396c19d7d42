/** A TypeScript program as a user writes it; `npm run lint` checks it against the built types. */
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type } from 'arktype';
import {
  type Decimal,
  type ExtData,
  type Extension,
  type LocalDate,
  MsgpackDecodeError,
  type Options,
  Packr,
  PackrStream,
  pack,
  UnpackrStream,
  type Uuid,
  unpack,
} from 'packord';
import { type Codec, type ContainerBlock, ContainerReader, ContainerWriter, type Predicate } from 'packord/container';
import * as msgpack from 'packord/msgpack';
import * as compatible from 'packord/msgpackr';
import * as s from 'packord/schema';
import { decodeAsync, UnpackrTransformStream } from 'packord/stream';
import { Unpackr } from 'packord/unpack';
import { View } from 'packord/view';
import * as v from 'valibot';
import { z } from 'zod';

interface User {
  id: number;
  name: string;
}

const bytes: Buffer = pack({ id: 1, name: 'a' } satisfies User);
const user: User = unpack<User>(bytes);

class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}

const point: Extension<Point> = {
  Class: Point,
  type: 5,
  pack: ({ x }) => Uint8Array.of(x),
  unpack: ([x]) => new Point(x ?? 0),
};

const options: Options = {
  getStructures: () => unpack(readFileSync('structures')),
  saveStructures(structures) {
    writeFileSync('structures', pack(structures));
  },
  structures: [],
  maxDepth: 64,
  float32: true,
  extensions: [point],
};

const packr = Packr(options);
export const firstName: string = new View(bytes, packr).get('users', 0, 'name');
export const keys: string[] = [...new View(bytes, { maxDepth: 8 }).keys()];
const position: number = new Packr().position;
packr.addExtension(point);

export function read(source: Uint8Array): User | ExtData | string {
  try {
    return new Unpackr({ trailing: 'allow' }).unpack(source);
  } catch (error) {
    if (error instanceof MsgpackDecodeError && error.kind === 'eof') return `cut at ${error.offset}`;
    throw error;
  }
}

new PackrStream({ highWaterMark: 5 }).pipe(new UnpackrStream());

export async function load(url: string): Promise<unknown> {
  const { body } = await fetch(url);
  if (body === null) return [user, position];
  const [one, two] = body.tee();
  await one.pipeThrough(new UnpackrTransformStream()).getReader().read();
  return decodeAsync(two);
}

compatible.unpackMultiple(bytes, (value, start, end) => value !== null && (start ?? 0) < (end ?? 0));

const codec = new msgpack.ExtensionCodec<{ scale: number }>();
codec.register({
  type: 5,
  encode: (value, context) =>
    value instanceof Point ? msgpack.encode(value.x * context.scale, { extensionCodec: codec, context }) : null,
  decode: (data) => new Point(msgpack.decode(data) as number),
});
const packed: Uint8Array<ArrayBuffer> = msgpack.encode(new Point(1), {
  extensionCodec: codec,
  context: { scale: 2 },
  sortKeys: true,
});
// @ts-expect-error a codec with a context needs one
new msgpack.Encoder({ extensionCodec: codec });
const decoder: msgpack.Decoder = new msgpack.Decoder({ maxStrLength: 10 });
export async function rows(body: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const values = [decoder.decode(packed), ...msgpack.decodeMulti([1, 2])];
  for await (const row of msgpack.decodeArrayStream(body)) values.push(row);
  return values;
}

export const named: { name: string }[] = [
  unpack(bytes, z.object({ name: z.string() })),
  unpack(bytes, v.object({ name: v.string() })),
  unpack(bytes, type({ name: 'string' })),
  packr.unpack(bytes, z.object({ name: z.string() })),
];
// @ts-expect-error the schema has a number
export const wrong: { name: string } = unpack(bytes, z.object({ name: z.number() }));

const Member = s.object({
  id: s.number,
  name: s.optional(s.string),
  role: s.oneOf('admin', 'user'),
  tags: s.array(s.nullable(s.string)),
});
export const member: {
  id: number;
  name?: string | undefined;
  role: 'admin' | 'user';
  tags: (string | null)[];
} = unpack(bytes, Member);
export const same: s.Infer<typeof Member> = member;
const Order = s.object({ id: s.uuid, total: s.decimal, on: s.localDate, seen: s.set(s.url) });
export const order: { id: Uuid; total: Decimal; on: LocalDate; seen: Set<URL> } = unpack(bytes, Order);
export const ids: number[] = packr.unpack(bytes, s.array(Member)).map(({ id }) => id);
// @ts-expect-error the field may be absent
export const absent: string = unpack(bytes, Member).name;

const where: Predicate = [
  ['id', '>=', 10],
  ['name', 'in', ['a', 'b']],
  ['pos.0', 'is_not_null'],
];
// @ts-expect-error there is no such comparison
export const unknownOp: Predicate = [['id', '=', 10]];
const other: Codec = { decompress: (data, rawSize) => data.subarray(0, rawSize) };

export async function select(path: string): Promise<User[]> {
  const found: User[] = [];
  const keys = ['id', 'name'] as const;
  const reader = await ContainerReader.open(path, { where, select: keys, codecs: { other } });
  for await (const row of reader) found.push(row);
  for await (const { columns, count } of reader.columns(['id', 'pos.x'])) {
    const ids: ArrayLike<number> = columns.id;
    // @ts-expect-error the column was not asked for
    found.push({ id: ids[count - 1] ?? 0, name: columns.name });
  }
  const blocks: ContainerBlock[] = [];
  for await (const block of reader.blocks()) blocks.push(block);
  const bound: unknown = blocks[0]?.stats?.get('id')?.min;
  await reader.close();
  return bound === undefined ? [] : found;
}

export async function store(rows: AsyncIterable<User>): Promise<void> {
  const handle = await open('users.pkd', 'r+');
  for (const writer of [
    await ContainerWriter.open('users.pkd', { stats: ['id'], meta: { origin: 'example' } }),
    await ContainerWriter.open(createWriteStream('users.pkd')),
    await ContainerWriter.append(handle),
  ]) {
    await writer.writeAll(rows);
    await writer.finish();
  }
}
