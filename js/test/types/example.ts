/** A TypeScript program as a user writes it; `npm run lint` checks it against the built types. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type } from 'arktype';
import {
  type ExtData,
  type Extension,
  FLOAT32_OPTIONS,
  MsgpackDecodeError,
  type Options,
  Packr,
  PackrStream,
  pack,
  UnpackrStream,
  unpack,
  View,
} from 'packord';
import * as msgpack from 'packord/msgpack';
import * as compatible from 'packord/msgpackr';
import * as s from 'packord/schema';
import { decodeAsync, UnpackrTransformStream } from 'packord/stream';
import { Unpackr } from 'packord/unpack';
import * as v from 'valibot';
import { z } from 'zod';

interface User {
  id: number;
  name: string;
}

const bytes: Buffer = pack({ id: 1, name: 'a' } satisfies User);
const user: User = unpack(bytes);

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
  useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT,
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
    if (error instanceof MsgpackDecodeError && error.kind === 'eof')
      return `cut at ${error.offset}`;
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

compatible.unpackMultiple(
  bytes,
  (value, start, end) => value !== null && (start ?? 0) < (end ?? 0),
);

const codec = new msgpack.ExtensionCodec<{ scale: number }>();
codec.register({
  type: 5,
  encode: (value, context) =>
    value instanceof Point
      ? msgpack.encode(value.x * context.scale, { extensionCodec: codec, context })
      : null,
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
export const ids: number[] = packr.unpack(bytes, s.array(Member)).map(({ id }) => id);
// @ts-expect-error the field may be absent
export const absent: string = unpack(bytes, Member).name;
