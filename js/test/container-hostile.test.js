/** Hostile container files: any bytes lead to values or to an error of the library, in bounded time and memory. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MsgpackDecodeError, Packr } from 'packord';
import { ContainerReader } from 'packord/container';
import { blockArray, indexOf, uint } from './container-bytes.js';
import { chunksOf, fileOf, readAll, rowsOf, SYNC } from './container-files.js';
import { randomOf, SECONDS, SEED } from './random.js';
import { after, describe, it } from './untracked.js';

const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));
const run = promisify(execFile);
const mark = Buffer.from([0xd8, 0x5d, ...SYNC]);
const where = [['id', '>', 3]];
/** Whether each byte is changed in each way, and not in one of them. */
const EXHAUSTIVE = Boolean(process.env.PACKORD_EXHAUSTIVE);
/** One more than the ways of reading, so that all meet. */
const MASKS = [1, 255, 4, 8, 128, 32, 64];

/** Reads a source in one way; returns the number of rows. Any error has to be one of the library. */
async function tryToRead(source, options = {}, read = 'batches') {
  let count = 0;
  try {
    const reader = await ContainerReader.open(source, options);
    if (read === 'columns') for await (const batch of reader.columns(['id', 'pos.x'])) count += batch.count;
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
    (bytes) => tryToRead(bytes, { select: ['id', 'tags'], onBadBlock: 'skip' }),
    (bytes) => tryToRead(bytes, { select: ['name'], where, index: false }),
  ];
  for (const [name, options] of Object.entries({
    'stored by column': { codec: 'none' },
    compressed: { codec: 'deflate', columns: false },
    'with messages': { codec: 'none', messages: true },
  }))
    it(`is read or refused: ${name}`, async () => {
      const bytes = await fileOf(rowsOf(EXHAUSTIVE ? 30 : 9), { ...options, blockRows: 4 });
      for (let at = 0; at < bytes.length; at++) {
        const changed = Uint8Array.from(bytes);
        const masks = EXHAUSTIVE ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [MASKS[at % MASKS.length]];
        for (const mask of masks) {
          changed[at] = bytes[at] ^ mask;
          for (const way of EXHAUSTIVE ? ways : [ways[at % ways.length]]) await way(changed);
        }
      }
    });

  it('and the right crc is read or refused', async () => {
    const count = EXHAUSTIVE ? 40 : 16;
    const whole = await fileOf(rowsOf(count), { codec: 'none' });
    const { value: block } = await (await ContainerReader.open(whole)).blocks().next();
    const head = whole.subarray(0, block.offset);
    for (let at = 0; at < block.data.length; at++)
      for (const mask of EXHAUSTIVE ? MASKS : [MASKS[at % MASKS.length]]) {
        const data = Buffer.from(block.data);
        data[at] ^= mask;
        const bytes = Buffer.concat([head, mark, blockArray({ count, data })]);
        const readings = [
          () => tryToRead(bytes),
          () => tryToRead(bytes, { where }, 'columns'),
          () => tryToRead(bytes, { where, onBadBlock: 'skip' }),
          () => tryToRead(bytes, { where, select: ['id', 'at'] }),
        ];
        for (const reading of EXHAUSTIVE ? readings : [readings[at % 4]]) await reading();
      }
  });

  it('at random is read or refused', async () => {
    const bytes = await fileOf(rowsOf(60), { blockRows: 9 });
    const random = randomOf(SEED);
    const end = Date.now() + 1000 * SECONDS;
    // As many as there are without a time, so that a busy machine reads the same.
    for (let i = 0; process.env.MUTATE_SECONDS ? Date.now() < end : i < 1500; i++) {
      let changed = Uint8Array.from(bytes);
      for (let i = random(6); i >= 0; i--) {
        const at = random(changed.length);
        const kind = random(3);
        if (kind === 0) changed[at] = random(256);
        else if (kind === 1)
          changed = Buffer.concat([changed.subarray(0, at), changed.subarray(random(changed.length))]);
        else changed.copyWithin(at, random(changed.length), random(changed.length));
      }
      await ways[random(ways.length)](changed);
    }
  });
});

