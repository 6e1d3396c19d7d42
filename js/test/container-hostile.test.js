/** Hostile container files: any bytes lead to values or to an error of the library, in bounded time and memory. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MsgpackDecodeError } from 'packord';
import { ContainerReader } from 'packord/container';
import { crc32c, uint } from './container-bytes.js';
import { chunksOf, fileOf, readAll, rowsOf, SYNC } from './container-files.js';

const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));
const mark = Buffer.from([0xd8, 0x5d, ...SYNC]);
const where = [['id', '>', 3]];

/** Reads a source in one way; returns the number of rows. Any error has to be one of the library. */
async function tryToRead(source, options = {}, read = 'batches') {
  let count = 0;
  try {
    const reader = await ContainerReader.open(source, options);
    if (read === 'columns')
      for await (const batch of reader.columns(['id', 'pos.x'])) count += batch.count;
    else if (read === 'blocks')
      for await (const block of reader.blocks()) count += Number(block.stats?.size !== undefined);
    else for await (const rows of reader.batches()) count += rows.length;
    for (const { from, to, error } of reader.damaged) {
      assert.ok(from < to || to === reader.size);
      assert.ok(error instanceof MsgpackDecodeError);
    }
  } catch (error) {
    assert.ok(error instanceof MsgpackDecodeError, error.stack);
  }
  return count;
}

describe('a container file with any byte changed', () => {
  const ways = [
    (bytes) => tryToRead(bytes),
    (bytes) => tryToRead(bytes, { where, onBadBlock: 'skip' }),
    (bytes) => tryToRead(bytes, { where }, 'columns'),
    (bytes) => tryToRead(bytes, { onBadBlock: 'skip', index: false, split: [60, 400] }),
    (bytes) => tryToRead(chunksOf(bytes, 64), { onBadBlock: 'skip' }),
    (bytes) => tryToRead(bytes, {}, 'blocks'),
  ];
  for (const [name, options] of Object.entries({
    'stored by column': { codec: 'none' },
    compressed: { codec: 'deflate', columns: false },
    'with records': { codec: 'none', structures: [['id', 'name']], columns: false },
    'with messages': { codec: 'none', messages: true },
    'with views': { views: true },
  }))
    it(`is read or refused: ${name}`, async () => {
      const bytes = await fileOf(rowsOf(30), { ...options, blockRows: 12 });
      for (let at = 0; at < bytes.length; at++) {
        const changed = Uint8Array.from(bytes);
        const masks = process.env.EXHAUSTIVE
          ? [1, 2, 4, 8, 16, 32, 64, 128, 255]
          : [1 << (at % 8), 255];
        for (const mask of masks) {
          changed[at] = bytes[at] ^ mask;
          for (const way of process.env.EXHAUSTIVE ? ways : [ways[at % ways.length], ways[0]])
            await way(changed);
        }
      }
    });

  it('and the right crc is read or refused', async () => {
    const whole = await fileOf(rowsOf(40), { codec: 'none', blockRows: 40 });
    const [block] = await (async () => {
      const found = [];
      for await (const one of (await ContainerReader.open(whole)).blocks()) found.push(one);
      return found;
    })();
    const head = whole.subarray(0, block.offset);
    for (let at = 0; at < block.data.length; at++)
      for (const mask of [1 << (at % 8), 255]) {
        const data = Buffer.from(block.data);
        data[at] ^= mask;
        const array = Buffer.concat([
          Buffer.of(0x96, 1, 40),
          uint(data.length),
          uint(crc32c(data)),
          Buffer.of(0xc0, 0xc5, data.length >> 8, data.length & 255),
          data,
        ]);
        const bytes = Buffer.concat([head, mark, array]);
        await tryToRead(bytes);
        await tryToRead(bytes, { where }, 'columns');
        await tryToRead(bytes, { where, onBadBlock: 'skip' });
      }
  });

  it('at random is read or refused', async () => {
    const bytes = await fileOf(rowsOf(60), { blockRows: 9 });
    const end = Date.now() + 1000 * Number(process.env.MUTATE_SECONDS ?? 2);
    let seed = Number(process.env.SEED ?? 1);
    const random = (n) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % n;
    };
    while (Date.now() < end) {
      let changed = Uint8Array.from(bytes);
      for (let i = random(6); i >= 0; i--) {
        const at = random(changed.length);
        const kind = random(3);
        if (kind === 0) changed[at] = random(256);
        else if (kind === 1)
          changed = Buffer.concat([
            changed.subarray(0, at),
            changed.subarray(random(changed.length)),
          ]);
        else changed.copyWithin(at, random(changed.length), random(changed.length));
      }
      await ways[random(ways.length)](changed);
    }
  });
});

