/**
 * Reads hostile container files, and prints how many megabytes this took at most: of streams the memory that is
 * kept while they come, of others by how much the process grew. `node --expose-gc container-memory-child.js CASE`.
 */
import { deflateRawSync } from 'node:zlib';
import { ContainerReader } from 'packord/container';
import { blockArray, uint } from './container-bytes.js';
import { fileOf, SYNC } from './container-files.js';

const MIB = 1 << 20;
const CHUNK = 1 << 16;
/** Size of each stream, many times what may be kept of it. */
const STREAM = (process.env.PACKORD_EXHAUSTIVE ? 256 : 12) * MIB;
const maxBlock = 1 << 16;
let most = 0;

/** Returns the bytes that are in use. */
function used() {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const mark = Buffer.from([0xd8, 0x5d, ...SYNC]);
const empty = await fileOf([], { codec: 'none' });
const { index } = await ContainerReader.open(empty);
const header = empty.subarray(0, index.offset);

const block = (options) => Buffer.concat([mark, blockArray({ codec: 'deflate', ...options })]);

/** Yields a byte again and again, and measures what is kept meanwhile. */
async function* again(first, byte) {
  const chunk = Buffer.alloc(CHUNK, byte);
  const before = used();
  yield first;
  for (let i = 0; i < STREAM / CHUNK; i++) {
    if (i % 24 === 23) most = Math.max(most, used() - before);
    yield chunk;
  }
}

/** A frame of zstd that announces a window of 2 GiB and blocks of repeated bytes. */
const zstdOf = (size) =>
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 3 | ((size << 3) & 255), (size >> 5) & 255, (size >> 13) & 255, 0]);
const many = (count) => Array.from({ length: count }, () => [1, 0, 0]);
const arrayOf = (count) => Buffer.from([0xdd, ...uint(count).subarray(1)]);
const CASES = {
  'data that unpacks to much more than it says': () => [
    Buffer.concat([header, block({ raw: maxBlock, data: deflateRawSync(Buffer.alloc(60 * MIB)) })]),
  ],
  'sizes that are only announced': () => [
    Buffer.concat([header, block({ raw: maxBlock, data: Buffer.of(3, 0) })]),
    Buffer.concat([header, block({ raw: 0xffffffff, data: Buffer.of(3, 0) })]),
    Buffer.concat([header, block({ data: Buffer.alloc(10), announced: 0xffffffff })]),
    Buffer.concat([header, block({ raw: maxBlock, codec: 'zstd', data: zstdOf(0xffffff) })]),
    Buffer.concat([header, block({ data: Buffer.alloc(10), chunks: many(4096) })]),
    Buffer.concat([header, mark, arrayOf(0xffffffff), Buffer.alloc(100)]),
    Buffer.concat([header, block({ codec: 'none', data: arrayOf(0xffffffff), count: 0xffffffff })]),
  ],
  'an index-array that does not end': () => [
    again(Buffer.concat([header, mark, arrayOf(0x3fffffff), Buffer.from('a5696e646578', 'hex')]), 0xc0),
    again(Buffer.concat([header, mark, Buffer.of(0x92, 0xa1, 0x61, 0xdb, 0x20, 0, 0, 0)]), 0x61),
    again(Buffer.concat([header, mark, Buffer.of(0x92, 0xa1, 0x61, 0xc6, 0x20, 0, 0, 0)]), 0),
  ],
  'elements after data that do not end': () => [
    again(Buffer.concat([header, mark, arrayOf(0x3fffffff), Buffer.of(1, 1, 0xc0, 0x90, 0xc4, 0)]), 0xc0),
  ],
  'a header that does not end': () => [
    again(Buffer.concat([header.subarray(0, 10), Buffer.of(0xdf, 0x3f, 0xff, 0xff, 0xff)]), 0),
    again(Buffer.concat([header.subarray(0, 10), Buffer.of(0x81, 0xa1, 0x61, 0xc6, 0x3f, 0xff, 0xff, 0xff)]), 0),
  ],
  'values of a body that are small': () => [
    Buffer.concat([header, block({ codec: 'none', kind: 0, count: maxBlock, data: Buffer.alloc(maxBlock, 0x80) })]),
    Buffer.concat([
      header,
      block({
        codec: 'none',
        count: maxBlock - 5,
        data: Buffer.concat([arrayOf(maxBlock - 5), Buffer.alloc(maxBlock - 5, 0x90)]),
      }),
    ]),
  ],
  'no marks at all': () => [again(Buffer.concat([header, Buffer.of(0)]), 0xd8)],
};

const sources = CASES[process.argv[2]]();
for (const source of sources) {
  const isStream = !(source instanceof Uint8Array);
  for (const onBadBlock of isStream ? ['skip'] : ['error', 'skip']) {
    const before = process.memoryUsage().rss;
    try {
      const reader = await ContainerReader.open(source, { maxBlock, onBadBlock });
      for await (const _ of reader.batches());
    } catch (error) {
      if (error.name !== 'MsgpackDecodeError') throw error;
    }
    if (!isStream) most = Math.max(most, process.memoryUsage().rss - before);
  }
}
console.log((most / MIB).toFixed(1));