describe('an index that is wrong', () => {
  const packr = new Packr({});
  const rows = rowsOf(40);
  /** The file with other blocks and totals in its index. */
  async function withIndex(change) {
    const bytes = await fileOf(rows, { blockRows: 10, stats: ['id'] });
    const { index } = await ContainerReader.open(bytes);
    const blocks = [...index].map(({ offset, size, count, stats }, i) => {
      const { nulls, min, max } = stats.get('id');
      assert.deepEqual([nulls, min, max], [0, 10 * i, 10 * i + 9]);
      return [offset, size, count, { id: [nulls, min, max] }];
    });
    const totals = { count: rows.length };
    const given = change(blocks, totals, bytes.length) ?? blocks;
    const array = packr.pack(['index', 1, given, totals]);
    const { offset } = index;
    const end = indexOf(mark, array, offset);
    return { bytes: Buffer.concat([bytes.subarray(0, offset), end]), at: offset };
  }

  it('is used or not, and its offsets and sizes lead to all rows or to its fault', async () => {
    let unused = 0;
    let faults = 0;
    for (const number of [0, 1, 3])
      for (const [place, wrong] of [
        [0, [0, 1, -1, 52, 2 ** 31, 2 ** 53, 2n ** 64n - 1n, 1.5, 'x', null, []]],
        [1, [0, 25, 26, 27, -1, 2 ** 32, 2n ** 63n, null]],
        [2, [0, 9, 11, -1, 2 ** 32, 2 ** 53, 2n ** 64n - 1n]],
        [3, [5, 'x', [], true]],
      ])
        for (const value of wrong)
          for (const counts of [true, false]) {
            const { bytes, at } = await withIndex((blocks, totals) => {
              blocks[number][place] = value;
              // Some have a sum that agrees, so that the index is used.
              if (place === 2 && counts) totals.count = 30 + Number(value);
            });
            const reader = await ContainerReader.open(bytes);
            if (reader.index === null) {
              unused++;
              assert.deepEqual(await readAll(bytes), rows);
              continue;
            }
            faults++;
            await assert.rejects(readAll(bytes), (error) => {
              assert.ok(error instanceof MsgpackDecodeError);
              assert.deepEqual([error.kind, error.offset], ['invalid_container', at]);
              return true;
            });
            await tryToRead(bytes, { onBadBlock: 'skip' });
            await tryToRead(bytes, { where }, 'columns');
          }
    assert.ok(unused > 20 && faults > 5, `${unused} not used, ${faults} at fault`);
  });

  it('in its order, its number of blocks or its totals is not used', async () => {
    for (const change of [
      (blocks) => blocks.reverse(),
      (blocks) => [...blocks, blocks[0]],
      (blocks) => blocks.slice(1),
      (blocks) => [blocks[0], ...blocks],
      () => [],
      () => 'blocks',
      (_, totals) => {
        totals.count = 41;
      },
      (_, totals) => {
        totals.count = 2 ** 60;
      },
      (_, totals) => {
        delete totals.count;
      },
      (blocks) => blocks.map((block) => block.slice(0, 3)),
    ]) {
      const { bytes } = await withIndex(change);
      assert.equal((await ContainerReader.open(bytes)).index, null);
      assert.deepEqual(await readAll(bytes), rows);
    }
  });

  it('in its statistics leads to rows that match, and to no error', async () => {
    for (const stats of [
      null,
      {},
      { id: null },
      { id: [] },
      { id: [0] },
      { id: [0, 9, 0] },
      { id: [0, 'a', 5] },
      { id: [0, Number.NaN, Number.NaN] },
      { id: [-1, 0, 2 ** 60] },
      { id: [2 ** 60, 0, 9] },
      { id: [0, new Date(0), new Date(1)] },
      { id: [0, [], {}] },
      { id: { 0: 1 } },
      { '': [0, 1, 2], 'id.': [0, 1, 2] },
      { ['__proto__']: [0, 1, 2], constructor: 5 },
    ]) {
      const { bytes } = await withIndex((blocks) => {
        blocks[1][3] = stats;
      });
      assert.deepEqual(await readAll(bytes), rows);
      for (const condition of [
        ['id', '>', 3],
        ['id', '==', 12],
        ['id', 'is_null'],
        ['id', 'is_not_null'],
        ['constructor', 'is_not_null'],
      ]) {
        const found = await readAll(bytes, { where: [condition] });
        const right = await readAll(bytes, { where: [condition], index: false });
        const others = ({ id }) => id < 10 || id >= 20;
        assert.deepEqual(found.filter(others), right.filter(others));
        for (const { id } of found) assert.ok(right.some((row) => row.id === id));
      }
    }
  });
});

/** Runs a program of this folder, and returns what it prints. */
async function printed(name, ...values) {
  const child = fileURLToPath(new URL(name, import.meta.url));
  const { stdout } = await run(process.execPath, ['--expose-gc', child, ...values]);
  return stdout.trim();
}