describe('false marks', () => {
  it('take time in proportion to the file, whatever they announce', async () => {
    const empty = await fileOf([], { codec: 'none' });
    const { index } = await ContainerReader.open(empty);
    const header = empty.subarray(0, index.offset);
    const announcing = Buffer.concat([
      mark,
      Buffer.of(0x96, 1, 1, 1),
      uint(7),
      Buffer.of(0xc0, 0xc6, 0, 0x1f, 0xff, 0xff),
    ]);
    const nested = Buffer.concat([mark, Buffer.of(0xdc, 0xff, 0xff, 0xa1, 0x61)]);
    const further = Buffer.concat([mark, Buffer.of(0xdc, 0xff, 0xff, 1, 0, 0, 0, 0xc0, 0xc4, 0)]);
    const right = Buffer.concat([mark, Buffer.of(0x96, 1, 1, 5, 0, 0xc0, 0xc4, 0)]);
    for (const parts of [
      [announcing],
      [nested],
      [further],
      [right],
      [announcing, right],
      [nested, right, further, announcing],
    ]) {
      const once = Buffer.concat(parts);
      const times = [];
      for (const size of [400_000, 3_200_000]) {
        const many = Buffer.concat([
          header,
          Buffer.alloc(once.length * Math.floor(size / once.length), once),
        ]);
        const begin = performance.now();
        await tryToRead(many, { onBadBlock: 'skip', maxBlock: 1 << 22 });
        await tryToRead(many, { index: false, split: [100, many.length] });
        times.push(performance.now() - begin);
      }
      // Eight times the bytes: 64 times the time would be that of a search that looks at all again and again.
      assert.ok(times[1] < 25 * times[0] + 2000, `${times} ms for ${parts.length}`);
    }
  });
});

describe('the memory for a container file', { timeout: 600_000 }, () => {
  const child = fileURLToPath(new URL('container-memory-child.js', import.meta.url));
  for (const name of [
    'data that unpacks to much more than it says',
    'sizes that are only announced',
    'an index-array that does not end',
    'elements after data that do not end',
    'a header that does not end',
    'values of a body that are small',
    'no marks at all',
  ])
    it(`is bounded by a block: ${name}`, () => {
      const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', child, name]);
      assert.equal(status, 0, String(stderr));
      assert.ok(Number(stdout) <= 129, `${stdout} MB for blocks of 1 MiB`);
    });

  it('of 1 TB with an index does not depend on its size', async () => {
    const path = join(folder, 'sparse.pkd');
    const rows = rowsOf(100);
    const bytes = await fileOf(rows, { blockRows: 50 });
    const { index } = await ContainerReader.open(bytes);
    const [first, second] = [...index];
    const TB = 2 ** 40;
    const file = openSync(path, 'w');
    ftruncateSync(file, TB);
    writeSync(file, bytes, 0, second.offset, 0);
    const at = TB / 2;
    writeSync(file, bytes, second.offset, second.size, at);
    const listed = (offset, size, count) => {
      const place = Buffer.alloc(9, 0xcf);
      place.writeBigUInt64BE(BigInt(offset), 1);
      return Buffer.concat([Buffer.of(0x94), place, uint(size), uint(count), Buffer.of(0xc0)]);
    };
    const array = Buffer.concat([
      ...[
        mark,
        Buffer.from('94a5696e6465780192', 'hex'),
        listed(first.offset, first.size, 50),
        listed(at, second.size, 50),
      ],
      ...[Buffer.of(0x81), Buffer.from('a5636f756e74', 'hex'), uint(100)],
    ]);
    const trailer = Buffer.alloc(10);
    trailer.writeUInt16BE(0xd75d);
    trailer.writeBigUInt64BE(BigInt(TB), 2);
    writeSync(file, Buffer.concat([array, trailer]), 0, array.length + 10, TB);
    closeSync(file);
    const before = process.memoryUsage().rss;
    const reader = await ContainerReader.open(path);
    assert.equal(reader.count, 100);
    assert.deepEqual(reader.splits(4), [
      [0, at],
      [at, TB + array.length + 10],
    ]);
    await reader.close();
    assert.deepEqual(await readAll(path), rows);
    assert.deepEqual(await readAll(path, { split: [at, TB] }), rows.slice(50));
    assert.ok(process.memoryUsage().rss - before < 50_000_000);
  });
});
