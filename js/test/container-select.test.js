/** Reading some keys of the rows of container files: what is read of the file, and what is returned. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { ContainerReader, ContainerWriter } from 'packord/container';
import { chunksOf, fileOf, readAll } from './container-files.js';
import { randomOf, SEED } from './random.js';
import { after, describe, it } from './untracked.js';

const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));

/** A table of fifteen columns, the first one small, that hardly get smaller. The others have chunks of their own. */
const N = 40_000;
const BLOCK = 10_000;
const KEYS = Array.from({ length: 15 }, (_, k) => `c${k}`);
const random = randomOf(7);
const wide = Array.from({ length: N }, () =>
  Object.fromEntries(KEYS.map((key, k) => [key, k === 0 ? random(256) : random(2 ** 31) / 7])),
);
const file = await fileOf(wide, { blockRows: BLOCK, stats: ['c0'] });
const blocks = (await ContainerReader.open(file)).index.length;
const pick = (row, keys) => Object.fromEntries(keys.filter((key) => key in row).map((key) => [key, row[key]]));
const expected = (keys) => wide.map((row) => pick(row, keys));

/** A server of the file that counts the bytes that it sends. */
async function serve() {
  const requests = [];
  const server = createServer(({ headers }, response) => {
    const [from, to] = headers.range.slice(6).split('-').map(Number);
    const part = file.subarray(from, to + 1);
    requests.push(part.length);
    const range = `bytes ${from}-${from + part.length - 1}/${file.length}`;
    response.writeHead(206, { 'content-range': range, etag: '"1"' }).end(part);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { source: `http://127.0.0.1:${server.address().port}/`, requests };
}

/** The same file in Node, and as a Blob. */
async function opened() {
  const requests = [];
  const path = join(folder, 'wide.pkd');
  writeFileSync(path, file);
  const handle = await open(path);
  after(() => handle.close());
  const source = {
    fd: handle.fd,
    stat: () => handle.stat(),
    async read(...asked) {
      const result = await handle.read(...asked);
      requests.push(result.bytesRead);
      return result;
    },
  };
  return { source, requests };
}

function blob() {
  const requests = [];
  const source = new Blob([file]);
  source.slice = (from, to) => {
    requests.push(to - from);
    return Blob.prototype.slice.call(source, from, to);
  };
  return { source, requests };
}

const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);

describe('select reads', () => {
  for (const [name, make] of Object.entries({ server: serve, file: opened, blob }))
    it(`less than 15 % of the bytes for one column of fifteen: ${name}`, async () => {
      for (const options of [{}, { index: false }]) {
        const { source, requests } = await make();
        assert.deepEqual(await readAll(source, { ...options, select: ['c9'] }), expected(['c9']));
        assert.ok(sum(requests) < 0.15 * file.length, `${sum(requests)} of ${file.length}`);
        const before = requests.length;
        const reader = await ContainerReader.open(source, options);
        const found = [];
        for await (const { columns } of reader.columns(['c9'])) found.push(...columns.c9);
        assert.deepEqual(
          found,
          wide.map(({ c9 }) => c9),
        );
        assert.equal(requests.length, 2 * before);
      }
    });

  it('the start of each block and its columns, those that are neighbours at once', async () => {
    for (const [select, perBlock] of [
      [['c0'], 1],
      [['c9'], 2],
      [['c9', 'c10', 'c11'], 2],
      [['c2', 'c9'], 3],
      [['c2', 'c3', 'c9', 'c14'], 4],
      [[], 1],
    ]) {
      const { source, requests } = await serve();
      assert.deepEqual(await readAll(source, { select }), expected(select));
      // The first request has the start of the first block as well, and one is for the index.
      assert.equal(requests.length, 1 + perBlock * blocks, select.join());
    }
  });

  it('the columns of where first, and others only where a row matches', async () => {
    const last = wide.at(-1).c5;
    const { source, requests } = await serve();
    const found = await readAll(source, { select: ['c9'], where: [['c5', '==', last]] });
    assert.deepEqual(found, [pick(wide.at(-1), ['c9'])]);
    assert.equal(requests.length, 1 + 2 * blocks + 1);
  });

  it('and unpacks no other chunks', async () => {
    let unpacked = 0;
    const codecs = {
      deflate: {
        decompress(data, rawSize) {
          unpacked += rawSize;
          return zlib.inflateRawSync(data);
        },
      },
    };
    assert.deepEqual(await readAll(file, { codecs, select: ['c9'] }), expected(['c9']));
    assert.ok(unpacked >= 8 * N && unpacked < 1.2 * 8 * N, `${unpacked} bytes`);
  });

  it('small blocks whole, several at once', async () => {
    const small = await fileOf(wide.slice(0, 500), { blockRows: 10 });
    const requests = [];
    const source = new Blob([small]);
    source.slice = (from, to) => {
      requests.push([from, to]);
      return Blob.prototype.slice.call(source, from, to);
    };
    assert.deepEqual(
      await readAll(source, { select: ['c1'] }),
      wide.slice(0, 500).map((row) => pick(row, ['c1'])),
    );
    assert.ok(requests.length < 6, `${requests.length} of 50 blocks`);
  });
});

describe('a fault', () => {
  /** The file with a byte changed in a chunk of its second block. */
  async function damaged(key) {
    const reader = await ContainerReader.open(file);
    const found = [];
    for await (const block of reader.blocks()) found.push(block);
    const { data, chunks } = found[1];
    const { at } = chunks[KEYS.indexOf(key)];
    const bytes = Uint8Array.from(file);
    bytes[data.byteOffset - file.byteOffset + at + 9] ^= 4;
    return { bytes, offset: found[1].offset };
  }

  it('in a chunk that is not read is not seen', async () => {
    const { bytes } = await damaged('c3');
    for (const source of [bytes, new Blob([bytes]), chunksOf(bytes, 50_000)]) {
      const index = source === bytes;
      assert.deepEqual(await readAll(source, { index, select: ['c9', 'c2'] }), expected(['c2', 'c9']));
    }
    await assert.rejects(readAll(bytes), { kind: 'invalid_container' });
  });

  it('in one that is read ends the reading, or is passed over with its block', async () => {
    const { bytes, offset } = await damaged('c3');
    const select = ['c3'];
    const where = [['c3', 'is_not_null']];
    for (const index of [true, false])
      for (const options of [{ select }, { select: ['c1'], where }]) {
        await assert.rejects(readAll(new Blob([bytes]), { ...options, index }), {
          kind: 'invalid_container',
          offset: offset + 18,
          detail: 'block 1: the crc of chunk 3 is wrong',
        });
        const found = await readAll(bytes, { ...options, index, onBadBlock: 'skip' });
        assert.deepEqual(found, expected(options.select).toSpliced(BLOCK, BLOCK));
      }
  });
});

describe('select returns', () => {
  it('some keys of rows that are maps, in the order of the row', async () => {
    const rows = Array.from({ length: 90 }, (_, i) =>
      i % 3 === 0 ? { b: i, a: `${i}` } : i % 3 === 1 ? { a: i, c: null } : { d: [i] },
    );
    for (const options of [{}, { columns: false }, { messages: true, codec: 'none' }]) {
      const bytes = await fileOf(rows, options);
      const found = await readAll(bytes, { select: ['c', 'a', 'b', 'z'] });
      assert.deepEqual(
        found.map((row) => JSON.stringify(row)),
        rows.map((row) => JSON.stringify('d' in row ? {} : row)),
      );
      const maps = await readAll(bytes, { select: ['a'], values: { maps: 'map' } });
      assert.deepEqual(maps[4], new Map([['a', 4]]));
      assert.deepEqual(await readAll(bytes, { select: [] }), Array(90).fill({}));
      const [frozen] = await readAll(bytes, { select: ['a'], values: { freezeData: true } });
      assert.ok(Object.isFrozen(frozen));
    }
  });

  it('other rows as they are', async () => {
    const rows = [1, 'a', [[1, 2]], null, { a: 1, b: 2 }, new Map([[1, 2]])];
    const values = { maps: 'map' };
    assert.deepEqual(await readAll(await fileOf(rows), { select: ['a'], values }), [
      ...rows.slice(0, 4),
      new Map([['a', 1]]),
      new Map(),
    ]);
  });

  it('what options say', async () => {
    for (const select of ['a', [1], {}, null]) await assert.rejects(ContainerReader.open(file, { select }), TypeError);
  });

  it('the same as a plain loop over all rows, in random queries', async () => {
    const random = randomOf(SEED);
    const choice = (list) => list[random(list.length)];
    const keys = ['id', 'name', 'n', 'at', 'pos', 'none'];
    const row = (i) => ({
      id: i,
      ...(random(9) === 0 ? {} : { name: choice(['a', 'bb', 'é', '']) }),
      ...(random(3) === 0 ? {} : { n: choice([null, i / 3, i % 5, 'text', true]) }),
      ...(random(50) === 0 ? { at: new Date(i * 1000) } : {}),
      pos: random(30) === 0 ? null : { x: i % 7, y: -i },
    });
    const COUNT = process.env.PACKORD_EXHAUSTIVE ? 3000 : 1500;
    const files = [];
    for (const options of [{}, { codec: 'none' }, { columns: false }, { blockRows: 9 }]) {
      const rows = Array.from({ length: COUNT }, (_, i) => row(i));
      files.push([rows, await fileOf(rows, { blockRows: 500, ...options })]);
    }
    const ops = {
      '==': (a, b) => a === b,
      '>=': (a, b) => typeof a === typeof b && a >= b,
      '<': (a, b) => typeof a === typeof b && a < b,
      is_null: (a) => a === null || a === undefined,
      is_not_null: (a) => a !== null && a !== undefined,
    };
    const paths = { ...Object.fromEntries(keys.map((key) => [key, (row) => row[key]])) };
    paths['pos.x'] = ({ pos }) => pos?.x;
    paths['pos.y'] = ({ pos }) => pos?.y;
    for (let run = 0; run < 1000; run++) {
      const [rows, bytes] = choice(files);
      const where = Array.from({ length: random(3) }, () => [
        choice(Object.keys(paths)),
        choice(Object.keys(ops)),
        choice([random(COUNT), random(7), -random(COUNT), 'a', 'text', 1.5]),
      ]);
      const select = random(5) === 0 ? undefined : keys.filter(() => random(2) === 0);
      const matching = rows.filter((row) =>
        where.every(([path, op, constant]) => {
          const value = paths[path](row);
          const isNull = value === null || value === undefined;
          return op.startsWith('is') || !isNull ? ops[op](value, constant) : false;
        }),
      );
      const source = random(3) === 0 ? new Blob([bytes]) : bytes;
      const found = await readAll(source, { where, select, index: random(2) === 0 });
      assert.deepEqual(
        found,
        select === undefined ? matching : matching.map((row) => pick(row, select)),
        `SEED=${SEED}, ${run}: ${JSON.stringify({ where, select })}`,
      );
    }
  });
});

describe('chunks', () => {
  it('begin with keys, small columns together', async () => {
    const rows = Array.from({ length: 4000 }, (_, i) => ({
      small: i % 3 === 0,
      text: `text ${i * i}`,
      few: ['a', 'b'][i % 2],
      root: Math.sqrt(i),
    }));
    const bytes = await fileOf(rows, { codec: 'none' });
    const { value: block } = await (await ContainerReader.open(bytes)).blocks().next();
    const sizes = block.chunks.map(({ rawSize }) => rawSize);
    assert.equal(sum(sizes), block.rawSize);
    assert.equal(block.chunks.length, 2, sizes.join());
    assert.ok(sizes.slice(0, -1).every((size) => size >= 8192));
    assert.ok(sizes[1] > 8 * 4000 && sizes[1] < 8 * 4000 + 4000, sizes.join());
    const writer = await ContainerWriter.open(null, { codec: 'none', messages: true });
    await writer.write(rows);
    await writer.finish();
    const { value: message } = await (await ContainerReader.open(writer.bytes())).blocks().next();
    assert.equal(message.chunks.length, 1);
  });
});