describe('false marks', { timeout: 600_000 }, () => {
  for (const name of [
    'that announce data',
    'that begin arrays in one another',
    'with further elements that do not end',
    'of blocks that are right but for their size',
    'of blocks with many chunks',
    'of blocks that are right, of an unknown codec',
    'of all these kinds',
  ])
    it(`take work in proportion to the file: ${name}`, async () => {
      const { size, examined } = JSON.parse(await printed('container-work-child.js', name));
      // Searches may pass over 2^26 bytes of values in addition (MarkSearch.ts), in each of the two readings.
      assert.ok(examined < 2 * 2 ** 26 + 200 * size, `${examined} bytes of ${size}`);
    });
});

describe('blocks of which each has the next one in its data', { timeout: 600_000 }, () => {
  it('are passed over as one', async () => {
    let block = Buffer.alloc(0);
    for (let i = 0; i < 1000; i++)
      block = Buffer.concat([mark, blockArray({ data: Buffer.concat([Buffer.of(0xc1), block]) })]);
    const empty = await fileOf([], { codec: 'none' });
    const { offset } = (await ContainerReader.open(empty)).index;
    const bytes = Buffer.concat([empty.subarray(0, offset), block, empty.subarray(offset)]);
    const reader = await ContainerReader.open(bytes, { onBadBlock: 'skip', index: false });
    for await (const _ of reader) assert.fail('there are no rows');
    assert.deepEqual(
      reader.damaged.map(({ from, to, error }) => [from, to, error.kind]),
      [[offset, offset + block.length, 'reserved_marker']],
    );
  });

  it('do not end the reading of honest blocks between damaged ones', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => 'x'.repeat(100_000) + i);
    const bytes = await fileOf(rows, { codec: 'none', blockRows: 1, columns: false });
    const { index } = await ContainerReader.open(bytes);
    for (const [i, { offset, size }] of [...index].entries()) if (i % 2) bytes[offset + size - 100_005] = 0xc1;
    const found = await readAll(bytes, { onBadBlock: 'skip', index: false, maxBlock: 1_000_000 });
    assert.equal(found.length, 500);
  });
});

describe('a mark in a stream that announces more than there is', () => {
  it('hides no block after it', async () => {
    const rows = rowsOf(20);
    const bytes = await fileOf(rows, { codec: 'none', blockRows: 10 });
    const [, second] = [...(await ContainerReader.open(bytes)).index];
    const before = bytes.subarray(0, second.offset);
    const rest = bytes.subarray(second.offset);
    for (const announced of [500, 300_000, 0x7fffffff]) {
      const head = Buffer.concat([mark, Buffer.from('dd7fffffffa161c6', 'hex'), uint(announced).subarray(1)]);
      const filling = Buffer.alloc(announced === 300_000 ? announced : 400);
      const changed = Buffer.concat([before, head, filling, Buffer.of(0xc1), rest]);
      for (const size of [64, 5000])
        assert.deepEqual(
          await readAll(chunksOf(changed, size), { onBadBlock: 'skip', maxBlock: second.size }),
          rows,
          `${announced} bytes in chunks of ${size}`,
        );
    }
  });
});

describe('the memory for a container file', { timeout: 600_000 }, () => {
  const STREAMED = [
    'an index-array that does not end',
    'elements after data that do not end',
    'a header that does not end',
    'no marks at all',
  ];
  for (const name of [
    'data that unpacks to much more than it says',
    'sizes that are only announced',
    'values of a body that are small',
    ...STREAMED,
  ])
    it(`is bounded by a block: ${name}`, async () => {
      const size = Number(await printed('container-memory-child.js', name));
      assert.ok(size <= (STREAMED.includes(name) ? 4 : 40), `${size} MB for blocks of 64 KiB`);
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
      ...[Buffer.from('94a5696e6465780192', 'hex'), listed(first.offset, first.size, 50), listed(at, second.size, 50)],
      ...[Buffer.of(0x81), Buffer.from('a5636f756e74', 'hex'), uint(100)],
    ]);
    const end = indexOf(mark, array, TB);
    writeSync(file, end, 0, end.length, TB);
    closeSync(file);
    const before = process.memoryUsage().rss;
    const reader = await ContainerReader.open(path);
    assert.equal(reader.count, 100);
    assert.deepEqual(reader.splits(4), [
      [0, at],
      [at, TB + end.length],
    ]);
    await reader.close();
    assert.deepEqual(await readAll(path), rows);
    assert.deepEqual(await readAll(path, { split: [at, TB] }), rows.slice(50));
    assert.ok(process.memoryUsage().rss - before < 50_000_000);
  });
});
