/**
 * Reads hostile container files, and prints by how many megabytes the memory of the process grew at most:
 * `node container-memory-child.js CASE`.
 */
import { deflateRawSync } from 'node:zlib';
import { ContainerReader } from 'packord/container';
import { crc32c, uint } from './container-bytes.js';
import { fileOf, SYNC } from './container-files.js';

const MIB = 1 << 20;
const mark = Buffer.from([0xd8, 0x5d, ...SYNC]);
const empty = await fileOf([], { codec: 'none' });
const { index } = await ContainerReader.open(empty);
const header = empty.subarray(0, index.offset);

function block({ kind = 1, count = 1, raw, codec = 'deflate', data, announced = data.length }) {
  const head = Buffer.concat([
    ...[Buffer.of(0x96, kind), uint(count), uint(raw ?? data.length), uint(crc32c(data))],
    ...[Buffer.of(0xa0 + codec.length), Buffer.from(codec), Buffer.of(0xc6), Buffer.alloc(4)],
  ]);
  head.writeUInt32BE(announced, head.length - 4);
  return Buffer.concat([mark, head, data]);
}

/** Yields the same bytes again and again: `count` times. */
async function* again(first, bytes, count) {
  yield first;
  for (let i = 0; i < count; i++) yield bytes;
}

const arrayOf = (count) => Buffer.from([0xdd, ...uint(count).subarray(1)]);
const maxBlock = MIB;

const CASES = {
  'data that unpacks to much more than it says': () => [
    Buffer.concat([header, block({ raw: MIB, data: deflateRawSync(Buffer.alloc(1024 * MIB)) })]),
  ],
  'sizes that are only announced': () => [
    Buffer.concat([header, block({ raw: MIB, data: Buffer.of(3, 0) })]),
    Buffer.concat([header, block({ raw: 0xffffffff, data: Buffer.of(3, 0) })]),
    Buffer.concat([header, block({ data: Buffer.alloc(10), announced: 0xffffffff })]),
    Buffer.concat([header, mark, arrayOf(0xffffffff), Buffer.alloc(100)]),
    Buffer.concat([header, block({ codec: 'none', data: arrayOf(0xffffffff), count: 0xffffffff })]),
  ],
  'an index-array that does not end': () => [
    again(
      Buffer.concat([header, mark, arrayOf(0x3fffffff), Buffer.from('a5696e646578', 'hex')]),
      Buffer.alloc(MIB, 0xc0),
      400,
    ),
    again(
      Buffer.concat([header, mark, Buffer.of(0x92, 0xa1, 0x61, 0xdb, 0x20, 0, 0, 0)]),
      Buffer.alloc(MIB, 0x61),
      400,
    ),
    again(
      Buffer.concat([header, mark, Buffer.of(0x92, 0xa1, 0x61, 0xc6, 0x20, 0, 0, 0)]),
      Buffer.alloc(MIB),
      400,
    ),
  ],
  'elements after data that do not end': () => [
    again(
      Buffer.concat([
        header,
        mark,
        arrayOf(0x3fffffff),
        Buffer.of(1, 1, 1),
        uint(0),
        Buffer.of(0xc0, 0xc4, 0),
      ]),
      Buffer.alloc(MIB, 0xc0),
      300,
    ),
  ],
  'a header that does not end': () => [
    again(
      Buffer.concat([header.subarray(0, 10), Buffer.of(0xdf, 0x3f, 0xff, 0xff, 0xff)]),
      Buffer.alloc(MIB),
      200,
    ),
    again(
      Buffer.concat([
        header.subarray(0, 10),
        Buffer.of(0x81, 0xa1, 0x61, 0xc6, 0x3f, 0xff, 0xff, 0xff),
      ]),
      Buffer.alloc(MIB),
      200,
    ),
  ],
  'values of a body that are small': () => [
    Buffer.concat([
      header,
      block({ codec: 'none', kind: 0, count: MIB, data: Buffer.alloc(MIB, 0x80) }),
    ]),
    Buffer.concat([
      header,
      block({
        codec: 'none',
        count: MIB - 5,
        data: Buffer.concat([arrayOf(MIB - 5), Buffer.alloc(MIB - 5, 0x90)]),
      }),
    ]),
  ],
  'no marks at all': () => [
    again(Buffer.concat([header, Buffer.of(0)]), Buffer.alloc(MIB, 0xd8), 300),
  ],
};

const sources = CASES[process.argv[2]]();
// The memory of what was made above is given back before.
globalThis.gc();
const before = process.memoryUsage().rss;
let most = before;
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 5);
for (const source of sources) {
  for (const onBadBlock of source instanceof Uint8Array ? ['error', 'skip'] : ['skip'])
    try {
      const reader = await ContainerReader.open(source, { maxBlock, onBadBlock });
      for await (const _ of reader.batches());
    } catch (error) {
      if (error.name !== 'MsgpackDecodeError') throw error;
    }
  most = Math.max(most, process.memoryUsage().rss);
}
clearInterval(timer);
console.log(Math.round((most - before) / MIB));
